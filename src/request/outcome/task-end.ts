import type { Secrets } from '../../model/ports.ts';
import { readInput } from '../../command/grammar/grammar.ts';
import { redactTexts } from '../../command/redactor.ts';
import { report, type Fact, type Report } from '../../model/report.ts';
import type { Entry } from '../../model/registry.ts';
import type { Request, RequestOutcome } from '../../model/request.ts';
import type { Task } from '../../model/operation.ts';

interface TaskEnd {
  readonly state: 'succeeded' | 'failed';
  readonly outcome: RequestOutcome;
}

/** The outcome of a change by its tasks; undefined while they run. One failed task decides. */
export function endByTasks(
  context: Secrets,
  entry: Entry,
  request: Request,
  tasks: readonly Task[],
  facts: readonly Fact[],
): TaskEnd | undefined {
  const failed = tasks.find(({ state }) => state === 'failed');
  if (failed) {
    const why = failed.error === undefined ? 'The service does not say why.' : failed.error;
    const message = context.redact(`Task ${failed.id} ended in ${failed.stateName}: ${why}`);
    return { state: 'failed', outcome: { error: { code: taskFailed, message } } };
  }
  if (tasks.length === 0 || tasks.some(({ state }) => state === 'open')) return undefined;
  return { state: 'succeeded', outcome: { report: finishedReport(context, entry, request, facts) } };
}

/** Error code: the service started the change, but its task failed. */
export const taskFailed = 'task-failed';

function finishedReport(context: Secrets, entry: Entry, request: Request, facts: readonly Fact[]): Report {
  const title = entry.operation.tasks?.finished(request.target, readInput(entry, request.input));
  const parts = { title: title ?? request.words, tone: 'good', facts };
  return report.parse(redactTexts(parts, (text) => context.redact(text)));
}
