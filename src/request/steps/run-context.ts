import type { RunnerContext } from '../../model/context.ts';
import type { Request } from '../../model/request.ts';
import type { RunContext } from '../../model/operation.ts';

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
