import type { AuditDraft } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Step } from '../model/ports.ts';
import { mayFollow, type Request, type RequestChanges, type State } from './request.ts';

/** Longer than showing a card may take, so that no other replica shows it at the same time. In milliseconds. */
export const showingMs = 12_000;

/** The step from what the caller saw. A step that the states do not allow is a mistake of ours: it throws. */
export function stepFrom(
  context: Context,
  seen: Request,
  to: State,
  changes: RequestChanges,
  audit: readonly AuditDraft[],
): Step {
  if (!mayFollow(seen.state, to)) throw new RangeError(`${seen.id}: ${to} cannot follow ${seen.state}`);
  const cardOwnerUntil = context.clock.now() + showingMs;
  return { id: seen.id, from: seen.state, version: seen.version, to, changes, cardOwnerUntil, audit };
}
