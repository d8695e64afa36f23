import { sameActor, samePerson, type Actor, type Caller, type Membership } from '../model/values/actor.ts';
import type { SourceAnswer } from '../model/members.ts';
import type { Decision } from '../model/values/decision.ts';
import type { Context, Rules, RunnerContext } from '../model/ports.ts';
import type { Entry } from '../model/registry.ts';
import { format } from '../command/grammar/format.ts';
import { BellhopError } from '../model/values/errors.ts';
import { reauthorize, requireRole, rolesNow } from '../policy/authorize.ts';
import { DeniedError, namesOfPeople, noneMay, whoElseMay, whoHolds } from '../policy/denied.ts';
import { type Request, rolesAsked } from '../model/records/request.ts';
import { eachOptions } from '../model/records/whole.ts';
import { membershipIn, sourcesOf } from '../policy/roles.ts';
import type { TextPart } from '../text/parts.ts';

/** @throws DeniedError */
export function assertRequester(
  request: Request,
  actor: Actor,
  action: 'cancel' | 'use break-glass for' | 'continue',
): void {
  if (sameActor(request.requester, actor)) return;
  throw notTheirs(request, ` can ${action} this. Nothing was done.`);
}

/** For anyone but the requester. @param text follows the requester's mention */
const notTheirs = ({ requester, decision }: Request, text: string): DeniedError =>
  new DeniedError(['Only ', { person: requester.user }, text], decision.rule, noneMay);

/** Anyone who may run the command can replace an unconfirmed request. @throws DeniedError */
export async function assertMayConfirm(
  context: Context,
  entry: Entry,
  request: Request,
  actor: Actor,
): Promise<void> {
  if (sameActor(request.requester, actor)) return;
  const own = await reauthorize(context, entry, { ...request, requester: actor });
  if (own.kind === 'authorized') {
    const words = format(entry, request.input, eachOptions(request));
    // Slack has no slash commands in threads.
    const how =
      request.place.thread === undefined ? `type ${words}` : `write here: @bellhop ${words.slice(1)}`;
    throw notTheirs(request, ` can confirm this. To replace it with yours, ${how}. Nothing was done.`);
  }
  const whoMay = own.needed && whoElseMay(context, own.needed);
  if (!whoMay || whoMay.roles.length === 0) throw notTheirs(request, ' can confirm this. Nothing was done.');
  const text = [
    'You have no role that may run this request of ',
    { person: request.requester.user },
    '. Nothing was done.',
  ];
  throw new DeniedError(text, request.decision.rule, whoMay);
}

/** For anyone who can see the card, so not from another channel. @throws BellhopError */
export async function requestHere(
  { store }: RunnerContext,
  { place }: Caller,
  requestId: string,
): Promise<Request> {
  const request = await store.find(requestId);
  if (request && request.place.team === place.team && request.place.channel === place.channel) return request;
  throw new BellhopError('denied', 'This channel has no such request. Nothing was done.');
}

/**
 * Requires one of the `approvers`, but not the requester. Resolves to the answers of the roles' sources for the audit log.
 * @throws DeniedError
 */
export async function assertApprover(
  context: Rules,
  request: Request,
  actor: Actor,
  action: 'approve' | 'deny',
  approvers: readonly string[],
): Promise<readonly SourceAnswer[]> {
  const own = notByYou(
    context,
    request,
    approvers,
    action === 'deny'
      ? 'This is your own request; use Cancel instead. Nothing was done.'
      : 'This is your own request, so someone else has to approve it. Nothing was done.',
  );
  if (sameActor(request.requester, actor)) throw own;
  const text = `You can't ${action} this. Nothing was done.`;
  const answers = await requireRole(context, actor, approvers, notByYou(context, request, approvers, text));
  if (samePerson(request.requester, actor)) throw own;
  return answers;
}

/** By the current rules. A role of `approvers_after` counts only if it was asked and the rules still name it. */
export function approversNow(
  { approvers, approversAfter = [] }: Decision,
  { decision }: Request,
): readonly string[] {
  const further = new Set(approversAfter.flatMap(({ roles }) => roles));
  return [...new Set([...approvers, ...rolesAsked(decision).filter((role) => further.has(role))])];
}

/** Each person approves once, even with several Slack accounts. @throws DeniedError */
export function assertNotYetApproved(
  context: Rules,
  request: Request,
  { actor, person }: { readonly actor: Actor; readonly person: string | undefined },
  { approvers, demands }: Pick<Decision, 'approvers' | 'demands'>,
): void {
  const counted = countedApprovals(request, demands);
  const isSame = (other: string | undefined): boolean => person !== undefined && other === person;
  const already = counted.find(({ by, person: other }) => samePerson(by, actor) || isSame(other));
  if (!already && !isSame(request.decision.person)) return;
  const text = !already
    ? 'You signed in as the requester, so someone else has to approve it. Nothing was done.'
    : samePerson(already.by, actor)
      ? "You've already approved. Someone else has to approve too. Nothing was done."
      : [
          'You signed in as the person who has already approved as ',
          { person: already.by.user },
          '. Someone else has to approve too. Nothing was done.',
        ];
  throw notByYou(context, request, approvers, text);
}

/** An earlier approval may not meet what the rule now demands. */
const countedApprovals = ({ approvals }: Request, demands: Decision['demands'] = []): Request['approvals'] =>
  approvals.filter(({ passed = [] }) => demands.every(({ gate }) => passed.includes(gate)));

/**
 * The approvals of people who are still approvers and met the rule's current demands.
 * @throws BellhopError `busy` if that can't be verified now, because no approval is counted or dropped on a guess
 */
export async function standingApprovals(
  context: Rules,
  request: Request,
  { approvers, demands }: Pick<Decision, 'approvers' | 'demands'>,
): Promise<Request['approvals']> {
  const counted = countedApprovals(request, demands);
  const standing = await Promise.all(
    counted.map(async ({ by }): Promise<Membership> => {
      const roles = await rolesNow(context, by);
      const held = membershipIn(approvers, roles.granting);
      // The source does not answer, so this person may still be a member.
      const silent = sourcesOf(approvers, roles).some(({ people }) => !people);
      return held === 'not held' && silent ? 'unknown' : held;
    }),
  );
  if (standing.includes('unknown')) {
    const text =
      "Bellhop can't verify the earlier approvals right now. Click again in a minute. Nothing was done.";
    throw new BellhopError('busy', text, { retryable: true });
  }
  return counted.filter((_, index) => standing[index] === 'held');
}

export async function droppedNote(
  context: Rules,
  { approvals }: Request,
  standing: Request['approvals'],
): Promise<string | undefined> {
  const dropped = approvals.filter((one) => !standing.includes(one)).map(({ by }) => by);
  if (dropped.length === 0) return undefined;
  const names = await namesOfPeople(context, dropped);
  return `Earlier approvals that no longer count under the current rules and roles: ${names}.`;
}

const notByYou = (
  context: Rules,
  request: Request,
  approvers: readonly string[],
  text: string | readonly TextPart[],
): DeniedError =>
  new DeniedError(text, request.decision.rule, whoHolds(context, approvers, [], request.requester));
