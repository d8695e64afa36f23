import type { AuditEvent } from '../audit/audit.ts';
import { stepEntry } from '../audit/entries.ts';
import type { Environment } from '../context.ts';
import { recordIgnored } from './ignored-click.ts';
import { judgeAgain, type Again } from '../policy/reauthorize.ts';
import type { Decision } from '../policy/policy.ts';
import { IgnoredPressError, type Press, type Pressed } from './click-types.ts';
import { onlyApprover, onlyOnce, onlyRequester, standingApprovals } from './click-permissions.ts';
import { isOpen, type Request, type RequestChanges, type RequestDecision, type State } from './request.ts';
import { openedReview } from '../review/review.ts';
import { stepFrom } from './step.ts';
import { checkOf } from '../policy/limits-and-guards.ts';
import { lostRace, LostRaceError, startRequest } from './run-request.ts';

/** Two people who approve at the same moment both count: whoever comes second looks again. */
const mostTries = 20;

/**
 * Does what a button says, if the request, the person and the rules of this moment allow it.
 * @throws IgnoredPressError, DeniedError, BellhopError: nothing was run, for the reason given
 */
export async function press(environment: Environment, pressed: Press): Promise<Pressed> {
  let seen: Request | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      seen = await environment.store.find(pressed.requestId);
      return await tryPress(environment, seen, pressed);
    } catch (error) {
      const lost = error instanceof LostRaceError;
      if (lost && tries < mostTries) continue;
      const reason = lost ? new IgnoredPressError(stateNow(error.current), error.current) : error;
      const known = reason instanceof IgnoredPressError ? (reason.request ?? seen) : seen;
      await recordIgnored(environment, pressed, known, reason);
      throw reason;
    }
  }
}

async function tryPress(
  environment: Environment,
  request: Request | undefined,
  pressed: Press,
): Promise<Pressed> {
  if (!request) throw new IgnoredPressError('That request is not known here. Ask anew.', undefined);
  const expected: State = pressed.action === 'confirm' ? 'proposed' : 'awaiting approval';
  const cancels = pressed.action === 'cancel' && isOpen(request.state) && request.state !== 'running';
  if (request.state !== expected && !cancels) throw new IgnoredPressError(stateNow(request), request);
  if (environment.clock.now() >= request.expiresAt) return expirePressed(environment, request);
  return act(environment, request, pressed);
}

async function act(environment: Environment, request: Request, pressed: Press): Promise<Pressed> {
  switch (pressed.action) {
    case 'confirm':
      return confirm(environment, request, pressed);
    case 'cancel':
      return cancel(environment, request, pressed);
    case 'approve':
      return approve(environment, request, pressed);
    case 'deny':
      return deny(environment, request, pressed);
  }
}

async function confirm(environment: Environment, request: Request, pressed: Press): Promise<Pressed> {
  onlyRequester(request, pressed, 'confirm');
  const judgement = await judgeAgain(environment, request);
  if (judgement.kind === 'refused') return refuse(environment, request, pressed, judgement);
  const { decision } = judgement;
  if (decision.effect === 'approve') {
    const note = `${decision.explanation}: it needs approval now.`;
    const changes = { note, decision: heldTo(decision) };
    const waiting = await step(environment, request, 'awaiting approval', 'confirmed', pressed, changes);
    return { kind: 'done', request: waiting };
  }
  if (decision.typeName && pressed.typedName === undefined) return { kind: 'type-name', request };
  if (decision.typeName && pressed.typedName?.trim() !== request.target.name) {
    throw new IgnoredPressError(`That is not “${request.target.name}”. Nothing was run.`, request);
  }
  const review = decision.approvalSkipped && openedReview(request, decision, environment.clock.now());
  const also = { ...checkOf(judgement), ...(review && { review }) };
  const running = await startRequest(
    environment,
    request,
    decidedBy(pressed, 'confirmed'),
    noteOf(decision),
    also,
  );
  return { kind: 'done', request: running };
}

const decidedBy = <E extends AuditEvent>({ actor, place }: Press, event: E) => ({ actor, place, event });

/** What a guard says by now: it is to be seen on the card of what runs. */
const noteOf = ({ note }: Decision): RequestChanges => (note === undefined ? {} : { note });

