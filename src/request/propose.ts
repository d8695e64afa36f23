import { z } from 'zod';

import { sameActor, type Caller } from '../model/values/actor.ts';
import { stepEntry } from '../audit/entries.ts';
import { sentences } from '../text/words.ts';
import { type Context, type RunnerContext, within } from '../model/ports.ts';
import { badInput, BellhopError } from '../model/values/errors.ts';
import { format } from '../command/grammar/format.ts';
import { pauseText } from '../command/each.ts';
import type { Authorization } from '../policy/authorize.ts';
import { faultsBefore, inTime, lookBack, reachOf } from '../policy/reach.ts';
import type { Decision } from '../model/values/decision.ts';
import { namesOfPeople } from '../policy/denied.ts';
import { tooFewNote } from './too-few-approvers.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import type { OfferEnd } from '../model/records/offer.ts';
import type { Proposal, Proposed, Step } from '../model/records/requests.ts';
import { stepFrom } from './steps/step.ts';
import { isOpen, type Request, type RequestDecision, waitingFor } from '../model/records/request.ts';
import { proposedWhole } from '../model/records/whole.ts';
import { draftFor, supersede } from './draft.ts';
import { RequestInTheWayError } from './in-the-way.ts';
import { Passed } from './gates.ts';
import { startRequest } from './run-request.ts';
import type { Entry } from '../model/registry.ts';
import { fact } from '../model/values/report.ts';
import { isOffered } from '../model/rulebook/rulebook.ts';
import { targetKey, type Target } from '../model/rulebook/target.ts';
import { redactTexts } from '../command/redactor.ts';

/** In milliseconds. A second press of a button within this time after its request ended is a double click. */
const pressMs = 60_000;

/**
 * Stores the request and shows its card. It supersedes an older request of the target that is not confirmed yet. A request that awaits
 * approval is superseded only by its requester, or by break-glass once that is confirmed. A taken offer ends in the same transaction.
 * @throws BellhopError `busy` if another request for the target is open, or the same press has already run
 */
export async function propose(
  context: Context,
  caller: Caller,
  command: ResolvedCommand,
  authorization: Authorization,
  offer?: TakenOffer,
): Promise<Request> {
  const drafted = await draft(context, caller, command, authorization, offer);
  const ends = offer?.end(drafted);
  const { createdAt: at } = drafted;
  const {
    superseded,
    request: inserted,
    ...found
  } = await insert(context, {
    request: drafted,
    press: caller.press === undefined ? undefined : { key: caller.press, freeBefore: at - pressMs },
    at,
    audit: [
      stepEntry(context, 'proposed', drafted, drafted.state, {
        actor: caller.actor,
        reason: drafted.reason,
        answers: authorization.answers,
      }),
      ...(ends?.audit ?? []),
    ],
    ends,
    closes: caller.openDelivery?.(),
  });
  if (superseded) context.messages.changed(superseded);
  const request = { ...inserted, ...found };
  if (request.decision.effect === 'allow') {
    try {
      const { decision, check } = authorization;
      const passed = Passed.already(context, request, decision);
      if (typeof passed === 'string') throw new BellhopError('denied', passed);
      return await startRequest(context, command, request, { passed, check });
    } catch (error) {
      // The requester can still confirm the request on its card.
      context.log.warn({ err: error, requestId: request.id }, 'a request could not be started at once');
    }
  }
  context.messages.changed(request);
  return request;
}

export interface TakenOffer {
  /** The first sentence of the request's note. */
  readonly note: string;
  end(request: Request): OfferEnd;
}

const maxTries = 4;

/** @throws RequestInTheWayError if another open request can't be superseded, or if others were faster each time */
async function insert(
  context: RunnerContext,
  proposal: Proposal,
): Promise<Proposed & Pick<Proposal, 'request'>> {
  let next = proposal;
  for (let tries = 1; ; tries += 1) {
    const { conflict, ...proposed } = await context.store.propose(next);
    const { request } = next;
    if (!conflict) return { ...proposed, request };
    if (tries === maxTries) throw new RequestInTheWayError(conflict, request.requester);
    const newer = { ...request, note: proposal.request.note };
    const isGone = conflict === next.supersedes?.before;
    next = isGone ? proposal : { ...proposal, ...(await besides(context, conflict, newer)) };
  }
}

/** A request that skips an approval is a draft at first. Otherwise, a newer request replaces an older one at once. */
async function besides(
  context: RunnerContext,
  older: Request,
  newer: Request,
): Promise<Pick<Proposal, 'request' | 'supersedes'>> {
  const waits = older.state === 'awaiting approval' && older.expiresAt > newer.createdAt;
  const isSame = older.targetKey === newer.targetKey;
  if (waits && isSame && newer.breakGlass !== undefined && waitingFor(older) === undefined)
    return { request: draftFor(older, newer) };
  const supersedes = superseding(context, older, newer);
  const taken = supersedes.to === 'cancelled' && !sameActor(older.requester, newer.requester);
  const whose = taken && `Replaces ${await namesOfPeople(context, [older.requester])}'s unconfirmed request.`;
  return { request: whose ? { ...newer, note: sentences([newer.note, whose]) } : newer, supersedes };
}

