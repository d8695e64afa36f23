import type { TextPart } from '../text/parts.ts';
import type { DueKind, Lasting } from './records/due.ts';
import type { Target } from './rulebook/target.ts';
import type { Actor } from './values/actor.ts';
import type { Decision } from './values/decision.ts';

export interface RestrictedChange {
  readonly target: Target;
  readonly requester: Actor;
}

/** Something that restricts changes now, in words with people and times. */
export interface Standing {
  readonly label: string;
  readonly said: readonly TextPart[];
}

/** Restricts changes while something of a feature lasts. It can only restrict. */
export interface LastingRestriction {
  readonly kind: DueKind;
  /** Returns a decision that is at least as strict. Pure. @param all everything that lasts of this kind */
  readonly restrict: (all: readonly Lasting[], change: RestrictedChange, decision: Decision) => Decision;
  readonly standing: (all: readonly Lasting[]) => readonly Standing[];
  /** A key of policy tests, a list of targets that are restricted. */
  readonly assumed: {
    readonly key: string;
    readonly description: string;
    readonly lasting: (targets: readonly string[]) => readonly Lasting[];
  };
}
