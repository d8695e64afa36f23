import { removeTemporaryFolders } from '../../temporary-folder.ts';
import { runBadPayloads, type BadPayloadsOptions, type BadPayloadsResult } from './run-bad-payloads.ts';
import { wrongIn } from './wrong-in.ts';

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const tally = (statuses: Readonly<Record<string, number>>): string =>
  Object.entries(statuses)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ');

/** In one sentence each. */
const linesOf = (
  { count, seed }: BadPayloadsOptions,
  { signed, unsigned, worstMs, before, after }: BadPayloadsResult,
): readonly string[] => [
  `Bad payloads, seed ${seed}: ${count} malformed but signed: ${tally(signed)}; ${count} not signed by Slack: ${tally(unsigned)}; slowest answer ${worstMs} ms.`,
  `Heap ${megabytes(before.heapUsed)} before and ${megabytes(after.heapUsed)} after, resident ${megabytes(before.rss)} and ${megabytes(after.rss)}.`,
];

/** In milliseconds. The bot looks things up to answer forms and typing, and Slack waits no longer than this. */
const maxAckMs = 3000;

/** Sends the payloads and prints the result. Resolves to all problems, in words. */
export async function tryBadPayloads(
  options: BadPayloadsOptions,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const result = await runBadPayloads(options).finally(removeTemporaryFolders);
  for (const line of linesOf(options, result)) say(line);
  const late = result.worstMs > maxAckMs ? [`an answer took ${result.worstMs} ms`] : [];
  const wrong = [...wrongIn(result), ...late].map((what) => `bad payloads: ${what}`);
  for (const what of wrong) say(`WRONG: ${what}`);
  return wrong;
}
