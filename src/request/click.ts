import type { Context } from '../model/ports.ts';
import { type Caller, samePerson } from '../model/values/actor.ts';
import type { Decision } from '../model/values/decision.ts';
import type { Passes } from '../model/values/pass.ts';
import type { ToDo } from '../model/gate.ts';
import type { Entry } from '../model/registry.ts';
import { type Reauthorization, reauthorize } from '../policy/authorize.ts';
import {
  IgnoredClickError,
  LateClickError,
  LostRaceError,
  RefusedClickError,
  auditIgnoredClick,
} from './steps/step.ts';
import {
  approversNow,
  assertApprover,
  assertMayConfirm,
  assertNotYetApproved,
  assertRequester,
  droppedNote,
  standingApprovals,
} from './click-permissions.ts';
import { approversOf, type ClickAction, isOpen, type Request, type State } from '../model/records/request.ts';
import { useWholeText } from '../model/records/whole.ts';
import { assertOwnWorkspace } from '../policy/denied.ts';
import { end, step } from './steps/click-step.ts';
import { Passed, personOf } from './gates.ts';
import { requestDecisionOf } from './propose.ts';
import { tooFewNote } from './too-few-approvers.ts';
import { startRequest } from './run-request.ts';
import { sentences } from '../text/words.ts';
import { readReason } from '../policy/reason.ts';

/** `requestId` is untrusted input. */
export interface ButtonClick extends Caller {
  readonly requestId: string;
  readonly action: ClickAction;
  readonly passes?: Passes | undefined;
  /** As a page showed the request. The click does nothing if the request has changed since. */
  readonly version?: number | undefined;
}

export type ClickResult = { readonly request: Request } & ({ readonly kind: 'done' } | ToDo);

/** Two people who approve at the same moment both count, because the second click reads the request again. */
const maxTries = 20;

/**
 * Does what a button says, if the request's state and the current rules allow that.
 * @param newest the request, if it was just read
 * @throws IgnoredClickError, DeniedError, BellhopError with the reason why nothing was run
 */
export const handleClick = (context: Context, click: ButtonClick, newest?: Request): Promise<ClickResult> =>
  onNewest(context, click, (request) => tryClick(context, request, click), newest);

/** Tries again if another step was faster. Records a click that does nothing. */
export async function onNewest<T>(
  context: Context,
  click: Caller & { readonly requestId: string; readonly action: string },
  tryOnce: (request: Request) => Promise<T>,
  newest?: Request,
): Promise<T> {
  let seen: Request | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      seen = (tries === 1 ? newest : undefined) ?? (await context.store.find(click.requestId));
      if (!seen) throw new IgnoredClickError(noRecordText, undefined);
      await assertOwnWorkspace(context, click.actor);
      return await tryOnce(seen);
    } catch (error) {
      const lost = error instanceof LostRaceError;
      if (lost && tries < maxTries) continue;
      const reason = lost ? new LateClickError(error.current) : error;
      const known = reason instanceof IgnoredClickError ? (reason.request ?? seen) : seen;
      await auditIgnoredClick(context, click, known, reason);
      throw reason;
    }
  }
}

const noRecordText =
  'Bellhop has no record of that request, perhaps because a backup was restored. It may have run. This click did nothing. ' +
  'Check the target before you run the command again.';

