import type { AuditDraft } from '../../model/audit.ts';
import type { StepContext } from '../../model/context.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Notice, Step } from '../../model/requests.ts';
import { type Request, type RequestChanges, type State, isOpen, mayFollow } from '../../model/request.ts';
import { sameActor } from '../../model/actor.ts';

const endsUnsent: ReadonlySet<State> = new Set<State>(['cancelled', 'expired', 'refused']);

/** The step from the state that the caller saw. Throws for a transition that does not exist, which is a bug. */
export function stepFrom(
  context: Pick<StepContext, 'clock' | 'startedAt'>,
  seen: Request,
  to: State,
  changes: RequestChanges,
  audit: readonly AuditDraft[],
): Step {
  if (!mayFollow(seen.state, to)) throw new RangeError(`${seen.id}: ${to} cannot follow ${seen.state}`);
  const unwitnessed = endsUnsent.has(to) && seen.createdAt < context.startedAt;
  const outcome = unwitnessed ? { ...changes.outcome, unwitnessed } : changes.outcome;
  return correctTo(context.clock.now(), seen, to, { ...changes, outcome }, audit);
}

/** The same from any state: a known outcome counts, even after the store was restored. */
export function correctTo(
  at: number,
  seen: Request,
  to: State,
  changes: RequestChanges,
  audit: readonly AuditDraft[],
): Step {
  const notices = noticesOf(seen, to, changes, at);
  return { id: seen.id, from: seen.state, version: seen.version, to, at, changes, audit, notices };
}

/** Another step was faster. Carries the current row. */
export class LostRaceError extends BellhopError {
  override readonly name = 'LostRaceError';
  readonly current: Request;

  constructor(current: Request) {
    super('busy', 'Someone else was faster.');
    this.current = current;
  }
}

/** Takes a step and shows the card. @throws LostRaceError if the request has changed since the caller read it */
export async function takeStep(context: StepContext, seen: Request, step: Step): Promise<Request> {
  const after = await context.store.advance(step);
  if (!after) throw new LostRaceError((await context.store.find(seen.id)) ?? seen);
  context.messages.changed(after);
  return after;
}

/** Approvers are reminded when this fraction of the time is left. */
const reminderPart = 1 / 3;

/** The notices of a request that needs an approval. */
export function waitingNotices(
  { id, createdAt, expiresAt }: Pick<Request, 'id' | 'createdAt' | 'expiresAt'>,
  now: number,
): readonly Notice[] {
  const remindAt = Math.round(expiresAt - (expiresAt - createdAt) * reminderPart);
  return [
    { requestId: id, kind: 'waiting', at: now },
    ...(remindAt > now ? [{ requestId: id, kind: 'reminder', at: remindAt } as const] : []),
  ];
}

/** The notice that a step causes. */
function noticesOf(seen: Request, to: State, changes: RequestChanges, at: number): readonly Notice[] {
  if (to === seen.state) return [];
  if (to === 'awaiting approval') return waitingNotices(seen, at);
  const kind = noticeKind(seen, to, changes);
  if (kind === undefined) return [];
  const hand = changes.outcome?.settledByHand;
  const by = hand?.by ?? (byPerson.has(kind) ? changes.decidedBy : undefined);
  const why = hand?.reason ?? changes.note ?? changes.outcome?.error?.message;
  return [{ requestId: seen.id, kind, at, by, why }];
}

const byPerson: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>(['approved', 'denied', 'replaced']);

function noticeKind(seen: Request, to: State, { decidedBy }: RequestChanges): Notice['kind'] | undefined {
  if (!isOpen(seen.state)) return 'settled';
  switch (to) {
    case 'running':
      return seen.state === 'awaiting approval' ? 'approved' : undefined;
    case 'refused':
      return decidedBy ? 'denied' : 'refused';
    case 'expired':
    case 'failed':
    case 'unknown':
      return to;
    case 'succeeded':
      return seen.outcome?.tasks ? 'done' : undefined;
    case 'cancelled':
      return decidedBy && !sameActor(decidedBy, seen.requester) ? 'replaced' : undefined;
    case 'proposed':
    case 'awaiting approval':
      return undefined;
  }
}
