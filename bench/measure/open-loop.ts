import type { SignedPayload } from '../slack/slack-payloads.ts';
import type { Contender } from './contender.ts';

/** As many payloads a second, and how many. */
export interface Pace {
  readonly aSecond: number;
  readonly count: number;
}

/**
 * Sends payloads at their times, whether or not earlier ones were answered: milliseconds from the moment at which each was
 * due to its answer.
 */
export async function openLoop(
  contender: Contender,
  { aSecond, count }: Pace,
  payload: () => SignedPayload,
): Promise<readonly number[]> {
  const payloads = Array.from({ length: count }, payload);
  const answers: Promise<number>[] = [];
  const began = performance.now();
  for (const [index, next] of payloads.entries()) {
    const due = began + (index * 1000) / aSecond;
    // A timer comes up to a millisecond late, longer than an ack takes.
    while (performance.now() < due) await new Promise((resolve) => setImmediate(resolve));
    answers.push(contender.send(next).then(() => performance.now() - due));
  }
  return Promise.all(answers);
}

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;
