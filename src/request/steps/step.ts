import type { AuditDraft } from '../../model/audit.ts';
import type { StepContext } from '../../model/context.ts';
import { BellhopError } from '../../model/errors.ts';
import type { Step } from '../../model/requests.ts';
import { noticesOf } from './notice.ts';
import { mayFollow, type Request, type RequestChanges, type State } from '../../model/request.ts';

const endsUnsent: ReadonlySet<State> = new Set<State>(['cancelled', 'expired', 'refused']);

/** The step from what the caller saw. A step that the states do not allow is a mistake of ours: it throws. */
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

/** The same whatever state was seen: what is known to have happened counts, also where the store went back in time. */
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

/** A step that somebody else's step came before. Carries the row as it is now. */
export class LostRaceError extends BellhopError {
  override readonly name = 'LostRaceError';
  readonly current: Request;

  constructor(current: Request) {
    super('busy', 'Somebody else was first.');
    this.current = current;
  }
}

/** Takes a step and has its card shown. @throws LostRaceError where the request was no longer as the caller saw it */
export async function takeStep(context: StepContext, seen: Request, step: Step): Promise<Request> {
  const after = await context.store.advance(step);
  if (!after) throw new LostRaceError((await context.store.find(seen.id)) ?? seen);
  context.messages.changed(after);
  return after;
}
