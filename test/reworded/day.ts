import { expect } from 'vitest';
import { z } from 'zod';

import { alertmanagerBody } from '../alertmanager-body.ts';
import { agentOf, statusOf, suggest } from '../program/agents.ts';
import type { Stage } from '../program/stage.ts';
import { type Message, messageSchema } from '../../playground/workspace/protocol.ts';
import { gesture } from '../program/workspace-page.ts';
import { people } from '../people.ts';
import { until } from '../until.ts';
import { plain } from './reword.ts';

export const [alice, bob, carol] = [people.alice.user, people.bob.user, people.carol.user];
export const incident = 'C0INC42';

export const read = (message: Message): Message =>
  messageSchema.parse(JSON.parse(plain(JSON.stringify(message))));

/** The actions and observations of people on that day, with the original texts. */
export function peopleOf(stage: Stage) {
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
    press: (as: string, message: Message, button: string) => stage.press(as, message, button),
    /** Fills in the form on top: texts by block, and the option with this value if the form has a choice. */
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

export async function liveThroughADay(stage: Stage): Promise<void> {
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

  const broken = await ask(
    alice,
    '/cloud reboot db-1 --break-glass fire',
    'db-1 without approval by leads: proposed',
  );
  await press(alice, broken, 'Reboot db-1 without approval by leads');
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
    headers: {
      authorization: 'Bearer secret-of-the-hook',
      'content-type': 'application/json',
      // Otherwise a later call may meet a connection that the bot has just closed.
      connection: 'close',
    },
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

/** Alice confirms. If the guard asks for an approval, Carol approves. */
const decide = (stage: Stage, card: Message, button: string) =>
  card.text.includes('awaiting approval')
    ? stage.press(carol, card, 'Approve')
    : stage.press(alice, card, button);

/** Reboots three instances one after another. The first answer is lost, so a person continues. */
export async function rollOut(stage: Stage): Promise<void> {
  const { ask, press, seen } = peopleOf(stage);
  await stage.fault('rebootInstance', { status: 500, times: 1 });
  const command = '/cloud reboot --each tier=web --pause 1s';
  await decide(stage, await ask(alice, command, 'Reboot 3 × tier=web: '), 'Reboot 3 × tier=web');
  await press(alice, await seen(alice, 'Reboot 3 × tier=web: paused'), 'Continue with web-2…');
  await press(carol, await seen(alice, 'Reboot 3 × tier=web: awaiting approval'), 'Approve');
  await seen(alice, 'Reboot 3 × tier=web: done');
}

/** An agent reads and suggests. One suggestion is taken up, another is dismissed. Returns what the agent got. */
export async function suggestTwice(stage: Stage): Promise<unknown> {
  const { press, seen } = peopleOf(stage);
  const agent = await agentOf(stage, 'holmes');
  const shown = await agent.call('cloud_show', { instance: 'web-2' });
  const taken = await suggest(agent, '/cloud reboot web-2');
  await press(alice, await seen(alice, 'suggests /cloud reboot web-2', incident), 'Reboot web-2…');
  await decide(stage, await seen(alice, 'Reboot web-2: ', incident), 'Reboot web-2');
  const card = await seen(alice, 'Reboot web-2: succeeded', incident);
  const details = await until(async () => {
    const before = (await stage.modals(alice)).at(-1)?.id;
    await press(alice, card, 'Details');
    const view = await until(async () => (await stage.modals(alice)).findLast(({ id }) => id !== before));
    // The proof is named once the entry is sealed, a moment after the end.
    return plain(JSON.stringify(view)).includes('prove it') ? view : undefined;
  });
  await stage.advance(120_000);
  const dismissed = await suggest(agent, '/cloud stop web-3');
  await press(alice, await seen(alice, 'suggests /cloud stop web-3', incident), 'Dismiss');
  await until(async () => (await statusOf(agent, dismissed.id)).state === 'dismissed');
  return [shown, details.blocks, await statusOf(agent, taken.id), await statusOf(agent, dismissed.id)];
}
