import type { Clock } from '../../model/ports.ts';
import type { Message } from '../render/blocks.ts';
import { SlackError } from './slack-error.ts';

/** Workspaces that refused Slack's newer blocks, by team id, and when: epoch milliseconds. */
const plainOnly = new Map<string, number>();

/** Enough for every organisation that shares a channel with ours. */
const mostRemembered = 1_000;

/** A workspace is tried again after so long. In milliseconds. */
const plainForMs = 24 * 60 * 60_000;

/** False where the workspace refused charts or native tables less than a day ago. */
export function takesModernBlocks(team: string, now: number): boolean {
  const refusedAt = plainOnly.get(team);
  if (refusedAt === undefined) return true;
  // A clock that was set back would make the refusal seem fresh for as long.
  if (Math.abs(now - refusedAt) < plainForMs) return false;
  plainOnly.delete(team);
  return true;
}

/**
 * Sends what `render` gives. Where Slack refuses a message with newer blocks as invalid, sends it once more in plain ones.
 * That is remembered for the workspace where the message had a single newer block: of several the combination may be to
 * blame, and the next message is tried with its own.
 * @throws SlackError of the last try
 */
export async function withPlainBlocks<T>(
  team: string,
  clock: Pick<Clock, 'now'>,
  render: (modern: boolean) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const message = render(takesModernBlocks(team, clock.now()));
  const modern = message.blocks.filter(({ type }) => modernTypes.has(type)).length;
  try {
    return await send(message);
  } catch (error) {
    if (!isRefusal(error) || modern === 0) throw error;
  }
  const sent = await send(render(false));
  // Only now is it known that the blocks were to blame.
  if (modern === 1 && plainOnly.size < mostRemembered) plainOnly.set(team, clock.now());
  return sent;
}

const modernTypes = new Set(['data_table', 'data_visualization']);

/** Slack has a number of words for it: `invalid_blocks`, `invalid_attachments`, `invalid_arguments` … */
const isRefusal = (error: unknown): boolean =>
  error instanceof SlackError && error.slackCode.startsWith('invalid_') && error.slackCode !== 'invalid_auth';
