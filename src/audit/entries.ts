import { hash, randomBytes } from 'node:crypto';

import type { SourceAnswer } from '../model/members.ts';
import type { AuditDraft, AuditEvent, AuditLog } from '../model/records/audit.ts';
import type { Log, Rules } from '../model/ports.ts';
import type { Request } from '../model/records/request.ts';
import { kindOf, targetKey, type Target } from '../model/rulebook/target.ts';

type Details = Partial<Omit<AuditDraft, 'at' | 'event' | 'policyHash' | 'target'>> & {
  readonly target?: Target | undefined;
  readonly answers?: readonly SourceAnswer[] | undefined;
};

export interface EntryContext {
  readonly clock: Pick<Rules['clock'], 'now'>;
  rulebook(): { readonly policy: { readonly hash: string } };
}

export interface AuditContext extends Pick<Rules, 'rulebook' | 'clock'> {
  readonly store: Pick<AuditLog, 'record'>;
  readonly log: Log;
}

/** Makes an entry about anything that is not a step of a request. */
export function entryOf(context: EntryContext, event: AuditEvent, details: Details): AuditDraft {
  const { target, answers = [], ...rest } = details;
  const draft: AuditDraft = {
    at: context.clock.now(),
    event,
    ...rest,
    target: target && {
      kind: kindOf(target),
      name: target.name,
      key: targetKey(target),
      labels: target.labels,
    },
    policyHash: context.rulebook().policy.hash,
  };
  return [...Map.groupBy(answers, ({ kind }) => kind)].reduce(
    (entry, [kind, given]) => kind.answers.addTo(entry, given),
    draft,
  );
}

/** Records an entry without making anyone wait. Logs failures and never rejects. */
export async function tryRecord(context: AuditContext, event: AuditEvent, details: Details): Promise<void> {
  try {
    await context.store.record([entryOf(context, event, details)]);
  } catch (error) {
    const { correlationId, requestId } = details;
    context.log.error({ err: error, event, correlationId, requestId }, 'audit entry not recorded');
  }
}

/**
 * `place` is the channel of the step, if the request was proposed in another channel. `reason` is what the actor typed
 * at this step, and may be empty. The request's reason is in the entry of the proposal.
 */
type StepDetails = Pick<
  Details,
  'actor' | 'place' | 'error' | 'note' | 'reason' | 'answers' | 'login' | 'serviceRequestId'
>;

export function stepEntry(
  context: EntryContext,
  event: AuditEvent,
  request: Request,
  outcome: string,
  { actor, place = request.place, reason, error, note, answers, login, serviceRequestId }: StepDetails = {},
): AuditDraft {
  return entryOf(context, event, {
    actor,
    place,
    operation: request.operation,
    input: request.input,
    target: request.target,
    decision: request.decision.effect,
    rule: request.decision.rule,
    requestId: request.id,
    rollout: request.partOf,
    outcome,
    reason: reason || undefined,
    error,
    note,
    answers,
    login,
    serviceRequestId,
    correlationId: request.correlationId,
  });
}

/**
 * A typed text is stored next to the entry, which has only the hash of the text. Once the text is removed, the entry
 * can still be proved, and no longer reveals the text. The salt keeps a short text from being guessed by its hash.
 */
export interface TypedReason {
  /** SHA-256 of `typed` in UTF-8, in hexadecimal. The entry has this hash as `{"reason":{"sha256":"…"}}`. */
  readonly hash: string;
  /** Consists of the salt in 32 hexadecimal digits, a line break, and the text. */
  readonly typed: string;
}

const saltBytes = 16;

export function typedReason(text: string): TypedReason {
  const typed = `${randomBytes(saltBytes).toString('hex')}\n${text}`;
  return { hash: hashOfTyped(typed), typed };
}

export const hashOfTyped = (typed: string): string => hash('sha256', typed);

export const textOfTyped = (typed: string): string => typed.slice(2 * saltBytes + 1);

/** This value replaces a text that was removed. */
export const removedReason = 'removed';
