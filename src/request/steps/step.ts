import type { AuditDraft } from '../../model/audit.ts';
import type { RunnerContext } from '../../model/ports.ts';
import { BellhopError } from '../../model/errors.ts';
import { correctTo, type Step } from '../../model/requests.ts';
import { mayFollow, type Request, type RequestChanges, type State } from '../../model/request.ts';

const endsUnsent: ReadonlySet<State> = new Set<State>(['cancelled', 'expired', 'refused']);

/** The step from the state that the caller saw. Throws for a transition that does not exist, which is a bug. */
export function stepFrom(
  context: Pick<RunnerContext, 'clock' | 'startedAt'>,
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
export async function takeStep(context: RunnerContext, seen: Request, step: Step): Promise<Request> {
  const after = await context.store.advance(step);
  if (!after) throw new LostRaceError((await context.store.find(seen.id)) ?? seen);
  context.messages.changed(after);
  return after;
}