async function tryClick(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { action, version = request.version } = click;
  if (request.partOf !== undefined) throw new IgnoredClickError(useWholeText, request);
  const expected: State = action === 'confirm' ? 'proposed' : 'awaiting approval';
  const cancels = action === 'cancel' && isOpen(request.state) && request.state !== 'running';
  if (request.state !== expected && !cancels) throw new LateClickError(request);
  if (request.version !== version) throw new IgnoredClickError(changedText, request);
  if (context.clock.now() >= request.expiresAt) {
    if (!context.clockIsRight()) throw new IgnoredClickError(wrongClockText, request);
    const expired = await end(context, request, 'expired', 'expired');
    throw new LateClickError(expired);
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
  const { actor, place, openDelivery, passes = {} } = click;
  const entry = entryOf(context, request);
  await assertMayConfirm(context, entry, request, actor);
  const authorization = await reauthorize(context, entry, request);
  if (authorization.kind === 'refused') return refuse(context, request, click, authorization);
  const { decision, command, check } = authorization;
  if (decision.effect === 'approve') {
    const tooFew = await tooFewNote(context, decision, actor);
    const note = sentences([`${decision.explanation}. The change now needs approval.`, tooFew]);
    const changes = { note, decision: requestDecisionOf(decision, context.clock.now()) };
    const by = { ...click, answers: authorization.answers };
    const waiting = await step(context, request, 'awaiting approval', 'confirmed', by, changes);
    return { kind: 'done', request: waiting };
  }
  const passed = Passed.by(context, { request, action: 'confirm', decision, passes });
  if (!(passed instanceof Passed)) return { ...passed, request };
  const { rule, approvers, note, said } = decision;
  const review = decision.approvalSkipped
    ? { rule, approvers: [...approvers], note, ...(said && { said: [...said] }) }
    : undefined;
  const running = await startRequest(context, command, request, {
    passed,
    decided: { actor, place, openDelivery, event: 'confirmed', answers: authorization.answers },
    changes: { note, review, decision: { ...request.decision, ...passed.kept } },
    check,
  });
  return { kind: 'done', request: running };
}

async function approve(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { actor, place, openDelivery, passes = {} } = click;
  const authorization = await reauthorizeRequest(context, request);
  const { approvers, approvals: wanted } = needed(authorization, request);
  const answers = await assertApprover(context, request, actor, 'approve', approvers);
  if (authorization.kind === 'refused') return refuse(context, request, click, authorization);
  const { decision, command, check } = authorization;
  const counting = { approvers, demands: decision.demands };
  assertNotYetApproved(context, request, { actor, person: personOf(passes) }, counting);
  const standing = await standingApprovals(context, request, counting);
  const passed = Passed.by(context, { request, action: 'approve', decision, passes });
  if (!(passed instanceof Passed)) return { ...passed, request };
  const approvals = [...standing, { by: actor, at: context.clock.now(), ...passed.kept }];
  const changes = {
    approvals,
    note: sentences([decision.note, await droppedNote(context, request, standing)]),
    // The request keeps the further roles and their times from when it began to wait.
    decision:
      decision.effect === 'approve'
        ? { ...requestDecisionOf(decision, 0), later: request.decision.later }
        : undefined,
  };
  if (approvals.length < wanted) {
    const by = { actor, place, openDelivery, answers, login: passed.login };
    const waiting = await step(context, request, 'awaiting approval', 'approved', by, changes);
    return { kind: 'done', request: waiting };
  }
  const decided = { actor, place, openDelivery, event: 'approved', answers } as const;
  const running = await startRequest(context, command, request, { passed, decided, changes, check });
  return { kind: 'done', request: running };
}

async function deny(context: Context, request: Request, click: ButtonClick): Promise<ClickResult> {
  const { actor, passes = {} } = click;
  const { approvers } = needed(await reauthorizeRequest(context, request), request);
  const answers = await assertApprover(context, request, actor, 'deny', approvers);
  const decision = { typeName: false };
  const passed = Passed.by(context, { request, action: 'deny', decision, passes });
  if (!(passed instanceof Passed)) return { ...passed, request };
  const reason = await readReason(context, passes['denial']?.text ?? '');
  const note = reason === '' ? undefined : `Why: “${reason}”`;
  const by = { ...click, answers, reason, login: passed.login };
  return { kind: 'done', request: await end(context, request, 'refused', 'denied approval', { by, note }) };
}

const reauthorizeRequest = (context: Context, request: Request): Promise<Reauthorization> =>
  reauthorize(context, entryOf(context, request), request);

/** @throws IgnoredClickError if this version of Bellhop no longer has the operation */
function entryOf(context: Context, request: Request): Entry {
  const entry = context.registry.find(request.operation);
  if (entry) return entry;
  throw new IgnoredClickError(
    `This version of Bellhop no longer has ${request.operation}. Nothing was run.`,
    request,
  );
}

/** If the current rules no longer require an approval, the approvers of the proposal. */
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
  { reason, said, retry, until, enders = [] }: Extract<Reauthorization, { kind: 'refused' }>,
): Promise<never> {
  const own = enders.find(({ by }) => samePerson(by, click.actor));
  if (own) throw new IgnoredClickError(`Not run. ${own.advice}`, request, until);
  if (retry) throw new IgnoredClickError(['Not run. ', ...said, ` ${retry}`], request, until);
  const details = { by: click, note: reason, refusedUntil: until };
  const ended = await end(context, request, 'refused', 'refused', details);
  throw new RefusedClickError(`Not run. ${reason}`, ended, until);
}
