import type { AuditEvent } from '../audit/audit.ts';
import { stepEntry } from '../audit/entries.ts';
import type { Context } from '../context.ts';
import { auditIgnoredClick } from './ignored-click.ts';
import { reauthorize, type Reauthorization } from '../policy/reauthorize.ts';
import type { Decision } from '../policy/policy.ts';
import { IgnoredClickError, type ButtonClick, type ClickResult } from './click-types.ts';
import {
  assertApprover,
  assertNotYetApproved,
  assertRequester,
  standingApprovals,
} from './click-permissions.ts';
import { isOpen, type Request, type RequestChanges, type RequestDecision, type State } from './request.ts';
import { openedReview } from '../review/review.ts';
import { stepFrom } from './step.ts';
import { startCheck } from '../policy/limits-and-guards.ts';
import { lostRace, LostRaceError, startRequest } from './run-request.ts';

/** Two people who approve at the same moment both count: whoever comes second looks again. */
const mostTries = 20;

/**
 * Does what a button says, if the request, the person and the rules of this moment allow it.
 * @throws IgnoredPressError, DeniedError, BellhopError: nothing was run, for the reason given
 */
export async function handleClick(context: Context, pressed: ButtonClick): Promise<ClickResult> {
  let seen: Request | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      seen = await context.store.find(pressed.requestId);
      return await tryClick(context, seen, pressed);
    } catch (error) {
      const lost = error instanceof LostRaceError;
      if (lost && tries < mostTries) continue;
      const reason = lost ? new IgnoredClickError(stateNow(error.current), error.current) : error;
      const known = reason instanceof IgnoredClickError ? (reason.request ?? seen) : seen;
      await auditIgnoredClick(context, pressed, known, reason);
      throw reason;
    }
  }
}

async function tryClick(
  context: Context,
  request: Request | undefined,
  pressed: ButtonClick,
): Promise<ClickResult> {
  if (!request)
    throw new IgnoredClickError('That request is not known here. Run the command again.', undefined);
  const expected: State = pressed.action === 'confirm' ? 'proposed' : 'awaiting approval';
  const cancels = pressed.action === 'cancel' && isOpen(request.state) && request.state !== 'running';
  if (request.state !== expected && !cancels) throw new IgnoredClickError(stateNow(request), request);
  if (context.clock.now() >= request.expiresAt) return expireClicked(context, request);
  return act(context, request, pressed);
}

async function act(context: Context, request: Request, pressed: ButtonClick): Promise<ClickResult> {
  switch (pressed.action) {
    case 'confirm':
      return confirm(context, request, pressed);
    case 'cancel':
      return cancel(context, request, pressed);
    case 'approve':
      return approve(context, request, pressed);
    case 'deny':
      return deny(context, request, pressed);
  }
}

async function confirm(context: Context, request: Request, pressed: ButtonClick): Promise<ClickResult> {
  assertRequester(request, pressed, 'confirm');
  const authorization = await reauthorize(context, request);
  if (authorization.kind === 'refused') return refuse(context, request, pressed, authorization);
  const { decision } = authorization;
  if (decision.effect === 'approve') {
    const note = `${decision.explanation}: it needs approval now.`;
    const changes = { note, decision: heldTo(decision) };
    const waiting = await step(context, request, 'awaiting approval', 'confirmed', pressed, changes);
    return { kind: 'done', request: waiting };
  }
  if (decision.typeName && pressed.typedName === undefined) return { kind: 'type-name', request };
  if (decision.typeName && pressed.typedName?.trim() !== request.target.name) {
    throw new IgnoredClickError(`That is not “${request.target.name}”. Nothing was run.`, request);
  }
  const review = decision.approvalSkipped && openedReview(request, decision, context.clock.now());
  const also = { ...startCheck(authorization), ...(review && { review }) };
  const running = await startRequest(
    context,
    request,
    decidedBy(pressed, 'confirmed'),
    noteOf(decision),
    also,
  );
  return { kind: 'done', request: running };
}

const decidedBy = <E extends AuditEvent>({ actor, place }: ButtonClick, event: E) => ({
  actor,
  place,
  event,
});

/** What a guard says by now: it is to be seen on the card of what runs. */
const noteOf = ({ note }: Decision): RequestChanges => (note === undefined ? {} : { note });

