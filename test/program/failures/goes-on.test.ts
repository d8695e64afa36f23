import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { exampleRulebook } from '../rulebook-text.ts';
import { until } from '../../until.ts';
import { setStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ rulebook: exampleRulebook({}) });
});
afterAll(() => stage.close());

const readyz = z.object({
  ready: z.boolean(),
  parts: z.record(
    z.string(),
    z.object({
      ok: z.boolean(),
      required: z.boolean().optional(),
      lastError: z.string().optional(),
      detail: z.string().optional(),
    }),
  ),
});

/** The text and status of /readyz for a part, once the part is in the wanted state. */
const part = (name: string, ok: boolean) =>
  until(async () => {
    const response = await fetch(`${stage.botUrl}/readyz`);
    const { ready, parts } = readyz.parse(await response.json());
    const found = parts[name];
    return found?.ok === ok ? { status: response.status, ready, ...found } : undefined;
  });

async function metrics(name: string): Promise<readonly string[]> {
  const text = await (await fetch(`${stage.botUrl}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('a bellhop.yaml that is broken while Bellhop runs', () => {
  it('leaves the replica ready, and /readyz, /metrics and the status say so until it is mended', async () => {
    const file = join(stage.dataDir, 'bellhop.yaml');
    const written = readFileSync(file, 'utf8');
    const before = await part('bellhop.yaml', true);
    expect(before).toMatchObject({ status: 200, required: false });
    expect(before.detail).toMatch(/^[\da-f]{12} in force since \d{4}-.*Z$/u);
    const [inForce] = await metrics('bellhop_rules_in_force_since_seconds{');
    expect(inForce).toMatch(/\{policy="[\da-f]{12}"\} \d{10}/u);

    writeFileSync(file, `${written}\nruels: []\n`);
    const refused = await part('bellhop.yaml', false);
    expect(refused).toMatchObject({ status: 200, ready: true, detail: before.detail });
    expect(refused.lastError).toContain('ruels');
    expect(await metrics('bellhop_ready{part="bellhop.yaml"}')).toEqual([
      'bellhop_ready{part="bellhop.yaml"} 0',
    ]);
    expect(await metrics('bellhop_rules_in_force_since_seconds{')).toEqual([inForce]);
    await stage.say('U0ALICE', '/bellhop status');
    const { blocks } = await stage.seen('U0ALICE', ({ text }) => text.includes('Problems: bellhop.yaml'));
    expect(JSON.stringify(blocks)).toMatch(/Rejected rules.*A newer version was rejected on <!date.*ruels/u);

    writeFileSync(file, written);
    expect(await part('bellhop.yaml', true)).toMatchObject({ detail: before.detail });
  });
});

describe('a request that a newer version wrote', () => {
  it('is omitted from lists, logged once and counted, and the replica stays ready', async () => {
    await stage.say('U0ALICE', '/cloud reboot web-1');
    await stage.seen('U0ALICE', ({ text }) => text.includes('web-1') && text.includes('proposed'));
    await stage.say('U0ALICE', '/cloud reboot web-2');
    await stage.seen('U0ALICE', ({ text }) => text.includes('web-2') && text.includes('proposed'));
    using database = new DatabaseSync(join(stage.dataDir, 'bot', 'bellhop.db'), { timeout: 5000 });
    database.exec(`update requests set decision = '{"effect":"ponder"}' where words like '%web-1%'`);

    for (const round of ['first', 'second']) {
      await stage.say('U0ALICE', '/bellhop requests');
      const { blocks } = await stage.seen('U0ALICE', ({ text }) => text.includes('Open requests'));
      expect([round, JSON.stringify(blocks)]).toEqual([round, expect.stringContaining('Reboot web-2')]);
      expect(JSON.stringify(blocks)).not.toContain('web-1');
    }
    const rows = await part('stored rows', false);
    expect(rows).toMatchObject({ status: 200, ready: true, required: false });
    expect(rows.lastError).toContain('A newer version of Bellhop wrote it');
    expect(await metrics('bellhop_unreadable_rows{table="requests"}')).toEqual([
      'bellhop_unreadable_rows{table="requests"} 1',
    ]);
    const told = await until(() => stage.bot.output().match(/unreadable row; lists skip it/gu) ?? false);
    expect(told).toHaveLength(1);
  });
});
