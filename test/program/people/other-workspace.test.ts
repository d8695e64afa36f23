import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { sqliteFile } from '../../../src/store/sqlite/open-sqlite.ts';
import { exampleRulebook } from '../rulebook-text.ts';
import { setStage, type Message, type Stage } from '../stage.ts';
import { until } from '../../until.ts';

const sentence =
  'Bellhop takes commands only from members of the workspace it is installed in, and you are in another one. Nothing was done.';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'error' } });
});
afterAll(() => stage.close());

/** The private answers that Sara of another workspace has seen. */
const answers = async (): Promise<readonly Message[]> =>
  (await stage.messages('U0SARA')).filter(({ ephemeral }) => ephemeral);

const refusedOnceMore = async (before: number): Promise<void> => {
  const answer = await until(async () => (await answers())[before]);
  expect(answer.text).toBe(sentence);
  expect(await answers()).toHaveLength(before + 1);
};

function recorded(): readonly string[] {
  using database = new DatabaseSync(sqliteFile(join(stage.dataDir, 'bot')), { readOnly: true });
  const rows = database.prepare("select draft from audit where actor_user = 'U0SARA' order by seq").all();
  return z
    .array(z.object({ draft: z.string() }))
    .parse(rows)
    .map(({ draft }) => z.object({ event: z.string() }).parse(JSON.parse(draft)).event);
}

it.each(['/cloud reboot web-1', '/bellhop help', '/bellhop status', '/cloud rebot web-1'])(
  'someone of another workspace who types %s gets one clear private sentence',
  async (line) => {
    const before = (await answers()).length;
    await stage.say('U0SARA', line);
    await refusedOnceMore(before);
    expect(await stage.calls('rebootInstance')).toBe(0);
  },
);

it.each([
  ['web-1', 'Reboot web-1'],
  ['web-2', 'Cancel'],
])('so does one who presses a button on the card of %s: %s', async (name, button) => {
  await stage.say('U0ALICE', `/cloud reboot ${name}`);
  const isCard = ({ text }: Message): boolean => text.includes(name) && text.includes('proposed');
  const card = await stage.seen('U0ALICE', isCard);
  const before = (await answers()).length;
  await stage.press('U0SARA', card, button);
  await refusedOnceMore(before);
  expect(await stage.calls('rebootInstance')).toBe(0);
  expect((await stage.messages('U0ALICE')).find(({ ts }) => ts === card.ts)?.text).toContain('proposed');
});

it('the attempts of people from another workspace are in the audit log', async () => {
  await until(() => recorded().length === 6);
  expect(recorded()).toEqual([
    ...Array.from({ length: 4 }, () => 'denied'),
    'ignored click',
    'ignored click',
  ]);
});

it('someone of another workspace whom a role lists by T…/U… may act', async () => {
  const listed = exampleRulebook({}).replace('users: [U0ALICE]', 'users: [U0ALICE, T0OTHER/U0SARA]');
  await stage.close();
  stage = await setStage({ rulebook: listed, env: { LOG_LEVEL: 'error' } });
  await stage.say('U0SARA', '/cloud reboot web-2');
  const card = await stage.seen('U0SARA', ({ ephemeral, text }) => !ephemeral && text.includes('proposed'));
  await stage.press('U0SARA', card, 'Reboot web-2');
  await stage.seen('U0SARA', ({ ts, text }) => ts === card.ts && text.includes('succeeded'));
  expect(await stage.calls('rebootInstance')).toBe(1);
});
