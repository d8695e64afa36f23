import { sameActor } from './actor.ts';
import type { Environment } from './environment.ts';
import { DeniedError, judge, whoHolds } from './judge.ts';
import { caseOf, entryFor } from './judge-again.ts';
import { holdsAny } from './policy.ts';
import type { Press } from './press-types.ts';
import type { Request } from './request.ts';

/** @throws DeniedError */
export function onlyRequester(request: Request, pressed: Press, verb: string): void {
  if (sameActor(request.requester, pressed.actor)) return;
  throw new DeniedError(`Only whoever asked may ${verb} this. Nothing was done.`, request.decision.rule, {
    roles: [],
    users: [request.requester.user],
    usergroups: [],
    channels: [],
  });
}

/** One of `approvers`, never the requester, each person once. @throws DeniedError */
export async function onlyApprover(
  environment: Environment,
  request: Request,
  pressed: Press,
  approvers: readonly string[],
): Promise<void> {
  const who = whoHolds(environment, approvers);
  const { rule } = request.decision;
  if (sameActor(request.requester, pressed.actor)) {
    throw new DeniedError('You asked for it: somebody else has to approve. Nothing was done.', rule, who);
  }
  if (request.approvals.some((approval) => sameActor(approval.by, pressed.actor))) {
    throw new DeniedError('You have approved already: it needs another person. Nothing was done.', rule, who);
  }
  const entry = entryFor(environment, request);
  const { roles } = await judge(environment, caseOf(request, entry, pressed.actor));
  if (!holdsAny(approvers, roles))
    throw new DeniedError('You may not approve this. Nothing was done.', rule, who);
}
