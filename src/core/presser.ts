import { sameActor } from './actor.ts';
import type { Environment } from './environment.ts';
import { DeniedError, rolesNow, whoHolds } from './judge.ts';
import { holdsAny } from './policy.ts';
import type { Press } from './press-types.ts';
import type { Request } from './request.ts';

/** @throws DeniedError */
export function onlyRequester(request: Request, pressed: Press, verb: string): void {
  if (sameActor(request.requester, pressed.actor)) return;
  throw new DeniedError(`Only whoever asked may ${verb} this. Nothing was done.`, request.decision.rule, {
    roles: [],
    users: [`${request.requester.team}/${request.requester.user}`],
    usergroups: [],
    channels: [],
  });
}

/** One of `approvers`, never the requester. @throws DeniedError */
export async function onlyApprover(
  environment: Environment,
  request: Request,
  pressed: Press,
  approvers: readonly string[],
): Promise<void> {
  if (sameActor(request.requester, pressed.actor)) {
    const text =
      pressed.action === 'deny'
        ? 'You asked for it: press Cancel instead. Nothing was done.'
        : 'You asked for it: somebody else has to approve. Nothing was done.';
    throw notByYou(environment, request, approvers, text);
  }
  if (!holdsAny(approvers, await rolesNow(environment, pressed.actor))) {
    throw notByYou(environment, request, approvers, `You may not ${pressed.action} this. Nothing was done.`);
  }
}

/** Each person approves once. @throws DeniedError */
export function onlyOnce(
  environment: Environment,
  request: Request,
  pressed: Press,
  approvers: readonly string[],
): void {
  if (!request.approvals.some((approval) => sameActor(approval.by, pressed.actor))) return;
  const text = 'You have approved already: it needs another person. Nothing was done.';
  throw notByYou(environment, request, approvers, text);
}

/** The approvals so far that still count: those of people who may still approve. */
export async function standingApprovals(
  environment: Environment,
  request: Request,
  approvers: readonly string[],
): Promise<Request['approvals']> {
  const standing = await Promise.all(
    request.approvals.map(async ({ by }) => holdsAny(approvers, await rolesNow(environment, by))),
  );
  return request.approvals.filter((_, index) => standing[index]);
}

const notByYou = (
  environment: Environment,
  request: Request,
  approvers: readonly string[],
  text: string,
): DeniedError => new DeniedError(text, request.decision.rule, whoHolds(environment, approvers));
