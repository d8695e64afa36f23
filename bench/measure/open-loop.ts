import type { SignedPayload } from '../slack/slack-payloads.ts';
import type { Contender } from './contender.ts';

/** The rate of payloads per second, and their number. */
export interface Pace {
  readonly aSecond: number;
  readonly count: number;
}

/**
 * Sends payloads at fixed times, whether or not earlier ones were answered. Resolves to the milliseconds from when each was due
 * to its answer.
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
    // A timer can be a millisecond late, which is longer than an ack takes.
    while (performance.now() < due) await new Promise((resolve) => setImmediate(resolve));
    answers.push(contender.send(next).then(() => performance.now() - due));
  }
  return Promise.all(answers);
}

export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;
