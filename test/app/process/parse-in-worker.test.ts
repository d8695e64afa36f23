import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { parseRulebookInWorker } from '../../../src/app/process/parse-in-worker.ts';
import { rulebookLines, parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { watchRulebook } from '../../../src/config/rulebook/watch-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { turnsDuring } from '../../turns-during.ts';

const open = new AbortController().signal;
const label = 'bellhop.yaml';

const instances = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `  host-${at}: { id: h${at}, labels: { env: production } }\n`,
  ).join('');

describe('the event loop continues', () => {
  it('while a bellhop.yaml with thousands of instances is reloaded', async () => {
    const file = join(temporaryFolder(), label);
    const bytes = Buffer.from('project: 1\n');
    writeFileSync(file, bytes);
    const initial = parseRulebook(bytes, label, operations);
    if (!initial.ok) throw new Error('the file is good');
    const watch = watchRulebook({
      file,
      initial: initial.rulebook,
      parse: (changed, name, signal) =>
        parseRulebookInWorker(changed, { label: name, folder: '.' }, {}, signal),
      onLoaded: () => undefined,
      onRejected: (problems) => expect.unreachable(problems.join('\n')),
    });
    onTestFinished(() => watch.close());
    writeFileSync(file, `instances:\n${instances(2000)}`);
    expect(await turnsDuring(watch.reload())).toBeGreaterThan(100);
    expect(Object.keys(watch.current().inventory.instances)).toHaveLength(2000);
  });
});

describe('a worker gives the same result as this thread', () => {
  it.each([
    [
      'odd names and warnings',
      'instances:\n  7: { id: a }\n  toString: { id: b }\n  __proto__: { id: c }\nroles: { idle: {} }\n',
    ],
    ['mistakes', 'projcet: 2\nrules:\n  - { risk: raed, then: allow }\n'],
  ])('for a bellhop.yaml with %s', async (_, yaml) => {
    const surroundings = {
      secretNames: ['audit-key'],
      longestCallMs: 600_000,
      unusable: 'warning',
    } as const;
    const { warnings, ...read } = await parseRulebookInWorker(
      Buffer.from(yaml),
      { label: label, folder: '.' },
      surroundings,
      open,
    );
    const { warnings: warningsHere, ...here } = rulebookLines(
      parseRulebook(Buffer.from(yaml), label, operations, surroundings),
    );
    expect(read).toStrictEqual({ ...here, files: [] });
    expect(warnings()).toStrictEqual(warningsHere());
    expect(Object.isFrozen(read.rulebook?.inventory.instances ?? read.problems)).toBe(true);
  });
});

describe('a bellhop.yaml that takes more memory than there is', () => {
  it('is refused, and ends nothing but its worker', async () => {
    const yaml = `links: [${'{},'.repeat(400_000)}]`;
    const read = parseRulebookInWorker(Buffer.from(yaml), { label, folder: '.' }, {}, open);
    await expect(read).rejects.toThrow('took too much memory');
  });
});

describe('a worker that is not waited for any more', () => {
  it('ends', async () => {
    const abandoned = new AbortController();
    const read = parseRulebookInWorker(
      Buffer.from('project: 1\n'),
      { label: label, folder: '.' },
      {},
      abandoned.signal,
    );
    abandoned.abort(new Error('closed'));
    await expect(read).rejects.toThrow('closed');
  });
});