async function draft(
  context: Context,
  caller: Caller,
  command: ResolvedCommand,
  { decision }: Authorization,
  offer: TakenOffer | undefined,
): Promise<Request> {
  const { entry, values, options, input, target, each } = command;
  const { operation } = entry;
  const [fault] = await faultsBefore(context, entry, input);
  if (fault) throw badInput(fault.text);
  const unread = await refuseUnknownTarget(context, caller, entry, target);
  const tooFew = await tooFewNote(context, decision, caller.actor);
  const rulebook = context.rulebook();
  const now = context.clock.now();
  const note = sentences([offer?.note, unread, decision.note, tooFew]);
  const previews = await Promise.all((each ?? [command]).map((one) => previewOf(context, caller, one)));
  return {
    id: context.ids.request(),
    version: 1,
    state: decision.effect === 'approve' ? 'awaiting approval' : 'proposed',
    operation: operation.name,
    input: values,
    words: format(entry, values, options),
    target,
    targetKey: targetKey(target),
    preview: [...(previews[0] ?? [])],
    ...(each && proposedWhole(target, previews, { each: options.each, pause: pauseText(options) })),
    requester: caller.actor,
    place: caller.place,
    // Without undefined members, as in the row that is read back.
    ...(options.reason !== undefined && { reason: options.reason }),
    ...(note !== undefined && { note }),
    ...(options.breakGlass !== undefined && { breakGlass: options.breakGlass }),
    decision: requestDecisionOf(decision, now),
    approvals: [],
    createdAt: now,
    expiresAt: now + rulebook.expireAfterMs,
    policyHash: rulebook.policy.hash,
    correlationId: caller.correlationId,
  };
}

/**
 * The preview, if it is ready within the time limit of a read, and the effect in a sentence, or else the operation's summary.
 * @throws BellhopError
 */
async function previewOf(
  context: Context,
  { correlationId }: Caller,
  { entry, values, input, target }: ResolvedCommand,
): Promise<Request['preview']> {
  const { operation } = entry;
  const before = lookBack(context, entry, input);
  const facts = await inTime(
    context,
    async (signal) =>
      operation.preview?.(input, target, {
        ...before,
        ...reachOf(context, entry, { correlationId, values, target, signal }),
      }),
    () => new BellhopError('not-sent', latePreview, { retryable: true }),
  );
  const effect = operation.effect?.(input, target, before) ?? operation.summary;
  const shown = [...(facts ?? []), { label: 'Effect', value: effect, isEffect: true as const }];
  return z.array(fact).parse(redactTexts(shown, (text) => context.redact(text)));
}

const latePreview = 'The current state could not be read in time. Nothing was done. Try again in a moment.';

/** In milliseconds. Short, because someone is waiting. */
const readWithinMs = 2000;

/**
 * Rejects mistyped ids before anyone is asked to approve the change. Resolves to a note if the service does not answer.
 * @throws BellhopError `unknown-target` for a target that neither the inventory nor the service knows
 */
async function refuseUnknownTarget(
  context: Context,
  { correlationId }: Caller,
  entry: Entry,
  target: Target,
): Promise<string | undefined> {
  const { operation } = entry;
  if (target.kind !== 'instance' || target.unlisted !== true || !operation.isKnown) return undefined;
  if (!isOffered(context.rulebook(), operation.looksWith)) return undefined;
  const known = await within(context.clock, readWithinMs, async (signal) =>
    operation.isKnown?.(target, reachOf(context, entry, { correlationId, target, signal })),
  );
  if (known === undefined) return "Bellhop couldn't check that this instance exists.";
  if (known) return undefined;
  throw new BellhopError(
    'unknown-target',
    `The service has no instance ${target.id} in project ${target.project}, region ${target.region}. ` +
      'Check the id. Nothing was done.',
  );
}

/** Waiting times count from `now`. Denials never get here. One would be stored as a decision that requires approval. */
export const requestDecisionOf = (
  {
    effect,
    rule,
    approvers,
    approvals,
    approversAfter = [],
    typeName,
    demands = [],
    breakGlass = [],
  }: Decision,
  now: number,
): RequestDecision => ({
  effect: effect === 'deny' ? 'approve' : effect,
  rule,
  approvers: [...approvers],
  approvals,
  typeName,
  // Without unset members, as in a stored row.
  ...(demands.length > 0 && { demands: demands.map(({ gate, verb }) => ({ gate, verb })) }),
  ...(approversAfter.length > 0 && {
    later: approversAfter.map(({ afterMs, roles }) => ({ at: now + afterMs, roles: [...roles] })),
  }),
  ...(breakGlass.length > 0 && { breakGlass: [...breakGlass] }),
});

/**
 * @throws RequestInTheWayError if the older request is running, has ended, or awaits an approval that the newer one does not skip
 */
function superseding(context: RunnerContext, older: Request, newer: Request): Step {
  const { requester: actor, createdAt: at } = newer;
  const meets = isOpen(older.state) && older.targetKey === newer.targetKey;
  if (!meets || older.state === 'running') throw new RequestInTheWayError(older, actor);
  if (older.expiresAt <= at && context.clockIsRight()) {
    const audit = [stepEntry(context, 'expired', older, 'expired')];
    return stepFrom(context, older, 'expired', { endedAt: at }, audit);
  }
  const mayReplace = older.state === 'proposed' || newer.breakGlass !== undefined;
  if (!mayReplace && !sameActor(older.requester, actor)) throw new RequestInTheWayError(older, actor);
  return supersede(context, older, newer);
}
