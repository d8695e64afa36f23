import { stepEntry } from '../../audit/entries.ts';
import type { RunnerContext } from '../../model/ports.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Request } from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import { noticesAfter } from './notices.ts';
import { maxTries } from './step.ts';
import type { DueDraft } from '../../model/records/due.ts';
import type { SetBackSign, Step } from '../../model/records/requests.ts';

/** In milliseconds, while the store is unavailable. Then `longestPause` repeats. */
const triedAgainAfter = [500, 1000, 2000, 5000, 10_000] as const;
const longestPause = 20_000;

/** In milliseconds after a change was accepted. */
export const firstLookMs = 2000;

/** The known outcome counts, even if the store disagrees. */
export async function endRequest(
  context: RunnerContext,
  request: Request,
  end: End,
): Promise<Request | undefined> {
  const ended = await persistently(
    context,
    { requestId: request.id, outcome: end.state },
    async () =>
      (await context.store.advance(stepToEnd(context, request, end))) ??
      (await correct(context, request, end)),
  );
  if (ended) context.messages.changed(ended);
  return ended;
}

interface Known {
  readonly requestId: string;
  readonly outcome: End['state'] | 'accepted';
}

/**
 * Retries temporary store failures for as long as this process lives, because otherwise a known outcome would become unknown. Logs the
 * outcome from the first failure on.
 * @throws permanent errors
 */
export async function persistently<T>(
  { log, clock }: RunnerContext,
  known: Known,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await work();
      if (tries > 0) log.info({ ...known, tries }, 'outcome recorded after retries');
      return answer;
    } catch (error) {
      if (!mayPass(error)) {
        log.error({ ...known, err: error }, 'an outcome cannot be recorded');
        throw error;
      }
      // The error's own message says that nothing was run, which is true only of a command. So its cause is logged.
      const details = { ...known, err: error instanceof Error ? (error.cause ?? error) : error };
      if (tries > 0) log.warn(details, 'an outcome could not be recorded yet');
      else log.error(details, 'an outcome could not be recorded yet; retrying until this process ends');
      await clock.wait(triedAgainAfter[tries] ?? longestPause);
    }
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof BellhopError && error.code === 'store-unavailable' && error.retryable;

/**
 * The row no longer shows the request as running: recovery may have declared this process dead, or the store may have been restored to a
 * time before the start. After a restore, other open requests may have run, too.
 */
async function correct(context: RunnerContext, request: Request, end: End): Promise<Request | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const current = await context.store.find(request.id);
    const behind = current === undefined || isBehind(current, request);
    if (behind && tries === 0) {
      const { id: requestId, version } = request;
      const found = current && { state: current.state, version: current.version };
      context.log.error({ requestId, version, found }, 'a sent change is not recorded as started');
      await endIfSetBack(context, 'start missing');
      continue;
    }
    if (current === undefined) return insertEnded(context, request, end);
    if (!behind && !isOutdated(current, end)) {
      // An earlier attempt may have been committed although it failed.
      return current.runner === request.runner && current.state === end.state ? current : undefined;
    }
    const ended = await context.store.advance(stepToEnd(context, current, end));
    if (ended) return ended;
  }
  return undefined;
}

const maxLogged = 100;

/**
 * After a restore, any open request may have run since the backup.
 * @param known sign that the caller noticed; without it, the store is asked
 */
export async function endIfSetBack(
  { store, clock, log }: Pick<RunnerContext, 'store' | 'clock' | 'log'>,
  known?: SetBackSign,
): Promise<void> {
  const found = await store.endIfSetBack(clock.now(), known && { sign: known });
  if (!found) return;
  const { setBack, ended } = found;
  const requestIds = ended.slice(0, maxLogged).map(({ id }) => id);
  const { sign, checkpoint } = setBack;
  log.error({ sign, checkpoint: checkpoint?.number, ended: ended.length, requestIds }, 'store rolled back');
}

const isBehind = ({ state, version }: Request, started: Request): boolean =>
  version < started.version ||
  ['proposed', 'awaiting approval', 'cancelled', 'expired', 'refused'].includes(state);

function isOutdated({ state, outcome }: Request, end: End): boolean {
  if (state === 'running') return true;
  if (end.state === 'unknown' || state === end.state) return false;
  return state === 'unknown' || outcome?.settledByHand !== undefined;
}

/** The row and its start are gone. */
async function insertEnded(context: RunnerContext, request: Request, end: End): Promise<Request> {
  const step = stepToEnd(context, request, end);
  const { at, to: state, audit } = step;
  const { outcome } = end;
  const ended = { ...request, state, endedAt: at, outcome, version: request.version + 1 };
  await context.store.propose({ request: ended, at, audit, notices: noticesAfter(ended, step) });
  return ended;
}

function stepToEnd(context: RunnerContext, seen: Request, end: End): Step {
  const { state, outcome } = end;
  const endedAt = context.clock.now();
  const { serviceRequestId } = outcome;
  const details = { error: outcome.error?.code, serviceRequestId };
  const audit = [stepEntry(context, 'ended', seen, state, details)];
  // A known outcome counts from any state, even after the store was restored.
  return {
    before: seen,
    to: state,
    at: endedAt,
    changes: { endedAt, outcome },
    audit,
    due: end.due?.(endedAt),
  };
}

export interface End {
  readonly state: 'succeeded' | 'failed' | 'unknown';
  readonly outcome: RequestOutcome;
  /** @param at when the request ended, in epoch milliseconds */
  readonly due?: ((at: number) => readonly DueDraft[]) | undefined;
}
