import { stepEntry } from '../audit/entries.ts';
import type { Caller } from '../model/values/actor.ts';
import { BellhopError } from '../model/values/errors.ts';
import type { Context } from '../model/ports.ts';
import { approversOf, type Request, type Rollout } from '../model/records/request.ts';
import type { Step } from '../model/records/requests.ts';
import { begun, pausedAnew } from '../model/records/whole.ts';
import { eachTarget } from '../model/rulebook/target.ts';
import { offered, reauthorize, rolesNow } from '../policy/authorize.ts';
import { DeniedError, whoHolds } from '../policy/denied.ts';
import { sameActor } from '../model/values/actor.ts';
import { onNewest } from '../request/click.ts';
import { assertRequester } from '../request/click-permissions.ts';
import { requestDecisionOf } from '../request/propose.ts';
import { assertEach } from '../request/steps/healthy-again.ts';
import { IgnoredClickError, LateClickError, stepFrom, takeStep } from '../request/steps/step.ts';
import { holdsAny } from '../policy/roles.ts';
import { newsIn } from './barred.ts';

export type RolloutAction = 'continue' | 'stop';

interface RolloutClick extends Caller {
  readonly requestId: string;
  readonly action: RolloutAction;
  /** The line that *Continue* was shown for. */
  readonly next?: number | undefined;
}

/**
 * Continues or ends a rollout. A paused rollout ends at once, a running one after its current target.
 * @throws IgnoredClickError, DeniedError, BellhopError with the reason why nothing was done
 */
export const handleRolloutClick = (context: Context, click: RolloutClick): Promise<Request> =>
  onNewest(context, click, async (request) => {
    const { rollout, state } = request;
    if (!rollout || state !== 'running') throw new LateClickError(request);
    const step = await (click.action === 'stop'
      ? stop(context, click, request, rollout)
      : continueWith(context, click, request, rollout));
    return takeStep(context, request, { ...step, closes: click.openDelivery?.() });
  });

async function continueWith(
  context: Context,
  { actor, place, next }: RolloutClick,
  request: Request,
  rollout: Rollout,
): Promise<Step> {
  const { paused } = rollout;
  const target = paused && eachTarget(request.target)[paused.next];
  if (!paused || paused.next !== next || !target) throw new LateClickError(request);
  assertRequester(request, actor, 'continue');
  const entry = context.registry.find(request.operation);
  if (!entry) throw new BellhopError('denied', `This version of Bellhop no longer has ${request.operation}.`);
  assertEach(context, entry);
  const authorization = await reauthorize(context, entry, request);
  if (authorization.kind === 'refused')
    throw new IgnoredClickError(['Not continued. ', ...authorization.said], request, authorization.until);
  const { decision, answers } = authorization;
  const now = context.clock.now();
  const news = await newsIn(context, request, paused);
  if (news) {
    const audit = [stepEntry(context, 'paused', request, 'paused', { actor, place, note: news.why })];
    return stepFrom(
      context,
      request,
      'running',
      { rollout: pausedAnew(rollout, now, { ...news, next }) },
      audit,
    );
  }
  const { effect, demands = [], typeName } = decision;
  const approve = effect === 'approve';
  // A person who may not start the change may not continue it. The card asks for the missing step.
  const asks = approve || demands.length > 0 || typeName;
  const to = approve ? 'awaiting approval' : asks ? 'proposed' : 'running';
  const note = `${target.name} is next. ${paused.why}`;
  const audit = [stepEntry(context, 'continued', request, to, { actor, place, note, answers })];
  const changes = asks
    ? {
        approvals: [],
        decision: requestDecisionOf(decision, now),
        note: `Waiting to continue with ${target.name}. ${paused.why}`,
        expiresAt: now + context.rulebook().expireAfterMs,
      }
    : begun(request, now);
  const decided = { ...changes, decidedBy: actor, decidedAt: now };
  return stepFrom(context, request, to, decided, audit);
}

async function stop(
  context: Context,
  { actor, place }: RolloutClick,
  request: Request,
  rollout: Rollout,
): Promise<Step> {
  await assertMayStop(context, actor, request);
  if (!rollout.paused) {
    if (rollout.stopping) throw new IgnoredClickError('The rollout is already stopping.', request);
    const changes = { rollout: { ...rollout, stopping: { by: actor } } };
    return stepFrom(context, request, 'running', changes, []);
  }
  const endedAt = context.clock.now();
  const { why: note } = rollout.paused;
  const changes = { endedAt, decidedBy: actor, decidedAt: endedAt, note };
  const audit = [stepEntry(context, 'stopped', request, 'stopped', { actor, place, note })];
  return stepFrom(context, request, 'cancelled', changes, audit);
}

/** Stopping is harmless, so anyone who may run or approve the operation in its channel may stop the rollout. @throws DeniedError */
async function assertMayStop(context: Context, actor: Caller['actor'], request: Request): Promise<void> {
  const { requester, place, decision, operation } = request;
  if (sameActor(requester, actor)) return;
  const entries = await offered(context, actor, place);
  if (entries.some((entry) => entry.operation.name === operation)) return;
  if (holdsAny(approversOf(decision), await rolesNow(context, actor))) return;
  const { users, ...others } = whoHolds(context, approversOf(decision));
  const text =
    'Only the requester, or someone who may run or approve this command, can stop it. Nothing was done.';
  const own = `${requester.team}/${requester.user}`;
  throw new DeniedError(text, decision.rule, { ...others, users: [own, ...users] });
}
