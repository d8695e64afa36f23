import type { ResolvedCommand } from '../command/resolve.ts';
import type { RunnerContext } from '../model/ports.ts';
import { watchDue } from './outcome/watch.ts';
import { BellhopError, neverLeft, ServiceError } from '../model/values/errors.ts';
import { redactReport } from '../command/redactor.ts';
import type { Operation } from '../model/operation.ts';
import { report, type ReportParts } from '../model/values/report.ts';
import type { Request } from '../model/records/request.ts';
import { canObserve, changeTasks, contextOf, searchFor } from './steps/step.ts';
import { refuseUnboundSecrets } from '../policy/reach.ts';
import { type End, firstLookMs } from './steps/end-request.ts';

const ended = (state: End['state'], code: string, message: string): End => ({
  state,
  outcome: { error: { code, message } },
});

/** The claim was lost before anything was sent: another replica took over, or the record could not be written. */
export const endedUnsent: End = ended(
  'failed',
  'not-sent',
  'Bellhop was interrupted before it sent anything.',
);

/**
 * Sends the change once. Never rejects.
 * @param holds whether this process still holds the claim to send
 */
export async function send(
  context: RunnerContext,
  { entry, input, values }: ResolvedCommand,
  request: Request,
  holds: () => boolean,
): Promise<End> {
  const { operation } = entry;
  const began = context.clock.now();
  let sentAt: number | undefined;
  try {
    refuseUnboundSecrets(context, entry, values);
    const output = await runInTime(context, async (signal) => {
      const maySend = (): boolean => {
        sentAt = context.clock.now();
        return !signal.aborted && holds();
      };
      return operation.run(input, contextOf(context, entry, request, signal, maySend));
    });
    const parts = () => operation.report(output, { target: request.target, input });
    const tasks = changeTasks(context, entry)?.started?.(output);
    const watched = canObserve(context, entry) && isOnItsWay(operation.watch, request);
    return {
      state: 'succeeded',
      outcome: {
        report: reportOf(context, request, parts),
        tasks: tasks && { ids: [...tasks] },
        moved: request.partOf !== undefined && showsToMove(operation.watch, output) ? 'answer' : undefined,
      },
      due: (at) => (watched ? [watchDue(request, at + firstLookMs)] : []),
    };
  } catch (error) {
    const end = outcomeOf(context, request, error, sentAt !== undefined);
    if (end.state !== 'unknown') return end;
    const search = searchFor(context, entry, { from: sentAt ?? began, to: context.clock.now() });
    return { ...end, outcome: { ...end.outcome, search } };
  }
}

/** In milliseconds. After its deadline, a run has this long to report that nothing was sent. */
const lastWordMs = 1000;

/**
 * The signal aborts at the deadline. If the run ends later or never, its outcome is unknown, unless it proves in `lastWordMs` that nothing
 * was done. A run that blocked all timers counts as late, too.
 */
async function runInTime<T>(context: RunnerContext, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs } = context.rulebook();
  const began = performance.now();
  const limit = new AbortController();
  const over = Promise.withResolvers<never>();
  const stop = context.clock.every(timeoutMs, () => {
    limit.abort(new DOMException('The change took too long.', 'TimeoutError'));
    void context.clock.wait(lastWordMs).then(() => over.reject(overtime(timeoutMs)));
  });
  const isLate = (): boolean => limit.signal.aborted || performance.now() - began > timeoutMs;
  try {
    const output = await Promise.race([run(limit.signal), over.promise]);
    if (isLate()) throw overtime(timeoutMs);
    return output;
  } catch (error) {
    throw isLate() && !isProof(error) ? overtime(timeoutMs, error) : error;
  } finally {
    stop();
  }
}

/** The service or the operation says that nothing happened. */
const isProof = (error: unknown): boolean =>
  error instanceof BellhopError && (error.code === 'rejected' || error.code === 'not-sent');

const overtime = (timeoutMs: number, cause?: unknown): BellhopError =>
  new BellhopError(
    'unknown-outcome',
    `The change did not finish within ${timeoutMs / 1000} s (requests.timeout).`,
    {
      cause,
    },
  );

/** If the answer can't be read, the change is still accepted. */
function showsToMove(watch: Operation['watch'], output: unknown): boolean {
  try {
    const seen = watch?.answered?.(output);
    return seen !== undefined && watch?.progress(seen) === 'on its way';
  } catch {
    return false;
  }
}

/** A target that was already in its end state is not watched, unless the change makes it leave that state and return. */
const isOnItsWay = (watch: Operation['watch'], { before }: Request): boolean =>
  watch !== undefined && (watch.returns || !before || watch.progress(before) !== 'there');

const known = ({ id, operation }: Request, error: unknown) => ({ err: error, operation, requestId: id });

/** Masks secrets. The change is done even if its report can't be shown. */
function reportOf(context: RunnerContext, request: Request, parts: () => ReportParts) {
  try {
    return report.parse(redactReport(parts(), (text) => context.redact(text)));
  } catch (error) {
    context.log.error(known(request, error), 'an answer could not be shown');
    const title = `${request.operation} on ${request.target.name} is done`;
    return report.parse({ title, notes: ["The service's answer could not be shown. See the log."] });
  }
}

/**
 * `failed` requires proof that nothing happened. Every other error means `unknown`.
 * @param mayHaveLeft whether the run has asked if it may send, after which Bellhop's own errors prove nothing
 */
function outcomeOf(context: RunnerContext, request: Request, error: unknown, mayHaveLeft: boolean): End {
  const isForeseen = error instanceof BellhopError;
  if (!isForeseen || (error.code === 'unknown-outcome' && error.cause !== undefined))
    context.log.error(known(request, error), 'operation threw an unexpected error');
  if (!isForeseen) {
    return ended(
      'unknown',
      'unknown-outcome',
      'Bellhop hit an internal error while running this. See the log.',
    );
  }
  const failed = isProof(error) || (neverLeft(error.code) && !mayHaveLeft);
  const state = failed ? 'failed' : 'unknown';
  const { serviceRequestId, summary } = error instanceof ServiceError ? error : {};
  const said = { message: context.redact(error.message), summary: summary && context.redact(summary) };
  return { state, outcome: { error: { code: error.code, ...said }, serviceRequestId } };
}
