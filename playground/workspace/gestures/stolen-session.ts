import { z } from 'zod';

import type { StoredMessage } from '../conversations/history.ts';
import type { StolenSessionSettings } from '../drills/stolen-session.ts';
import type { Workspace } from '../workspace.ts';
import { act } from './action.ts';
import type { Outcome } from './gestures.ts';
import { personOf, refused } from './outcomes.ts';
import { send } from './send.ts';

/** How often the thief presses. */
const CLICKS = 50;
/** How long the app may take to post its card, and to react to the last click. */
const PATIENCE_MS = 10_000;
const REACTION_MS = 2_000;
const SESSION = 'stolen-session';

const approveButton = z.looseObject({
  type: z.literal('button'),
  action_id: z.string(),
  text: z.object({ text: z.literal('Approve') }),
});

/**
 * A colleague asks for a change, and the thief of the approver's session presses Approve fifty times: the clicks arrive as
 * Slack signs them. The result follows once the app has reacted.
 */
export async function runStolenSession(workspace: Workspace): Promise<Outcome> {
  const { stolen, clock } = workspace;
  const { settings } = stolen;
  if (settings === undefined) return refused('no_drill', 'This workspace was started without this drill.');
  if (stolen.current.running) return refused('running', 'The drill is already running.');
  const say = (clicks: number, running: boolean, result = ''): void =>
    stolen.set({ clicks, running, result });
  say(0, true);
  const card = await cardToApprove(workspace, settings);
  if (card === undefined) {
    say(
      0,
      false,
      'There is nothing to approve: the request was refused, or another one is open. See the channel.',
    );
    return { ok: true };
  }
  const links = linksTo(workspace, settings);
  for (let clicks = 1; clicks <= CLICKS; clicks += 1) {
    const button = buttonOf(workspace, settings, card.ts);
    if (button === undefined) break;
    const container = { type: 'message', channel: settings.channel, ts: card.ts } as const;
    const value = { type: 'button' } as const;
    await act(workspace, { as: settings.victim, session: SESSION, container, ...button, value, values: {} });
    say(clicks, true);
  }
  await passed(clock, REACTION_MS);
  const name = personOf(settings.victim).real_name;
  const waits = buttonOf(workspace, settings, card.ts) !== undefined;
  const sent = linksTo(workspace, settings) - links;
  const result = waits
    ? `Nothing was approved. Only ${name} got messages with a sign-in link: ${sent}, one of which counts the clicks.`
    : 'The card is no longer waiting. See the channel for what happened.';
  say(stolen.current.clicks, false, result);
  return { ok: true };
}

/** The card of a request that is new, or that an earlier drill made. */
async function cardToApprove(
  workspace: Workspace,
  settings: StolenSessionSettings,
): Promise<StoredMessage | undefined> {
  const { asker, channel, command } = settings;
  const about = command.split(' ')[2] ?? '';
  const waiting = (): StoredMessage | undefined =>
    workspace.history
      .list(channel, 200, settings.victim)
      .findLast(({ ts, text }) => text.includes(about) && buttonOf(workspace, settings, ts) !== undefined);
  const before = waiting();
  await send(workspace, { as: asker, session: SESSION, channel, text: command, broadcast: false, files: [] });
  const end = workspace.clock.now() + PATIENCE_MS;
  while (workspace.clock.now() < end) {
    const card = waiting();
    if (card !== undefined && card.ts !== before?.ts) return card;
    await passed(workspace.clock, 50);
  }
  return undefined;
}

function buttonOf({ history }: Workspace, { channel }: StolenSessionSettings, ts: string) {
  for (const { block_id, ...block } of history.find(channel, ts)?.blocks ?? []) {
    const { data } = z.object({ elements: z.array(z.unknown()) }).safeParse(block);
    const found = data?.elements.flatMap((element) => approveButton.safeParse(element).data ?? [])[0];
    if (found !== undefined) return { block_id, action_id: found.action_id };
  }
  return undefined;
}

const hasLink = ({ text }: StoredMessage): boolean => text.includes('Sign in to ');

/** Messages with a link that the victim alone sees. */
const linksTo = (
  { history, conversations }: Workspace,
  { channel, victim }: StolenSessionSettings,
): number => {
  const own = conversations.find(victim)?.id;
  const direct = own === undefined ? [] : history.list(own, 1000, victim).filter(hasLink);
  const inChannel = history
    .list(channel, 1000, victim)
    .filter((message) => message.ephemeral_to === victim && hasLink(message));
  return direct.length + inChannel.length;
};

const passed = (clock: Workspace['clock'], ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.at(clock.now() + ms, resolve);
  });
