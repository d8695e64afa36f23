import type { ResolvedCommand } from '../command/resolve.ts';
import type { RunnerContext } from '../model/ports.ts';
import { BellhopError, neverLeft, ServiceError } from '../model/errors.ts';
import { redactTexts } from '../command/redactor.ts';
import type { Operation, RunContext } from '../model/operation.ts';
import { report, type ReportParts } from '../model/report.ts';
import type { Request } from '../model/request.ts';
import { canObserve, changeTasks, searchFor } from './steps/step.ts';
import { refuseUnboundSecrets } from '../policy/input-faults.ts';
import type { End } from './steps/end-request.ts';

const ended = (state: End['state'], code: string, message: string): End => ({
  state,
  outcome: { error: { code, message } },
});

/** The claim was lost before anything was sent: another replica took it, or the record could not be written. */
export const notSent: End = ended(
  'failed',
  'not-sent',
  'Bellhop was interrupted before it could send this: not sent.',
);

/** Sends the change once. Resolves to the outcome. Never throws. */
export async function send(
  context: RunnerContext,
  { entry, input, values }: ResolvedCommand,
  request: Request,
  runContext: RunContext,
): Promise<End> {
  const { operation } = entry;
  let sentAt: number | undefined;
  const maySend = (): boolean => {
    sentAt = context.clock.now();
    return runContext.maySend?.() ?? true;
  };
  try {
    refuseUnboundSecrets(context, entry, values);
    const output = await operation.run(input, { ...runContext, maySend });
    const parts = () => operation.report(output, { target: request.target, input });
    const tasks = changeTasks(context, entry)?.started(output);
    return {
      state: 'succeeded',
      outcome: { report: reportOf(context, request, parts), tasks: tasks && { ids: [...tasks] } },
      watched: canObserve(context, entry) && isOnItsWay(operation.watch, request),
    };
  } catch (error) {
    const end = outcomeOf(context, request, error);
    if (end.state !== 'unknown' || sentAt === undefined) return end;
    const search = searchFor(context, entry, { from: sentAt, to: context.clock.now() });
    return { ...end, outcome: { ...end.outcome, search } };
  }
}

/** A target that was already in its end state is not watched, unless it leaves that state and returns. */
const isOnItsWay = (watch: Operation['watch'], { before }: Request): boolean =>
  watch !== undefined && (watch.returns || !before || watch.progress(before) !== 'there');

/** The change is done even if its answer cannot be shown. Secrets in the answer are masked. */
function reportOf(context: RunnerContext, request: Request, parts: () => ReportParts) {
  try {
    return report.parse(redactTexts(parts(), (text) => context.redact(text)));
  } catch (error) {
    context.log.error({ err: error, requestId: request.id }, 'an answer could not be shown');
    const title = `${request.operation} on ${request.target.name} is done`;
    return report.parse({ title, notes: ["The service's answer could not be shown. See the log."] });
  }
}

/** `failed` requires proof that nothing happened. Everything else is `unknown`. */
function outcomeOf(context: RunnerContext, request: Request, error: unknown): End {
  if (!(error instanceof BellhopError)) {
    context.log.error({ err: error, requestId: request.id }, 'operation threw an unexpected error');
    return ended(
      'unknown',
      'unknown-outcome',
      'Bellhop hit an internal error while running this. See the log.',
    );
  }
  const state = neverLeft(error.code) || error.code === 'rejected' ? 'failed' : 'unknown';
  const { serviceRequestId, summary } = error instanceof ServiceError ? error : {};
  const said = { message: context.redact(error.message), summary: summary && context.redact(summary) };
  return { state, outcome: { error: { code: error.code, ...said }, serviceRequestId } };
}
