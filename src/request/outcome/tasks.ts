import type { RunnerContext, Secrets } from '../../model/ports.ts';
import type { Outcome } from '../../model/records/due.ts';
import { readInput } from '../../command/grammar/check-input.ts';
import { redactReport } from '../../command/redactor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { type Fact, type Report, report } from '../../model/values/report.ts';
import type { Entry } from '../../model/registry.ts';
import { endRequest } from '../steps/end-request.ts';
import { type Request, startOf } from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import { changeTasks } from '../steps/step.ts';
import { readWithinTime } from './sighting.ts';
import type { Operation, Period, RunContext, Task, TaskList } from '../../model/operation.ts';
import { growingPause } from '../../due/work.ts';
import { listed } from '../../text/words.ts';

/** In milliseconds after the start. */
const followMs = 10 * 60_000;

/** Any replica continues after a restart. */
export async function followTasks(context: RunnerContext, request: Request): Promise<Outcome> {
  const entry = context.registry.find(request.operation);
  if (!entry || !changeTasks(context, entry))
    return endAccepted(context, request, "Bellhop no longer tracks the service's task.");
  return context.correlated('follow', request.correlationId, () => look(context, entry, request));
}

async function look(context: RunnerContext, entry: Entry, request: Request): Promise<Outcome> {
  const { ids = [] } = request.outcome?.tasks ?? {};
  const seen = await Promise.all(
    ids.map((id) =>
      askTasks(context, entry, request, (tasks, reach, input) => tasks.read?.(id, reach, input)),
    ),
  );
  const tasks = seen.filter((task) => task !== undefined);
  const facts = tasks.map(({ id, stateName }) => ({ label: 'Task', value: `${id}, ${stateName}` }));
  const complete = tasks.length === ids.length || tasks.some(({ state }) => state === 'failed');
  const end = complete ? endByTasks(context, entry, request, tasks, facts) : undefined;
  if (end) {
    const user = tasks.find((task) => task.user !== undefined)?.user;
    const finished = end.state === 'succeeded' || undefined;
    await endRequest(context, request, {
      ...end,
      outcome: { ...end.outcome, tasks: { ids, user, finished } },
    });
    return { done: true };
  }
  const elapsedMs = context.clock.now() - startOf(request);
  if (elapsedMs < followMs) return { againIn: nextPause(elapsedMs) };
  const states = tasks.map(({ id, stateName }) => `${id} was still ${stateName}`);
  const saw = states.length === 0 ? 'the task still could not be read' : `task ${states.join(', ')}`;
  return endAccepted(
    context,
    request,
    `After ${followMs / 60_000} minutes, ${saw}. Check ${request.target.name}.`,
  );
}

/** Undefined if the service fails or takes too long. */
export async function askTasks<T>(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  ask: (
    tasks: NonNullable<Operation['tasks']>,
    reach: RunContext,
    input: ReturnType<typeof readInput>,
  ) => Promise<T> | undefined,
): Promise<T | undefined> {
  const { tasks } = entry.operation;
  try {
    const input = readInput(entry, request.input);
    return await readWithinTime(context, entry, request, (reach) => tasks && ask(tasks, reach, input));
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return undefined;
  }
}

/** The service accepted the change, whatever happened to its tasks. */
async function endAccepted(context: RunnerContext, request: Request, note: string): Promise<Outcome> {
  const { report: begun, ...outcome } = request.outcome ?? {};
  const accepted = begun && { ...begun, tone: 'unsure' as const, notes: [...begun.notes, note] };
  await endRequest(context, request, { state: 'succeeded', outcome: { ...outcome, report: accepted } });
  return { done: true };
}

interface TaskEnd {
  readonly state: 'succeeded' | 'failed';
  readonly outcome: RequestOutcome;
}

/** Undefined while the tasks run. One failed task makes the change failed. */
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

/** The service started the change, but its task failed. */
export const taskFailed = 'task-failed';

function finishedReport(context: Secrets, entry: Entry, request: Request, facts: readonly Fact[]): Report {
  const title = entry.operation.tasks?.finished(request.target, readInput(entry, request.input));
  const parts = { title: title ?? request.words, tone: 'good' as const, facts: [...facts] };
  return report.parse(redactReport(parts, (text) => context.redact(text)));
}

/** In milliseconds. The assumed clock difference if the service does not report its time. */
export const assumedSkewMs = 2000;

/**
 * Converts a period to the service's clock, widened by the uncertainty: that clock is known only to the second, at some moment between
 * request and response.
 */
export function byServiceClock(period: Period, asked: Period, serviceTime: number | undefined): Period {
  if (serviceTime === undefined) return { from: period.from - assumedSkewMs, to: period.to + assumedSkewMs };
  return { from: period.from + serviceTime - asked.to, to: period.to + serviceTime + 999 - asked.from };
}

export type TaskEvidence =
  | { readonly kind: 'ours'; readonly task: Task }
  | { readonly kind: 'none' }
  | Unproven;

interface Unproven {
  readonly kind: 'unproven';
  readonly why: string;
  /** A task was found that may belong to the change. */
  readonly mayHaveRun?: true;
}

interface Ours {
  /** Of our request. */
  readonly id: string;
  /** Of our earlier tasks, if there are any. */
  readonly user: string | undefined;
}

/**
 * The task with our request's id, or the only task that our key's user created in the window.
 * @param window by the service's clock
 */
export function findOurTask(list: TaskList, window: Period, { id: requestId, user }: Ours): TaskEvidence {
  const marked = list.tasks.find(({ request }) => request === requestId);
  if (marked) return { kind: 'ours', task: marked };
  if (!list.complete || list.tasks.some(({ created }) => created === undefined))
    return unproven('Not all tasks could be read.');
  if (!list.named)
    return unproven(
      "This service's tasks don't say which target they belong to, so they can't be used as evidence.",
    );
  const then = list.tasks.filter(
    ({ created, request }) => created && request === undefined && overlap(created, window),
  );
  if (then.length === 0) return { kind: 'none' };
  const ids = listed(then.map(({ id }) => id));
  const seen = then.length === 1 ? `Task ${ids} was` : `Tasks ${ids} were`;
  if (user === undefined)
    return maybeOurs(
      `${seen} created when this was sent, so the change may well have run. But Bellhop can't recognize its own tasks yet.`,
    );
  if (then.some((one) => one.user === undefined))
    return maybeOurs(`${seen} created when this was sent, but the service doesn't say with whose key.`);
  const [task, ...more] = then.filter((one) => one.user === user);
  if (!task) return unproven(`${seen} created when this was sent, but not with Bellhop's key.`);
  if (more.length > 0)
    return maybeOurs(`${seen} created when this was sent, and Bellhop can't tell which of them is its own.`);
  return { kind: 'ours', task };
}

export const unproven = (why: string): Unproven => ({ kind: 'unproven', why });

export const maybeOurs = (why: string): Unproven => ({ ...unproven(why), mayHaveRun: true });

const overlap = (one: Period, other: Period): boolean => one.from <= other.to && other.from <= one.to;

/** In milliseconds. */
export const nextPause = (elapsedMs: number, longestMs = 60_000): number =>
  growingPause(elapsedMs, 2000, longestMs);
