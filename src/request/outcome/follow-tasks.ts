import type { RunnerContext } from '../../model/ports.ts';
import type { Outcome } from '../../model/records/due.ts';
import { readInput } from '../../command/grammar/grammar.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Entry } from '../../model/registry.ts';
import { endRequest } from '../steps/end-request.ts';
import type { Request } from '../../model/records/request.ts';
import { changeTasks } from '../steps/step.ts';
import { patiently } from './sighting.ts';
import { endByTasks, nextPause } from './task-end.ts';
import type { Task } from '../../model/operation.ts';

/** How long an accepted change is followed, in milliseconds after its start. */
const followMs = 10 * 60_000;

/** Polls the tasks of a running change until they end. After a restart any replica continues. */
export async function followTasks(context: RunnerContext, request: Request): Promise<Outcome> {
  const entry = context.registry.find(request.operation);
  if (!entry || !changeTasks(context, entry))
    return endAccepted(context, request, 'Bellhop no longer tracks its task.');
  return context.correlated('follow', request.correlationId, () => look(context, entry, request));
}

async function look(context: RunnerContext, entry: Entry, request: Request): Promise<Outcome> {
  const { ids = [] } = request.outcome?.tasks ?? {};
  const seen = await Promise.all(ids.map((id) => readTask(context, entry, request, id)));
  const tasks = seen.filter((task) => task !== undefined);
  const facts = tasks.map(({ id, stateName }) => ({ label: 'Task', value: `${id}, ${stateName}` }));
  const complete = tasks.length === ids.length || tasks.some(({ state }) => state === 'failed');
  const end = complete ? endByTasks(context, entry, request, tasks, facts) : undefined;
  if (end) {
    const user = tasks.find((task) => task.user !== undefined)?.user;
    await endRequest(context, request, { ...end, outcome: { ...end.outcome, tasks: { ids, user } } });
    return { done: true };
  }
  const elapsedMs = context.clock.now() - (request.startedAt ?? request.createdAt);
  if (elapsedMs < followMs) return { againIn: nextPause(elapsedMs) };
  const states = tasks.map(({ id, stateName }) => `${id} was still ${stateName}`);
  const saw = states.length === 0 ? 'its task could not be read' : `task ${states.join(', ')}`;
  return endAccepted(
    context,
    request,
    `After ${followMs / 60_000} minutes ${saw}. Check ${request.target.name}.`,
  );
}

async function readTask(
  context: RunnerContext,
  entry: Entry,
  request: Request,
  id: string,
): Promise<Task | undefined> {
  try {
    const input = readInput(entry, request.input);
    return await patiently(context, entry, request, (looking) =>
      entry.operation.tasks?.read(id, looking, input),
    );
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return undefined;
  }
}

/** The service accepted the change, whatever happened to its tasks. */
async function endAccepted(context: RunnerContext, request: Request, note: string): Promise<Outcome> {
  const { report, ...outcome } = request.outcome ?? {};
  const accepted = report && { ...report, tone: 'unsure' as const, notes: [...report.notes, note] };
  await endRequest(context, request, { state: 'succeeded', outcome: { ...outcome, report: accepted } });
  return { done: true };
}
