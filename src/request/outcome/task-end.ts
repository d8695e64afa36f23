import type { Secrets } from '../../model/ports.ts';
import { readInput } from '../../command/grammar/grammar.ts';
import { redactReport } from '../../command/redactor.ts';
import { type Fact, type Report, report } from '../../model/values/report.ts';
import type { Entry } from '../../model/registry.ts';
import type { Request, RequestOutcome } from '../../model/records/request.ts';
import type { Period, Task, TaskList } from '../../model/operation.ts';
import { growingPause } from '../../due/work.ts';

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
  const parts = { title: title ?? request.words, tone: 'good' as const, facts: [...facts] };
  return report.parse(redactReport(parts, (text) => context.redact(text)));
}

/** Assumed clock difference if the service does not report its time, in milliseconds. */
export const assumedSkewMs = 2000;

/**
 * Converts a period to the service's clock, widened by the uncertainty: its time is known to the second, at some moment
 * between request and response.
 */
export function byServiceClock(period: Period, asked: Period, serviceTime: number | undefined): Period {
  if (serviceTime === undefined) return { from: period.from - assumedSkewMs, to: period.to + assumedSkewMs };
  return { from: period.from + serviceTime - asked.to, to: period.to + serviceTime + 999 - asked.from };
}

/** The evidence of a list of tasks for a change that was sent in a window. */
export type TaskEvidence =
  | { readonly kind: 'ours'; readonly task: Task }
  | { readonly kind: 'none' }
  | { readonly kind: 'unproven'; readonly why: string };

/**
 * Finds the task of our change: the only one created in the window by our key's user.
 * @param window in the service's clock
 * @param user of our earlier tasks; undefined if there were none
 */
export function findOurTask(list: TaskList, window: Period, user: string | undefined): TaskEvidence {
  if (!list.complete || list.tasks.some(({ created }) => created === undefined))
    return unproven('Not all tasks could be read.');
  if (!list.named)
    return unproven(
      "This service's tasks don't say which target they belong to, so they can't be used as evidence.",
    );
  const then = list.tasks.filter(({ created }) => created && overlap(created, window));
  if (then.length === 0) return { kind: 'none' };
  const seen = then.map(({ id }) => id).join(', ');
  if (user === undefined)
    return unproven(
      `Task ${seen} was created at that time, but Bellhop can't yet tell whether it is its own.`,
    );
  if (then.some((one) => one.user === undefined))
    return unproven(`Task ${seen} was created at that time, but the service doesn't say with whose key.`);
  const [task, ...more] = then.filter((one) => one.user === user);
  if (!task) return unproven(`Task ${seen} was created at that time, but not with Bellhop's key.`);
  if (more.length > 0)
    return unproven(`Tasks ${seen} were created at that time; Bellhop can't tell which is its own.`);
  return { kind: 'ours', task };
}

const unproven = (why: string): TaskEvidence => ({ kind: 'unproven', why });

const overlap = (one: Period, other: Period): boolean => one.from <= other.to && other.from <= one.to;

/** Pauses grow with elapsed time. In milliseconds. */
export const nextPause = (elapsedMs: number, longestMs = 60_000): number =>
  growingPause(elapsedMs, 2000, longestMs);
