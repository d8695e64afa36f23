import type { Rules } from '../../model/ports.ts';

/** Stops waiting for work that takes longer than a read may. @throws the error that `late` makes of the milliseconds waited */
export async function inTime<T>(
  { clock, rulebook }: Pick<Rules, 'clock' | 'rulebook'>,
  work: (signal: AbortSignal) => Promise<T>,
  late: (waitedMs: number) => Error,
): Promise<T> {
  const { readTimeoutMs } = rulebook();
  const limit = new AbortController();
  const over = Promise.withResolvers<never>();
  const stop = clock.every(readTimeoutMs, () => {
    over.reject(late(readTimeoutMs));
    // The same error as AbortSignal.timeout, so that it counts as a timeout and not as an abort.
    limit.abort(new DOMException('The read took too long.', 'TimeoutError'));
  });
  try {
    return await Promise.race([work(limit.signal), over.promise]);
  } finally {
    stop();
  }
}
