import { stepEntry } from '../audit/entries.ts';
import type { StepContext } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import type { Request } from './request.ts';
import type { End } from './send-request.ts';
import { stepFrom } from './step.ts';

/** While the store is away: milliseconds before each new try. The last one goes on. */
const triedAgainAfter = [500, 1000, 2000, 5000, 10_000] as const;
const longestPause = 20_000;

/** When the target of what was accepted is looked at first, in milliseconds. */
const firstLookMs = 2000;

/** Whoever recovered it may keep a few sightings at the same time. */
const mostTries = 10;

/** The end of a running request, also where recovery took it for crashed meanwhile: what is known now counts. */
export async function endRequest(
  context: StepContext,
  request: Request,
  end: End,
): Promise<Request | undefined> {
  const ended = await persistently(
    context,
    { requestId: request.id, outcome: end.state },
    async () =>
      (await advanceToEnd(context, request, end)) ?? (await endAfterRecovery(context, request, end)),
  );
  if (ended) context.messages.changed(ended);
  return ended;
}

/** What is known, for the log. */
interface Known {
  readonly requestId: string;
  readonly outcome: End['state'] | 'accepted';
}

/**
 * Tries again while the store fails in a way that may pass, for as long as this process lives: what is known now would
 * else become unknown. What is known is in the log from the first failure on.
 * @throws whatever does not pass
 */
export async function persistently<T>(
  { log, clock }: StepContext,
  known: Known,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await work();
      if (tries > 0) log.info({ ...known, tries }, 'an outcome is recorded now');
      return answer;
    } catch (error) {
      if (!mayPass(error)) {
        log.error({ ...known, err: error }, 'an outcome cannot be recorded');
        throw error;
      }
      const details = { ...known, err: error };
      if (tries > 0) log.warn(details, 'an outcome could not be recorded yet');
      else
        log.error(details, 'an outcome could not be recorded yet; it is tried again until this process ends');
      await clock.wait(triedAgainAfter[tries] ?? longestPause);
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof BellhopError && error.code === 'store-unavailable' && error.retryable;

async function endAfterRecovery(
  context: StepContext,
  request: Request,
  end: End,
): Promise<Request | undefined> {
  if (end.state === 'unknown') return undefined;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const current = await context.store.find(request.id);
    if (current?.state !== 'unknown' && current?.state !== 'running') return undefined;
    const ended = await advanceToEnd(context, current, end);
    if (ended) return ended;
  }
  return undefined;
}

function advanceToEnd(context: StepContext, request: Request, end: End): Promise<Request | undefined> {
  const { state, outcome, watched = false } = end;
  const endedAt = context.clock.now();
  const note = outcome.error?.code;
  const { serviceRequestId } = outcome;
  const audit = [stepEntry(context, 'ended', request, state, { note, serviceRequestId })];
  const step = stepFrom(context, request, state, { endedAt, outcome }, audit);
  const watch = watched ? { requestId: request.id, at: endedAt + firstLookMs } : undefined;
  return context.store.advance({ ...step, watch });
}
