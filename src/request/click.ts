import type { Context } from '../model/ports.ts';
import type { Caller } from '../model/values/actor.ts';
import type { Decision } from '../model/values/decision.ts';
import { type HeldClick, type Login, personHash } from '../model/values/step-up.ts';
import { BellhopError } from '../model/values/errors.ts';
import { type Reauthorization, reauthorize } from '../policy/authorize.ts';
import {
  IgnoredClickError,
  LostRaceError,
  RefusedClickError,
  auditIgnoredClick,
  stateNow,
} from './steps/step.ts';
import {
  approversNow,
  assertApprover,
  assertNotYetApproved,
  assertRequester,
  droppedNote,
  standingApprovals,
} from './click-permissions.ts';
import { approversOf, type ClickAction, isOpen, type Request, type State } from '../model/records/request.ts';
import { assertOwnWorkspace } from '../policy/denied.ts';
import { end, step } from './steps/click-step.ts';
import { requestDecisionOf } from './propose.ts';
import { tooFewNote } from './too-few-approvers.ts';
import { startRequest } from './run-request.ts';
import { sentences } from '../text/words.ts';
import { readReason } from '../policy/reason.ts';

/** A click on a button of a request's card. `requestId` is untrusted input. */
export interface ButtonClick extends Caller {
  readonly requestId: string;
  readonly action: ClickAction;
  readonly typedName?: string | undefined;
  /** The reason for a denial. It may be empty. With `ask`, a form asks for it first. */
  readonly denial?: 'ask' | { readonly reason: string } | undefined;
  /**
   * How the person signed in to click, and the version of the request that the page showed. Undefined for a click with only a
   * Slack session.
   */
  readonly signedIn?: { readonly login: Login; readonly version: number } | undefined;
}

/**
 * `type-name` means that the person has to type the target's name first. `denial` means that the person is asked why they deny
 * the request. `sign-in` means that the person has to sign in first.
 */
export type ClickResult = { readonly request: Request } & (
  | { readonly kind: 'done' | 'type-name' | 'denial' }
  | { readonly kind: 'sign-in'; readonly action: HeldClick['action'] }
);

/** Two people who approve at the same moment both count, because the second click reads the request again. */
const maxTries = 20;

/**
 * Does what a button says, if the request's state and the current rules allow that.
 * @throws IgnoredClickError, DeniedError, BellhopError with the reason why nothing was run
 */
export const handleClick = (context: Context, click: ButtonClick): Promise<ClickResult> =>
  onNewest(context, click, async (request) => {
    const result = await tryClick(context, request, click);
    if (result.kind === 'sign-in') await auditIgnoredClick(context, click, request, signInFirst);
    return result;
  });

/** Tries a click on the current request, and tries again if another step was faster. Records a click that does nothing. */
export async function onNewest<T>(
  context: Context,
  click: Caller & { readonly requestId: string; readonly action: string },
  tryOnce: (request: Request) => Promise<T>,
): Promise<T> {
  let seen: Request | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      seen = await context.store.find(click.requestId);
      if (!seen) throw new IgnoredClickError(noRecordText, undefined);
      await assertOwnWorkspace(context, click.actor);
      return await tryOnce(seen);
    } catch (error) {
      const lost = error instanceof LostRaceError;
      if (lost && tries < maxTries) continue;
      const reason = lost ? new IgnoredClickError(stateNow(error.current), error.current) : error;
      const known = reason instanceof IgnoredClickError ? (reason.request ?? seen) : seen;
      await auditIgnoredClick(context, click, known, reason);
      throw reason;
    }
  }
}

const signInFirst = new BellhopError('denied', 'The person has to sign in first.');

const noRecordText =
  'Bellhop has no record of that request, perhaps because a backup was restored. It may have run. This click did nothing. ' +
  'Check the target before you run the command again.';

async function tryClick(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { action, signedIn } = click;
  if (request.partOf !== undefined)
    throw new IgnoredClickError("This request is part of a rollout. Use the rollout's card.", request);
  const expected: State = action === 'confirm' ? 'proposed' : 'awaiting approval';
  const cancels = action === 'cancel' && isOpen(request.state) && request.state !== 'running';
  if (request.state !== expected && !cancels) throw new IgnoredClickError(stateNow(request), request);
  if (signedIn && request.version !== signedIn.version) throw new IgnoredClickError(changedText, request);
  if (context.clock.now() >= request.expiresAt) {
    if (!context.clockIsRight()) throw new IgnoredClickError(wrongClockText, request);
    const expired = await end(context, request, 'expired', 'expired');
    throw new IgnoredClickError(stateNow(expired), expired);
  }
  switch (action) {
    case 'confirm':
      return confirm(context, request, click);
    case 'deny':
      return deny(context, request, click);
    case 'approve':
      return approve(context, request, click);
    case 'cancel':
      assertRequester(request, click.actor, 'cancel');
      return { kind: 'done', request: await end(context, request, 'cancelled', 'cancelled', { by: click }) };
  }
}

const changedText =
  'The request has changed since you pressed the button. Check its card, then press the button there. Nothing was run.';

const wrongClockText =
  "Bellhop's clock is wrong, so it can't tell whether this request has expired. Nothing was run. " +
  'Click again in a minute. If it keeps failing, ask the Bellhop admin to check the clock.';

