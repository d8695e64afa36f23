import type { RunnerContext } from '../../model/context.ts';
import { readInput } from '../../command/grammar/grammar.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Entry } from '../../model/registry.ts';
import { endRequest } from '../steps/end-request.ts';
import type { Request } from '../../model/request.ts';
import { contextOf } from '../steps/run-context.ts';
import { changeTasks } from './looking.ts';
import { patiently } from './sighting.ts';
import { stepFrom } from '../steps/step.ts';
import { nextPause } from './evidence.ts';
import type { Task } from '../../model/operation.ts';
import { endByTasks } from './task-end.ts';

/** A change that was accepted is followed for so long after it started, in milliseconds. */
const followMs = 10 * 60_000;

/**
 * Looks once at the tasks that a running change was answered with, and ends it where they have ended. The look is claimed
 * by moving the next one on, so that one replica takes it; after a restart any goes on.
 */
export async function followTasks(context: RunnerContext, due: Request): Promise<void> {
  const entry = context.registry.find(due.operation);
  if (!entry || !changeTasks(context, entry))
    return endAccepted(context, due, 'Its task is no longer followed.');
  const now = context.clock.now();
  const leaseMs = nextPause(now - (due.startedAt ?? due.createdAt));
  const claimed = await context.store.advance({ ...stepFrom(context, due, 'running', {}, []), leaseMs });
  if (!claimed) return;
  const looking = context.correlated('follow', claimed.correlationId, () => look(context, entry, claimed));
  context.backgroundTasks.add(looking, claimed.id);
}

async function look(context: RunnerContext, entry: Entry, request: Request): Promise<void> {
  const { ids = [] } = request.outcome?.tasks ?? {};
  const seen = await Promise.all(ids.map((id) => readTask(context, entry, request, id)));
  const tasks = seen.filter((task) => task !== undefined);
  const facts = tasks.map(({ id, stateName }) => ({ label: 'Task', value: `${id}, ${stateName}` }));
  const complete = tasks.length === ids.length || tasks.some(({ state }) => state === 'failed');
  const end = complete ? endByTasks(context, entry, request, tasks, facts) : undefined;
  if (end) {
    const user = tasks.find((task) => task.user !== undefined)?.user;
    await endRequest(context, request, { ...end, outcome: { ...end.outcome, tasks: { ids, user } } });
    return;
  }
  const startedAt = request.startedAt ?? request.createdAt;
  if (context.clock.now() - startedAt < followMs) return;
  const states = tasks.map(({ id, stateName }) => `${id} was still ${stateName}`);
  const saw = states.length === 0 ? 'its task could not be read' : `task ${states.join(', ')}`;
  await endAccepted(context, request, `After ${followMs / 60_000} minutes ${saw}: look at it yourself.`);
}

async function readTask(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  id: string,
): Promise<Task | undefined> {
  try {
    const input = readInput(entry, request.input);
    return await patiently(context, contextOf(context, request), (looking) =>
      entry.operation.tasks?.read(id, looking, input),
    );
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return undefined;
  }
}

/** The service took the change: that is known, whatever became of its tasks. */
async function endAccepted(context: RunnerContext, request: Request, note: string): Promise<void> {
  const { report, ...outcome } = request.outcome ?? {};
  const accepted = report && { ...report, tone: 'unsure' as const, notes: [...report.notes, note] };
  await endRequest(context, request, { state: 'succeeded', outcome: { ...outcome, report: accepted } });
}
