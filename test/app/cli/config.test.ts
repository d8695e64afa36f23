import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startLocalService, type LocalService } from '../../../playground/service/start-local-service.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';
import { startFaultyServer } from '../../service/faulty-server.ts';
import { callProgram } from '../../call-program.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const at = { project: 7, region: 76 };
const id = (last: number) => `10000000-0000-4000-a000-00000000000${last}`;
/** Names as a service may have them, two of them alike once they can be typed. */
const instances = {
  'web 1': { id: id(1), ...at, labels: { env: 'staging' } },
  'web/1': { id: id(2), ...at },
  '--- "x": {y} #z': { id: id(3), ...at },
  __proto__x: { id: id(4), ...at, labels: { 'a: b': '- c' } },
  '123': { id: id(5), ...at },
  known: { id: id(6), ...at, labels: { env: 'staging' } },
};

let service: LocalService;
const folder = temporaryFolder();
beforeAll(async () => {
  service = await startLocalService({
    port: 0,
    dataDir: join(folder, 'service'),
    apiKey: 'key-of-import',
    inventory: { instances, containers: {} },
  });
});
afterAll(() => service.close());

const run = (args: readonly string[], env: Record<string, string> = {}, cwd = folder) =>
  callProgram('config', args, env, cwd);

const reached = () => ({ API_BASE_URL: service.url, API_KEY: 'key-of-import' });

/** The inventory that Bellhop reads from the text. */
function inventoryFrom(yaml: string) {
  const result = parseRulebook(Buffer.from(yaml), 'bellhop.yaml', operations);
  if (!result.ok) throw new Error(JSON.stringify(result.findings));
  return result.rulebook.inventory.instances;
}

describe('npm run config -- import', () => {
  it('prints instances that bellhop.yaml takes, each under a name of its own', async () => {
    const { code, out, err } = await run(['import', '--project', '7', '--region', '76'], reached());
    expect([code, err]).toEqual([0, '']);
    const read = inventoryFrom(out);
    expect(Object.keys(read).toSorted()).toMatchInlineSnapshot(`
      [
        ""x":-{y}-#z",
        "123",
        "__proto__x",
        "known",
        "web-1",
        "web-1-2",
      ]
    `);
    expect(
      Object.values(read)
        .map((entry) => entry.id)
        .toSorted(),
    ).toEqual([1, 2, 3, 4, 5, 6].map(id));
    expect(read['web-1']).toEqual({ id: id(1), ...at, labels: { env: 'staging' } });
  });

  it('keeps names and labels that bellhop.yaml has, and takes project and regions from it', async () => {
    const own = temporaryFolder();
    const yaml = `project: 7\nregion: 76\nextensions: [instance-list]\ninstances:\n  mine: { id: ${id(6)}, labels: { env: production } }\n`;
    writeFileSync(join(own, 'bellhop.yaml'), yaml);
    const { code, out, err } = await run(['import'], reached(), own);
    expect([code, err]).toEqual([0, '']);
    expect(inventoryFrom(out)['mine']).toEqual({ id: id(6), ...at, labels: { env: 'production' } });
  });

  it('says on stderr how many it could not read, and how many have an id that bellhop.yaml does not take', async () => {
    const results = [{ id: 'a b' }, { id: 'i-1', name: 'one' }];
    await using longer = await startFaultyServer((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ count: 10_500, results })),
    );
    const { code, out, err } = await run(['import', '--project', '7', '--region', '76'], {
      ...reached(),
      API_BASE_URL: longer.url,
    });
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toEqual([
      'Only 2 of 10,500 instances of project 7, region 76 were read. Add the others by hand.',
      '1 instances of project 7, region 76 were skipped, because their ids contain characters other than letters, digits, - and _.',
    ]);
    expect(Object.values(inventoryFrom(out)).map((entry) => entry.id)).toEqual(['i-1']);
  });

  it.each([
    ['no command', [], {}, 'check, test, diff, upgrade, import, manifest, types.'],
    ['an unknown command', ['export'], {}, 'check, test, diff, upgrade, import, manifest, types.'],
    ['an unknown option', ['import', '--all'], {}, "Unknown option '--all'."],
    ['an invalid project', ['import', '--project', 'x'], {}, '--project takes a whole number, 1 or more.'],
    ['no project', ['import', '--region', '76'], {}, 'Name the project: --project <number>.'],
    ['no region', ['import', '--project', '7'], {}, 'Name a region: --region <number>.'],
    ['no service', ['import', '--project', '7', '--region', '76'], {}, 'Set API_BASE_URL and API_KEY'],
  ])('with %s says so in a line and ends with 2', async (_what, args, env, said) => {
    const { code, out, err } = await run(args, env);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses a bellhop.yaml that does not name instance-list, and a wrong key in a sentence', async () => {
    const own = temporaryFolder();
    writeFileSync(join(own, 'bellhop.yaml'), 'project: 7\nregion: 76\n');
    const without = await run(['import'], reached(), own);
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('Add instance-list')]);
    const wrong = await run(['import', '--project', '7', '--region', '76'], {
      ...reached(),
      API_KEY: 'wrong',
    });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('401')]);
    expect(wrong.err).not.toContain('wrong-key');
  });

  it('explains itself', async () => {
    expect((await run(['--help'])).out).toContain('Usage: npm run config -- <command>');
    expect((await run(['import', '--help'])).out).toContain('--region <number>');
  });
});
