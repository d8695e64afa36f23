import type { DueKind, Lasting } from './records/due.ts';
import type { Target } from './rulebook/target.ts';
import type { Actor } from './values/actor.ts';
import type { Decision } from './values/decision.ts';

export interface RestrictedChange {
  readonly target: Target;
  readonly requester: Actor;
}

/** Restricts changes while something of a feature lasts. It can only restrict. */
export interface LastingRestriction {
  readonly kind: DueKind;
  /** Returns a decision that is at least as strict. Pure. @param all everything that lasts of this kind */
  readonly restrict: (all: readonly Lasting[], change: RestrictedChange, decision: Decision) => Decision;
}
