import type { Entry } from './catalogue.ts';
import { endRequest } from './end-request.ts';
import type { Environment } from './environment.ts';
import type { RunContext } from './operation.ts';
import { report } from './report.ts';
import type { Request } from './request.ts';

/** When the target is read after an unknown outcome, in milliseconds after the one before. */
const lookAfter = [0, 2000, 5000, 10_000];

/**
 * Reads the target until the outcome can be told, where the service offers that; else it stays unknown. Never
 * repeats the change.
 */
export async function settleByReading(
  environment: Environment,
  entry: Entry,
  request: Request,
  context: RunContext,
): Promise<void> {
  const { operation } = entry;
  if (!operation.settle || !request.before || !environment.rulebook().extensions.includes('instance-read'))
    return;
  for (const pause of lookAfter) {
    await environment.clock.wait(pause);
    const settlement = await operation.settle(request.before, context);
    if (settlement) {
      const outcome = { report: report.parse(settlement.report), settledByReading: true };
      await endRequest(environment, request, settlement.state, outcome);
      return;
    }
  }
}
