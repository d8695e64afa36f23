import { stepEntry } from '../../audit/entries.ts';
import { type ResolvedCommand, effectiveValues } from '../../command/resolve.ts';
import type { Context } from '../../model/ports.ts';
import { readInput } from '../../command/grammar/check-input.ts';
import { type Actor, type Caller, samePerson } from '../../model/values/actor.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import { applyRules } from '../../policy/authorize.ts';
import {
  assertOwnWorkspace,
  cannotTellAdvice,
  cannotTellText,
  DeniedError,
  whoHolds,
} from '../../policy/denied.ts';
import { guardsOn } from '../../policy/guards.ts';
import { membershipIn } from '../../policy/roles.ts';
import type { Entry } from '../../model/registry.ts';
import { lookNow } from './settle-by-tasks.ts';
import {
  IgnoredClickError,
  LateClickError,
  auditIgnoredClick,
  canLook,
  stepFrom,
  stepOnNewest,
} from '../steps/step.ts';
import type { Request } from '../../model/records/request.ts';
import { longestReason } from '../../command/grammar/refuse.ts';
import { readReason } from '../../policy/reason.ts';

interface Checked {
  readonly request: Request;
  /** The check found something to show on the card. */
  readonly isNew: boolean;
}

/** Checks an unknown outcome immediately. Resolves to the request after the check. */
export function checkNow(context: Context, caller: Caller, requestId: string): Promise<Checked> {
  return recordingIgnored(context, caller, requestId, 'check', async () => {
    const { request, entry } = await unknownFor(context, caller, requestId, 'check');
    if (!canLook(context, entry))
      throw badInput("Bellhop can't ask the service about this. Check the target, then settle the request.");
    await context.correlated('check', request.correlationId, () => lookNow(context, entry, request));
    const after = (await context.store.find(request.id)) ?? request;
    return { request: after, isNew: after.version !== request.version && !isSameOnWhole(request, after) };
  });
}

/** The line of a part shows the finding, but not that it was found again. */
const isSameOnWhole = (before: Request, { partOf, state, outcome }: Request): boolean =>
  partOf !== undefined &&
  state === before.state &&
  outcome?.look?.title === before.outcome?.look?.title &&
  outcome?.search?.seen === before.outcome?.search?.seen;

/**
 * The request for the “Settle…” form, if this person may settle it.
 * @throws IgnoredClickError, DeniedError, BellhopError
 */
export function requestToSettle(context: Context, caller: Caller, requestId: string): Promise<Request> {
  return recordingIgnored(context, caller, requestId, 'settle', async () => {
    const { request } = await unknownFor(context, caller, requestId, 'settle');
    return request;
  });
}

export interface Settlement {
  readonly state: 'succeeded' | 'failed';
  readonly reason: string;
  /** This person was asked once more, because the change may have run. */
  readonly isSure?: boolean;
}

export class MayHaveRunError extends BellhopError {
  override readonly name = 'MayHaveRunError';
  readonly request: Request;

  constructor(request: Request) {
    super('denied', `The change of ${request.target.name} may have run. Nothing was settled.`);
    this.request = request;
  }
}

/**
 * Settles an unknown outcome on a person's word by one conditional update, so only one person can.
 * @throws MayHaveRunError, IgnoredClickError, DeniedError, BellhopError
 */
export function settleByHand(
  context: Context,
  caller: Caller,
  requestId: string,
  { state, reason, isSure = false }: Settlement,
): Promise<Request> {
  return recordingIgnored(context, caller, requestId, 'settle', async () => {
    const { actor, place } = caller;
    const said = await readReason(context, reason);
    if (said === '') throw badInput(`Give a reason of at most ${longestReason} characters.`);
    const settled = await stepOnNewest(context, async () => {
      const { request, entry } = await unknownFor(context, caller, requestId, 'settle');
      if (state === 'failed') refuseOwnUnderGuard(context, entry, request, actor);
      if (state === 'failed' && request.outcome?.search?.mayHaveRun && !isSure)
        throw new MayHaveRunError(request);
      const settledByHand = { by: actor, at: context.clock.now(), reason: said };
      const audit = [stepEntry(context, 'settled', request, state, { actor, place, reason: said })];
      const outcome = { ...request.outcome, settledByHand };
      return stepFrom(context, request, state, { outcome }, audit);
    });
    if (settled) return settled;
    throw new BellhopError('busy', 'Bellhop is checking this request right now. Try again in a moment.', {
      retryable: true,
    });
  });
}

/**
 * If a guard watches the target, the requester could declare the change failed and stop the next member at once.
 * @throws BellhopError
 */
function refuseOwnUnderGuard(
  context: Context,
  entry: Entry,
  { target, requester }: Request,
  actor: Actor,
): void {
  if (!samePerson(requester, actor) || guardsOn(context, { entry, target }).length === 0) return;
  throw new BellhopError(
    'denied',
    `A guard depends on ${target.name}, so someone else has to settle your change as failed. Nothing was done.`,
  );
}

/**
 * For people who could run the request in its channel or approve it.
 * @throws IgnoredClickError, DeniedError, BellhopError
 */
async function unknownFor(
  context: Context,
  { actor }: Caller,
  requestId: string,
  what: 'check' | 'settle',
): Promise<{ readonly request: Request; readonly entry: Entry }> {
  const request = await context.store.find(requestId);
  if (!request)
    throw new IgnoredClickError('Bellhop no longer has that request. Nothing was done.', undefined);
  const entry = context.registry.find(request.operation);
  if (!entry)
    throw new IgnoredClickError(`This version of Bellhop no longer has ${request.operation}.`, request);
  const { place, decision: asked } = request;
  const { decision, roles } = await applyRules(withoutFreezes(context), commandOf(entry, request), {
    actor,
    place,
  });
  if (decision.effect === 'deny' && membershipIn(asked.approvers, roles.granting) !== 'held') {
    const text = decision.cannotTell
      ? `${cannotTellText(decision.needed.roles)}. ${decision.explanation}. ${cannotTellAdvice(context, decision.needed.roles)}`
      : `You can't ${what} this. Only people who can run or approve it can. Nothing was done.`;
    const { needed, cannotTell: retryable = false } = decision;
    const whoMay = whoHolds(context, [...needed.roles, ...asked.approvers], needed.channels);
    throw new DeniedError(text, decision.rule, whoMay, { retryable, by: decision.by.kind });
  }
  if (request.state !== 'unknown') throw new LateClickError(request);
  return { request, entry };
}

/** Settling sends nothing, so freezes do not apply. */
function withoutFreezes(context: Context): Context {
  const rulebook = context.rulebook();
  const policy = { ...rulebook.policy, freeze: [] };
  return { ...context, rulebook: () => ({ ...rulebook, policy }) };
}

function commandOf(entry: Entry, { input: values, target }: Request): ResolvedCommand {
  const input = readInput(entry, values);
  return { entry, values, options: {}, input, target, effective: effectiveValues(entry, input, target) };
}

async function recordingIgnored<T>(
  context: Context,
  caller: Caller,
  requestId: string,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await assertOwnWorkspace(context, caller.actor);
    return await work();
  } catch (error) {
    if (!(error instanceof MayHaveRunError))
      await auditIgnoredClick(context, { ...caller, requestId, action: what }, undefined, error);
    throw error;
  }
}
