import type { Message } from './blocks.ts';
import { SlackError } from './slack-error.ts';

/** Workspaces that refused Slack's newer blocks since this process started, by team id. */
const plainOnly = new Set<string>();

/** Enough for every organisation that shares a channel with ours. */
const mostRemembered = 1_000;

/** False where the workspace is known to refuse charts and native tables. */
export const takesModernBlocks = (team: string): boolean => !plainOnly.has(team);

/**
 * Sends what `render` gives. Where the workspace refuses its newer blocks with `invalid_blocks`, sends it once more in
 * plain ones and remembers that for the workspace.
 * @throws SlackError of the last try
 */
export async function withPlainBlocks<T>(
  team: string,
  render: (modern: boolean) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const message = render(takesModernBlocks(team));
  try {
    return await send(message);
  } catch (error) {
    if (!isRefusal(error) || !message.blocks.some(({ type }) => modernTypes.has(type))) throw error;
  }
  const sent = await send(render(false));
  // Only now is it known that the blocks were to blame.
  if (plainOnly.size < mostRemembered) plainOnly.add(team);
  return sent;
}

const modernTypes = new Set(['data_table', 'data_visualization']);

const isRefusal = (error: unknown): boolean =>
  error instanceof SlackError &&
  (error.slackCode === 'invalid_blocks' || error.slackCode === 'invalid_blocks_format');
