import { sameActor, samePerson } from '../model/actor.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { DeniedError, requireRole, rolesNow, whoHolds } from '../policy/authorize.ts';
import type { Press } from './click-types.ts';
import type { Request } from './request.ts';
import { membershipIn } from '../policy/roles.ts';

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
  const own = notByYou(
    environment,
    request,
    approvers,
    pressed.action === 'deny'
      ? 'You asked for it: press Cancel instead. Nothing was done.'
      : 'You asked for it: somebody else has to approve. Nothing was done.',
  );
  if (sameActor(request.requester, pressed.actor)) throw own;
  const text = `You may not ${pressed.action} this. Nothing was done.`;
  await requireRole(environment, pressed.actor, approvers, notByYou(environment, request, approvers, text));
  if (samePerson(request.requester, pressed.actor)) throw own;
}

/** Each person approves once. @throws DeniedError */
export function onlyOnce(
  environment: Environment,
  request: Request,
  pressed: Press,
  approvers: readonly string[],
): void {
  if (!request.approvals.some((approval) => samePerson(approval.by, pressed.actor))) return;
  const text = 'You have approved already: it needs another person. Nothing was done.';
  throw notByYou(environment, request, approvers, text);
}

/**
 * The approvals so far that still count: those of people who may still approve.
 * @throws BellhopError `busy` where that cannot be told now: an approval is neither counted nor dropped on a guess
 */
export async function standingApprovals(
  environment: Environment,
  request: Request,
  approvers: readonly string[],
): Promise<Request['approvals']> {
  const standing = await Promise.all(
    request.approvals.map(async ({ by }) =>
      membershipIn(approvers, (await rolesNow(environment, by)).granting),
    ),
  );
  if (standing.includes('unknown')) {
    const text =
      'Bellhop cannot tell now whether those who approved so far still may. Press again in a minute. Nothing was done.';
    throw new BellhopError('busy', text, { retryable: true });
  }
  return request.approvals.filter((_, index) => standing[index] === 'held');
}

const notByYou = (
  environment: Environment,
  request: Request,
  approvers: readonly string[],
  text: string,
): DeniedError =>
  new DeniedError(text, request.decision.rule, whoHolds(environment, approvers, [], request.requester));
