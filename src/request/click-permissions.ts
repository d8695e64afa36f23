import { sameActor, samePerson, type Actor, type Caller, type Membership } from '../model/actor.ts';
import type { OnCallAnswer } from '../model/on-call.ts';
import type { Rules, StepContext } from '../model/context.ts';
import { BellhopError } from '../model/errors.ts';
import { requireRole, rolesNow } from '../policy/authorize.ts';
import { DeniedError, whoHolds } from '../policy/denied.ts';
import type { ClickAction, Request } from '../model/request.ts';
import { membershipIn, onCallBy } from '../policy/roles.ts';

/** @throws DeniedError */
export function assertRequester(
  request: Request,
  actor: Actor,
  action: ClickAction | 'break the glass for',
): void {
  if (sameActor(request.requester, actor)) return;
  throw new DeniedError(`Only the requester may ${action} this. Nothing was done.`, request.decision.rule, {
    roles: [],
    users: [`${request.requester.team}/${request.requester.user}`],
    usergroups: [],
    channels: [],
  });
}

/**
 * A request, for whoever can see its card: one that is asked for in another channel is not known there.
 * @throws BellhopError
 */
export async function requestHere(
  { store }: StepContext,
  { place }: Caller,
  requestId: string,
): Promise<Request> {
  const request = await store.find(requestId);
  if (request && request.place.team === place.team && request.place.channel === place.channel) return request;
  throw new BellhopError('denied', 'That request is not known here. Nothing was done.');
}

/**
 * One of `approvers`, never the requester. Resolves to what the audit log is to tell of who is on call.
 * @throws DeniedError
 */
export async function assertApprover(
  context: Rules,
  request: Request,
  actor: Actor,
  action: 'approve' | 'deny',
  approvers: readonly string[],
): Promise<readonly OnCallAnswer[] | undefined> {
  const own = notByYou(
    context,
    request,
    approvers,
    action === 'deny'
      ? 'This is your own request: click Cancel instead. Nothing was done.'
      : 'This is your own request: somebody else has to approve. Nothing was done.',
  );
  if (sameActor(request.requester, actor)) throw own;
  const text = `You may not ${action} this. Nothing was done.`;
  const onCall = await requireRole(context, actor, approvers, notByYou(context, request, approvers, text));
  if (samePerson(request.requester, actor)) throw own;
  return onCall;
}

/** Each person approves once. @throws DeniedError */
export function assertNotYetApproved(
  context: Rules,
  request: Request,
  actor: Actor,
  approvers: readonly string[],
): void {
  if (!request.approvals.some((approval) => samePerson(approval.by, actor))) return;
  const text = 'You have approved already: it needs another person. Nothing was done.';
  throw notByYou(context, request, approvers, text);
}

/**
 * The approvals so far that still count: those of people who may still approve.
 * @throws BellhopError `busy` where that cannot be told now: an approval is neither counted nor dropped on a guess
 */
export async function standingApprovals(
  context: Rules,
  request: Request,
  approvers: readonly string[],
): Promise<Request['approvals']> {
  const standing = await Promise.all(
    request.approvals.map(async ({ by }): Promise<Membership> => {
      const roles = await rolesNow(context, by);
      const held = membershipIn(approvers, roles.granting);
      // Whoever was on call while the schedule answered may be still.
      const silent = onCallBy(approvers, roles).some(({ people }) => !people);
      return held === 'not held' && silent ? 'unknown' : held;
    }),
  );
  if (standing.includes('unknown')) {
    const text =
      'Bellhop cannot tell now whether those who approved so far still may. Click again in a minute. Nothing was done.';
    throw new BellhopError('busy', text, { retryable: true });
  }
  return request.approvals.filter((_, index) => standing[index] === 'held');
}

const notByYou = (
  context: Rules,
  request: Request,
  approvers: readonly string[],
  text: string,
): DeniedError =>
  new DeniedError(text, request.decision.rule, whoHolds(context, approvers, [], request.requester));
