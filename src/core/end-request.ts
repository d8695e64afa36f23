import { stepEntry } from './audit-drafts.ts';
import type { Environment } from './environment.ts';
import { stepFrom } from './step.ts';
import type { Request, RequestOutcome, State } from './request.ts';

/** The end of a running request, also where recovery took it for crashed meanwhile: what is known now counts. */
export async function endRequest(
  environment: Environment,
  request: Request,
  state: State,
  outcome: RequestOutcome,
): Promise<Request | undefined> {
  const ended =
    (await advanceToEnd(environment, request, state, outcome)) ??
    (await endAfterRecovery(environment, request, state, outcome));
  if (ended) environment.messages.changed(ended);
  return ended;
}

async function endAfterRecovery(
  environment: Environment,
  request: Request,
  state: State,
  outcome: RequestOutcome,
): Promise<Request | undefined> {
  const current = await environment.store.find(request.id);
  if (!current || (state !== 'succeeded' && state !== 'failed')) return undefined;
  if (current.state !== 'unknown' && current.state !== 'running') return undefined;
  return advanceToEnd(environment, current, state, outcome);
}

function advanceToEnd(
  environment: Environment,
  request: Request,
  state: State,
  outcome: RequestOutcome,
): Promise<Request | undefined> {
  const changes = { endedAt: environment.clock.now(), outcome };
  return environment.store.advance(
    stepFrom(environment, request, state, changes, [
      stepEntry(environment, outcome.settledByReading === true ? 'settled' : 'ended', request, state, {
        ...(outcome.error === undefined ? {} : { note: outcome.error.code }),
        ...(outcome.serviceRequestId === undefined ? {} : { serviceRequestId: outcome.serviceRequestId }),
      }),
    ]),
  );
}
