import type { Rules, RunnerContext } from '../../model/context.ts';
import type { Request, RequestOutcome } from '../../model/request.ts';
import type { Operation, Period, RunContext } from '../../model/operation.ts';
import type { Entry } from '../../model/registry.ts';

/** What an operation is given when it runs for a request: the target and the facts that were confirmed, not those of now. */
export const contextOf = (
  context: RunnerContext,
  { target, preview, correlationId }: Request,
): RunContext => ({
  target,
  service: context.service,
  resolveSecret: context.resolveSecret,
  now: context.clock.now(),
  correlationId,
  confirmed: preview,
});

/** Whether the service tells what the target looks like. */
export const canObserve = (context: Pick<Rules, 'rulebook'>, { operation }: Entry): boolean =>
  operation.observe !== undefined && context.rulebook().extensions.includes('instance-read');

/** How the change is known by the service's tasks, where the service has them. */
export const changeTasks = (
  context: Pick<Rules, 'rulebook'>,
  { operation: { tasks } }: Entry,
): Operation['tasks'] =>
  tasks && context.rulebook().extensions.includes(tasks.extension) ? tasks : undefined;

/** How a change that may have left in a period is looked into; undefined where nothing can be seen of it. */
export const searchFor = (
  context: Pick<Rules, 'rulebook'>,
  entry: Entry,
  sent: Period,
): RequestOutcome['search'] => (canLook(context, entry) ? { sent } : undefined);

/** Whether anything can be seen of a change whose answer was lost: its target, or its task. */
export const canLook = (context: Pick<Rules, 'rulebook'>, entry: Entry): boolean =>
  canObserve(context, entry) || changeTasks(context, entry)?.search !== undefined;
