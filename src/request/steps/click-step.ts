import { stepEntry } from '../../audit/entries.ts';
import type { Caller } from '../../model/values/actor.ts';
import type { AuditEvent } from '../../model/records/audit.ts';
import type { SourceAnswer } from '../../model/members.ts';
import type { Context } from '../../model/ports.ts';
import type { Request, RequestChanges, State } from '../../model/records/request.ts';
import type { Login } from '../../model/values/pass.ts';
import { stepFrom, takeStep } from './step.ts';

/** The place of the click may differ from that of the proposal. */
interface By extends Pick<Caller, 'actor' | 'place' | 'openDelivery'> {
  readonly answers?: readonly SourceAnswer[] | undefined;
  /** Of a denial, may be ''. The audit entry has it instead of a note. */
  readonly reason?: string | undefined;
  readonly login?: Login | undefined;
}

interface EndDetails {
  /** Undefined if the request expired. */
  readonly by?: By | undefined;
  readonly note?: string | undefined;
  /** When the change will be allowed again, in epoch milliseconds. */
  readonly refusedUntil?: number | undefined;
}

/** Removes the note, because the warning of a proposal no longer applies. @throws LostRaceError */
export function end(
  context: Context,
  request: Request,
  to: 'cancelled' | 'refused' | 'expired',
  event: AuditEvent,
  { by, note = '', refusedUntil }: EndDetails = {},
): Promise<Request> {
  const decision = { ...request.decision, refusedUntil };
  return step(context, request, to, event, by, { endedAt: context.clock.now(), note, decision });
}

/** @throws LostRaceError */
export function step(
  context: Context,
  request: Request,
  to: State,
  event: AuditEvent,
  by: By | undefined,
  changes: RequestChanges,
): Promise<Request> {
  // The rules refused the request, so no person decided.
  const decidedBy = event === 'refused' ? undefined : by?.actor;
  const decidedAt = decidedBy && (changes.endedAt ?? context.clock.now());
  const note = (by?.reason === undefined && changes.note) || undefined;
  const { actor, place, reason, answers, login } = by ?? {};
  const about = { actor, place, note, reason, answers, login };
  const audit = [stepEntry(context, event, request, to, about)];
  const decided = { ...changes, decidedBy, decidedAt };
  const closes = by?.openDelivery?.();
  return takeStep(context, request, { ...stepFrom(context, request, to, decided, audit), closes });
}
