import type { Rules, RunnerContext } from '../../model/ports.ts';
import type { Request, RequestOutcome } from '../../model/request.ts';
import type { Operation, Period, RunContext } from '../../model/operation.ts';
import type { Entry } from '../../model/registry.ts';

/** What an operation gets when it runs for a request: the target and the facts that were confirmed, not the current ones. */
export const contextOf = (
  context: RunnerContext,
  { target, preview, correlationId }: Request,
): RunContext => ({
  target,
  service: context.service,
  resolveSecret: context.resolveSecret,
  now: context.clock.now(),
  correlationId,
  confirmed: preview.filter(({ isEffect }) => isEffect !== true),
});

/** Whether the service can report the target's state. */
export const canObserve = (context: Pick<Rules, 'rulebook'>, { operation }: Entry): boolean =>
  operation.observe !== undefined && context.rulebook().extensions.includes('instance-read');

/** How to find the change among the service's tasks, if the service has tasks. */
export const changeTasks = (
  context: Pick<Rules, 'rulebook'>,
  { operation: { tasks } }: Entry,
): Operation['tasks'] =>
  tasks && context.rulebook().extensions.includes(tasks.extension) ? tasks : undefined;

/** How to search for a change that may have been sent in a period; undefined if there is nothing to search. */
export const searchFor = (
  context: Pick<Rules, 'rulebook'>,
  entry: Entry,
  sent: Period,
): RequestOutcome['search'] => (canLook(context, entry) ? { sent } : undefined);

/** Whether the service can be asked about a change whose answer was lost: its target, or its task. */
export const canLook = (context: Pick<Rules, 'rulebook'>, entry: Entry): boolean =>
  canObserve(context, entry) || changeTasks(context, entry)?.search !== undefined;
