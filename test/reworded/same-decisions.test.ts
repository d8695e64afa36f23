import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { alertmanagerBody } from '../alerts/sources/bodies.ts';
import { openStore } from '../../src/store/open-store.ts';
import { exampleRulebook } from '../program/rulebook-text.ts';
import { setStage, type Stage } from '../program/stage.ts';
import { clickOn, gesture, type Message, messageSchema } from '../program/workspace-page.ts';
import { until } from '../until.ts';
import { plain } from './reword.ts';

const root = join(import.meta.dirname, '../..');
const [alice, bob, carol] = ['U0ALICE', 'U0BOB', 'U0CAROL'] as const;
const incident = 'C0INC42';

/** The example, with what takes away from its rules. */
const rulebook = `${exampleRulebook({})}
limits: [{ operations: [cloud.stop], at_most: 1, per: target, within: 1h }]
guard: [{ labels: { tier: web }, keep: 2, approvers: [leads] }]
freeze: [{ labels: { tier: db }, from: 2026-01-01T00:00:00Z, to: 2036-01-01T00:00:00Z, except: [responders], reason: a holiday }]
`;

/** Other in each run, and no matter of what is decided. */
const passing = [
  [/"block_id":"b\w+"/gu, '"block_id":"(of Slack)"'],
  [/\b(?:r-[a-z0-9]{9,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/gu, '(id)'],
  [/(?<=\\n|\b)[0-9a-f]{12,}\b|\d+/gu, '0'],
  [/ in 0 s(?= ·)/gu, ''],
] as const;

const steady = (value: unknown): unknown => {
  let text = plain(JSON.stringify(value));
  for (const [pattern, instead] of passing) text = text.replaceAll(pattern, instead);
  return JSON.parse(text);
};

const read = (message: Message): Message => messageSchema.parse(JSON.parse(plain(JSON.stringify(message))));

/** What people do and see in it, by the texts as they were. */
function peopleOf(stage: Stage) {
  const seen = (as: string, says: string, channel?: string) =>
    stage.seen(as, (message) => plain(message.text).includes(says), channel).then((message) => read(message));
  return {
    seen,
    ask: async (as: string, line: string, says: string): Promise<Message> => {
      expect({ ...(await stage.say(as, line)), bot: stage.bot.child.exitCode }).toEqual({
        ok: true,
        bot: null,
      });
      return seen(as, says);
    },
    press: (as: string, message: Message, button: string) =>
      gesture(stage.workspace, 'action', clickOn(as, message, button)),
    /** Fills in the form on top: texts by their blocks, and the option of that value if it has a choice. */
    fill: async (as: string, texts: Readonly<Record<string, string>>, choice?: string): Promise<void> => {
      const { id, blocks } = form.parse(await until(async () => (await stage.modals(as)).at(-1)));
      const chosen = blocks.flatMap(({ block_id, element }) =>
        (element?.options ?? [])
          .filter(({ value }) => value === choice)
          .map((option) => [block_id, { value: { type: 'static_select', selected_option: option } }]),
      );
      const typed = Object.entries(texts).map(([block, value]) => [
        block,
        { value: { type: 'plain_text_input', value } },
      ]);
      const values: unknown = Object.fromEntries([...chosen, ...typed]);
      await gesture(stage.workspace, 'submit', { as, view_id: id, values });
      await until(async () => (await stage.modals(as)).length === 0);
    },
  };
}

const form = z.looseObject({
  id: z.string(),
  blocks: z.array(
    z.looseObject({
      block_id: z.string(),
      element: z
        .looseObject({ options: z.array(z.looseObject({ value: z.string() })).optional() })
        .optional(),
    }),
  ),
});

async function liveThroughADay(stage: Stage): Promise<void> {
  const { ask, press, fill, seen } = peopleOf(stage);

  const confirmed = await ask(alice, '/cloud reboot web-1 --reason stuck', 'web-1: proposed');
  await press(alice, confirmed, 'Reboot web-1');
  await seen(alice, 'web-1: succeeded');
  await stage.advance(120_000);
  await press(alice, await ask(alice, '/cdn purge 1001 /a.css', '1001: proposed'), 'Cancel');
  await seen(alice, '1001: cancelled');

  await press(carol, await ask(alice, '/cloud reboot db-1', 'Reboot db-1: awaiting approval'), 'Approve');
  await seen(alice, 'Reboot db-1: succeeded');
  await stage.advance(120_000);
  await press(carol, await ask(alice, '/cloud stop db-1', 'Stop db-1: awaiting approval'), 'Deny');
  await fill(carol, { reason: 'wait for the backup' });
  await seen(alice, 'Stop db-1: refused');
  await ask(carol, '/cloud suspend db-1', 'a holiday');
  await ask(bob, '/cloud stop web-2', 'Nothing was done');

  const broken = await ask(alice, '/cloud reboot db-1 --break-glass fire', 'Reboot db-1: proposed');
  await press(alice, broken, 'Reboot db-1');
  const review = await seen(bob, 'Break-glass: review open');
  await press(bob, review, 'Close the review');
  await fill(bob, { word: 'right so' });
  await seen(bob, 'Break-glass: review closed');
  await stage.advance(120_000);

  await stage.fault('rebootInstance', { status: 500, times: 1 });
  await press(alice, await ask(alice, '/cloud reboot web-1', 'Reboot web-1: proposed'), 'Reboot web-1');
  const unknown = await seen(alice, 'Reboot web-1: unknown');
  await press(alice, await ask(alice, '/cloud reboot web-1', 'Reboot web-1: proposed'), 'Cancel');
  await seen(alice, 'Reboot web-1: cancelled');
  await press(carol, unknown, 'Settle…');
  await fill(carol, { reason: 'its uptime' }, 'succeeded');
  await seen(alice, 'Reboot web-1: succeeded');
  await stage.advance(120_000);

  await press(alice, await ask(alice, '/cloud stop web-1', 'Stop web-1: proposed'), 'Stop web-1');
  await seen(alice, 'Stop web-1: succeeded');
  await stage.advance(120_000);
  await ask(alice, '/cloud stop web-1', 'Nothing was done');
  await press(alice, await ask(alice, '/cloud stop web-2', 'Stop web-2: awaiting approval'), 'Cancel');
  await seen(alice, 'Stop web-2: cancelled');

  await fetch(`${stage.botUrl}/hooks/alertmanager`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret-of-the-hook', 'content-type': 'application/json' },
    body: alertmanagerBody([{ instance: 'web-1:9100' }]),
  });
  const alert = await seen(alice, 'Firing: InstanceDown', incident);
  await press(bob, alert, 'Reboot web-1…');
  await seen(bob, 'Nothing was done', incident);
  await press(alice, alert, 'Reboot web-1…');
  await press(alice, await seen(alice, 'Reboot web-1: proposed', incident), 'Cancel');
  await seen(alice, 'Reboot web-1: cancelled', incident);

  await ask(carol, '/bellhop audit', 'Audit');
  await ask(carol, '/bellhop timeline', 'Timeline');
  await ask(alice, '/bellhop policy', 'Policy');
  await ask(alice, '/bellhop can /cloud stop db-1', 'Can you run');
}

interface Day {
  readonly entries: readonly unknown[];
  readonly requests: readonly unknown[];
  readonly messages: unknown;
  /** Whether the bot spoke as we write it. */
  readonly isPlain: boolean;
}

/** Of the same day with the bot as it is, or with another: what was decided, recorded and said. */
async function dayOf(options: Partial<Parameters<typeof setStage>[0]>): Promise<Day> {
  const stage = await setStage({ rulebook, ...options });
  onTestFinished(() => stage.close());
  await liveThroughADay(stage);
  const messages = await Promise.all(
    [alice, bob, carol].flatMap((as) =>
      ['C0OPS', incident].map(async (channel) =>
        (await stage.messages(as, channel))
          // A notice that is no longer needed when its time comes is not sent: some are, by chance.
          .filter(({ ts, thread_ts: thread = ts }) => thread === ts)
          .map(({ text, blocks }) => ({ text, blocks })),
      ),
    ),
  );
  await stage.bot.end('SIGTERM');
  const store = await openStore({ dataDir: join(stage.dataDir, 'bot') });
  onTestFinished(() => store.close());
  const entries = await store.auditFrom(0, 1000);
  const requests = await store.list({ limit: 100 });
  const said = JSON.stringify(messages);
  return {
    entries: entries.map(steady),
    requests: requests.map(steady),
    messages: steady(messages),
    isPlain: said === plain(said),
  };
}

it('decides, records and says the same when every text reads otherwise', async () => {
  const nodeOptions = ['--import', join(root, 'test/reworded/loader.ts')];
  const [asItIs, reworded] = await Promise.all([
    dayOf({}),
    dayOf({ program: join(root, 'src/start.js'), nodeOptions }),
  ]);
  expect([asItIs.isPlain, reworded.isPlain]).toEqual([true, false]);
  expect(asItIs.entries.length).toBeGreaterThan(40);
  expect(reworded.entries).toEqual(asItIs.entries);
  expect(reworded.requests).toEqual(asItIs.requests);
  expect(reworded.messages).toEqual(asItIs.messages);
});