async function cancel(environment: Environment, request: Request, pressed: Press): Promise<Pressed> {
  onlyRequester(request, pressed, 'cancel');
  return { kind: 'done', request: await end(environment, request, 'cancelled', 'cancelled', pressed) };
}

async function approve(environment: Environment, request: Request, pressed: Press): Promise<Pressed> {
  const judgement = await judgeAgain(environment, request);
  const { approvers, approvals: wanted } = needed(judgement, request);
  await onlyApprover(environment, request, pressed, approvers);
  if (judgement.kind === 'refused') return refuse(environment, request, pressed, judgement);
  onlyOnce(environment, request, pressed, approvers);
  const approvals = [
    ...(await standingApprovals(environment, request, approvers)),
    { by: pressed.actor, at: environment.clock.now() },
  ];
  const { decision } = judgement;
  const changes = {
    approvals,
    ...noteOf(decision),
    ...(decision.effect === 'approve' && { decision: heldTo(decision) }),
  };
  const after =
    approvals.length >= wanted
      ? await startRequest(environment, request, decidedBy(pressed, 'approved'), changes, checkOf(judgement))
      : await step(environment, request, 'awaiting approval', 'approved', pressed, changes);
  return { kind: 'done', request: after };
}

async function deny(environment: Environment, request: Request, pressed: Press): Promise<Pressed> {
  const { approvers } = needed(await judgeAgain(environment, request), request);
  await onlyApprover(environment, request, pressed, approvers);
  const note = 'Denied by an approver.';
  const ended = await end(environment, request, 'refused', 'denied approval', pressed, note);
  return { kind: 'done', request: ended };
}

/** Whose approvals the rules of this moment ask for; those it was proposed with where they ask for none any more. */
const needed = (judgement: Again, request: Request): Pick<RequestDecision, 'approvers' | 'approvals'> =>
  judgement.kind === 'judged' && judgement.decision.effect === 'approve'
    ? heldTo(judgement.decision)
    : request.decision;

const heldTo = ({ rule, approvers, approvals, typeName }: Decision): RequestDecision => ({
  effect: 'approve',
  rule,
  approvers: [...approvers],
  approvals,
  typeName,
});

async function refuse(
  environment: Environment,
  request: Request,
  pressed: Press,
  { reason, passes, until }: Extract<Again, { kind: 'refused' }>,
): Promise<Pressed> {
  if (passes) throw new IgnoredPressError(`Not run. ${reason} Press again ${passes}.`, request, until);
  const ended = await end(environment, request, 'refused', 'refused', pressed, reason);
  throw new IgnoredPressError(`Not run. ${reason}`, ended, until);
}

async function expirePressed(environment: Environment, request: Request): Promise<Pressed> {
  const ended = await end(environment, request, 'expired', 'expired', undefined);
  throw new IgnoredPressError(stateNow(ended), ended);
}

/** Whose click it was, and where that was: not always where the request was asked for. */
type By = Pick<Press, 'actor' | 'place'>;

function end(
  environment: Environment,
  request: Request,
  to: 'cancelled' | 'refused' | 'expired',
  event: AuditEvent,
  by: By | undefined,
  note?: string,
): Promise<Request> {
  const endedAt = environment.clock.now();
  return step(environment, request, to, event, by, { endedAt, ...(note === undefined ? {} : { note }) });
}

/** @throws LostRaceError */
async function step(
  environment: Environment,
  request: Request,
  to: State,
  event: AuditEvent,
  by: By | undefined,
  changes: RequestChanges,
): Promise<Request> {
  const decided = by === undefined ? {} : { decidedBy: by.actor, decidedAt: environment.clock.now() };
  const after = await environment.store.advance(
    stepFrom(environment, request, to, { ...decided, ...changes }, [
      stepEntry(environment, event, request, to, {
        actor: by?.actor,
        place: by?.place,
        ...(changes.note === undefined ? {} : { note: changes.note }),
      }),
    ]),
  );
  if (!after) throw await lostRace(environment, request);
  environment.messages.changed(after);
  return after;
}

/** Why a late press does nothing, in words; the surface adds who and when from the request. */
const stateNow = ({ target, state }: Request): string =>
  isOpen(state)
    ? `The request for ${target.name} is ${state}: this button does nothing now. Nothing more was run.`
    : `The request for ${target.name} is already ${state}. Nothing more was run.`;