async function cancel(context: Context, request: Request, pressed: ButtonClick): Promise<ClickResult> {
  assertRequester(request, pressed, 'cancel');
  return { kind: 'done', request: await end(context, request, 'cancelled', 'cancelled', pressed) };
}

async function approve(context: Context, request: Request, pressed: ButtonClick): Promise<ClickResult> {
  const authorization = await reauthorize(context, request);
  const { approvers, approvals: wanted } = needed(authorization, request);
  await assertApprover(context, request, pressed, approvers);
  if (authorization.kind === 'refused') return refuse(context, request, pressed, authorization);
  assertNotYetApproved(context, request, pressed, approvers);
  const approvals = [
    ...(await standingApprovals(context, request, approvers)),
    { by: pressed.actor, at: context.clock.now() },
  ];
  const { decision } = authorization;
  const changes = {
    approvals,
    ...noteOf(decision),
    ...(decision.effect === 'approve' && { decision: heldTo(decision) }),
  };
  const after =
    approvals.length >= wanted
      ? await startRequest(
          context,
          request,
          decidedBy(pressed, 'approved'),
          changes,
          startCheck(authorization),
        )
      : await step(context, request, 'awaiting approval', 'approved', pressed, changes);
  return { kind: 'done', request: after };
}

async function deny(context: Context, request: Request, pressed: ButtonClick): Promise<ClickResult> {
  const { approvers } = needed(await reauthorize(context, request), request);
  await assertApprover(context, request, pressed, approvers);
  const note = 'Denied by an approver.';
  const ended = await end(context, request, 'refused', 'denied approval', pressed, note);
  return { kind: 'done', request: ended };
}

/** Whose approvals the rules of this moment ask for; those it was proposed with where they ask for none any more. */
const needed = (
  authorization: Reauthorization,
  request: Request,
): Pick<RequestDecision, 'approvers' | 'approvals'> =>
  authorization.kind === 'judged' && authorization.decision.effect === 'approve'
    ? heldTo(authorization.decision)
    : request.decision;

const heldTo = ({ rule, approvers, approvals, typeName }: Decision): RequestDecision => ({
  effect: 'approve',
  rule,
  approvers: [...approvers],
  approvals,
  typeName,
});

async function refuse(
  context: Context,
  request: Request,
  pressed: ButtonClick,
  { reason, passes, until }: Extract<Reauthorization, { kind: 'refused' }>,
): Promise<ClickResult> {
  if (passes) throw new IgnoredClickError(`Not run. ${reason} Press again ${passes}.`, request, until);
  const ended = await end(context, request, 'refused', 'refused', pressed, reason);
  throw new IgnoredClickError(`Not run. ${reason}`, ended, until);
}

async function expireClicked(context: Context, request: Request): Promise<ClickResult> {
  const ended = await end(context, request, 'expired', 'expired', undefined);
  throw new IgnoredClickError(stateNow(ended), ended);
}

/** Whose click it was, and where that was: not always where the request was asked for. */
type By = Pick<ButtonClick, 'actor' | 'place'>;

function end(
  context: Context,
  request: Request,
  to: 'cancelled' | 'refused' | 'expired',
  event: AuditEvent,
  by: By | undefined,
  note?: string,
): Promise<Request> {
  const endedAt = context.clock.now();
  return step(context, request, to, event, by, { endedAt, ...(note === undefined ? {} : { note }) });
}

/** @throws LostRaceError */
async function step(
  context: Context,
  request: Request,
  to: State,
  event: AuditEvent,
  by: By | undefined,
  changes: RequestChanges,
): Promise<Request> {
  const decided = by === undefined ? {} : { decidedBy: by.actor, decidedAt: context.clock.now() };
  const after = await context.store.advance(
    stepFrom(context, request, to, { ...decided, ...changes }, [
      stepEntry(context, event, request, to, {
        actor: by?.actor,
        place: by?.place,
        ...(changes.note === undefined ? {} : { note: changes.note }),
      }),
    ]),
  );
  if (!after) throw await lostRace(context, request);
  context.messages.changed(after);
  return after;
}

/** Why a late press does nothing, in words; the surface adds who and when from the request. */
const stateNow = ({ target, state }: Request): string =>
  isOpen(state)
    ? `The request for ${target.name} is ${state}: this button does nothing now. Nothing more was run.`
    : `The request for ${target.name} is already ${state}. Nothing more was run.`;