async function confirm(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { actor, place, typedName, signedIn } = click;
  assertRequester(request, actor, 'confirm');
  const authorization = await reauthorizeRequest(context, request);
  if (authorization.kind === 'refused') return refuse(context, request, click, authorization);
  const { decision, command, check } = authorization;
  if (decision.effect === 'approve') {
    const tooFew = await tooFewNote(context, decision, actor);
    const note = sentences([`${decision.explanation}. It now needs approval.`, tooFew]);
    const changes = { note, decision: requestDecisionOf(decision, context.clock.now()) };
    const by = { ...click, onCall: authorization.onCall };
    const waiting = await step(context, request, 'awaiting approval', 'confirmed', by, changes);
    return { kind: 'done', request: waiting };
  }
  if (decision.typeName && typedName === undefined) return { kind: 'type-name', request };
  const name = nameToType(request);
  if (decision.typeName && typedName?.trim() !== name)
    throw new IgnoredClickError(`The name does not match “${name}”. Nothing was run.`, request);
  if (mustSignIn(decision, click)) return { kind: 'sign-in', action: 'confirm', request };
  const { rule, approvers, note } = decision;
  const review = decision.approvalSkipped ? { rule, approvers: [...approvers], note } : undefined;
  const running = await startRequest(context, command, request, {
    decided: { actor, place, event: 'confirmed', onCall: authorization.onCall, login: signedIn?.login },
    changes: {
      note,
      review,
      decision: {
        ...request.decision,
        ...(signedIn && { stepUp: true, person: personHash(signedIn.login) }),
      },
    },
    check,
  });
  return { kind: 'done', request: running };
}

/**
 * The text that a person types to confirm: the target's name. For a rollout, its labels, or the name of the target that it
 * continues with.
 */
export const nameToType = ({ target, rollout }: Request): string => {
  if (target.kind !== 'rollout' || !rollout) return target.name;
  return (rollout.paused && target.targets[rollout.paused.next]?.name) ?? rollout.each.join(' ');
};

/** The current rules decide, not those at the time of the proposal. */
const mustSignIn = ({ stepUp }: Decision, { signedIn }: ButtonClick): boolean => stepUp === true && !signedIn;

async function approve(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { actor, place } = click;
  const login = click.signedIn?.login;
  const authorization = await reauthorizeRequest(context, request);
  const { approvers, approvals: wanted } = needed(authorization, request);
  const onCall = await assertApprover(context, request, actor, 'approve', approvers);
  if (authorization.kind === 'refused') return refuse(context, request, click, authorization);
  const { decision, command, check } = authorization;
  const counting = { approvers, stepUp: decision.stepUp };
  const person = login && personHash(login);
  assertNotYetApproved(context, request, { actor, person }, counting);
  const standing = await standingApprovals(context, request, counting);
  const signed = login && { signedIn: true as const };
  const approvals = [...standing, { by: actor, at: context.clock.now(), ...signed, person }];
  if (mustSignIn(decision, click)) return { kind: 'sign-in', action: 'approve', request };
  const changes = {
    approvals,
    note: sentences([decision.note, await droppedNote(context, request, standing)]),
    // Which further roles are asked, and when, was decided when the request began to wait.
    decision:
      decision.effect === 'approve'
        ? { ...requestDecisionOf(decision, 0), later: request.decision.later }
        : undefined,
  };
  if (approvals.length < wanted) {
    const by = { actor, place, onCall, login };
    const waiting = await step(context, request, 'awaiting approval', 'approved', by, changes);
    return { kind: 'done', request: waiting };
  }
  const decided = { actor, place, event: 'approved', onCall, login } as const;
  const running = await startRequest(context, command, request, { decided, changes, check });
  return { kind: 'done', request: running };
}

async function deny(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { actor, denial } = click;
  const { approvers } = needed(await reauthorizeRequest(context, request), request);
  const onCall = await assertApprover(context, request, actor, 'deny', approvers);
  if (denial === 'ask') return { kind: 'denial', request };
  const reason = await readReason(context, denial?.reason ?? '');
  const note = reason === '' ? undefined : `Why: “${reason}”`;
  const by = { ...click, onCall, reason };
  return { kind: 'done', request: await end(context, request, 'refused', 'denied approval', { by, note }) };
}

/** @throws IgnoredClickError if this version of Bellhop no longer has the operation */
async function reauthorizeRequest(context: Context, request: Request): Promise<Reauthorization> {
  const entry = context.registry.find(request.operation);
  if (entry) return reauthorize(context, entry, request);
  throw new IgnoredClickError(
    `This version of Bellhop no longer has ${request.operation}. Nothing was run.`,
    request,
  );
}

/** The approvers that the current rules require. If the rules no longer require an approval, the approvers of the proposal. */
const needed = (
  authorization: Reauthorization,
  request: Request,
): Pick<Decision, 'approvers' | 'approvals'> =>
  authorization.kind === 'authorized' && authorization.decision.effect === 'approve'
    ? {
        approvers: approversNow(authorization.decision, request),
        approvals: authorization.decision.approvals,
      }
    : { approvers: approversOf(request.decision), approvals: request.decision.approvals };

async function refuse(
  context: Context,
  request: Request,
  click: ButtonClick,
  { reason, retry, until }: Extract<Reauthorization, { kind: 'refused' }>,
): Promise<never> {
  if (retry) throw new IgnoredClickError(`Not run. ${reason} ${retry}`, request, until);
  const details = { by: click, note: reason, refusedUntil: until };
  const ended = await end(context, request, 'refused', 'refused', details);
  throw new RefusedClickError(`Not run. ${reason}`, ended, until);
}
