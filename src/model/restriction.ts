import type { TextPart } from '../text/parts.ts';
import type { DueKind, Lasting } from './records/due.ts';
import type { Target } from './rulebook/target.ts';
import { type Actor, samePerson } from './values/actor.ts';

export interface RestrictedChange {
  readonly target: Target;
  readonly requester: Actor;
}

/** While something of a feature lasts, only one person may change its targets. */
export interface Bar {
  /** For example `hold h-1`. */
  readonly title: string;
  /** The person who is not restricted. */
  readonly by: Actor;
  /** For example `env=production`. */
  readonly what: string;
  readonly meets: (target: Target) => boolean;
  /** Why a target is not changed, with people and times. */
  readonly said: (name: string) => readonly TextPart[];
  /** For the review of a change that overrode it. */
  readonly overridden: (name: string) => readonly TextPart[];
  /** The operation that ends it, also for people other than `by`, if the rules allow it to them. */
  readonly endedBy?: string;
  /** The next action of a person who is denied. @param roles the roles that may end it, or `you` if the reader has one */
  readonly instead: (roles: readonly string[] | 'you') => readonly TextPart[];
  /** The advice to the person who is not restricted, and who can end it. */
  readonly advice: string;
  /** In epoch milliseconds. Undefined if the end is not known. */
  readonly until: number | undefined;
}

/** Apply while the feature's records, such as holds, last. */
export interface LastingRestriction {
  readonly kind: DueKind;
  /** For example `hold`. */
  readonly noun: string;
  /** Above the restrictions on Home and in `/bellhop policy`. */
  readonly label: string;
  /** Pure. @param all everything that lasts of this kind */
  readonly bars: (all: readonly Lasting[]) => readonly Bar[];
  /** The end of the last one that restricted this change: how, by whom and when. Undefined if that is not known any more. */
  readonly ended?: (all: readonly Lasting[], change: RestrictedChange) => readonly TextPart[] | undefined;
  /** For policy tests. The key's value lists the restricted targets. */
  readonly assumed: {
    readonly key: string;
    readonly description: string;
    readonly text: (name: string) => string;
  };
}

export const barring = (bars: readonly Bar[], { target, requester }: RestrictedChange): readonly Bar[] =>
  bars.filter(({ by, meets }) => meets(target) && !samePerson(by, requester));

/** Something that restricts changes now, in words with people and times. */
export interface Standing extends Pick<Bar, 'by' | 'until'> {
  readonly label: string;
  readonly noun: string;
  readonly said: readonly TextPart[];
}
