import type { Effect } from './rulebook.ts';
import type { OnCall } from './on-call.ts';

/** What of `bellhop.yaml` decided: which entry of its section, from 0; `none` where no rule matches. */
export interface DecidedBy {
  readonly kind: 'rule' | 'freeze' | 'limit' | 'guard' | 'none';
  readonly index?: number | undefined;
}

export interface Decision {
  readonly effect: Effect;
  readonly by: DecidedBy;
  /** The same for people: `rule “its name”` or `rule 2`, `freeze 1`, `limit 1`, `guard 1` or `no rule`. */
  readonly rule: string;
  /** Why, and for a denial what would be needed, for people. */
  readonly explanation: string;
  /** Of a rollout: the name of the target that it comes from. */
  readonly on?: string | undefined;
  readonly approvers: readonly string[];
  readonly approvals: number;
  readonly typeName: boolean;
  /** Whoever lets it run signs in first. */
  readonly stepUp?: boolean | undefined;
  /** Said on the card too: a guard looked at more than the rules. */
  readonly note?: string | undefined;
  /** When a denial ends by itself, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** It ends soon: an open request that meets it stays open. */
  readonly passes?: true | undefined;
  /** A denial because somebody's roles cannot be looked up: the same may be allowed in a minute. */
  readonly cannotTell?: true | undefined;
  /** A denial where nobody counts as on call because a schedule does not answer: the same may be allowed in a minute. */
  readonly unanswered?: true | undefined;
  /** The roles that what decided asks for, where it does not deny. */
  readonly byRoles?: readonly string[] | undefined;
  /** The approval that the rule asks for is skipped by break-glass: a review is opened. */
  readonly approvalSkipped?: boolean | undefined;
  /** Where approval is needed: the roles that may skip it with break-glass. */
  readonly breakGlass?: readonly string[] | undefined;
  /** For a denial: whom it would be allowed to, and where. Empty where nobody may. */
  readonly needed: {
    readonly roles: readonly string[];
    readonly channels: readonly string[];
    /** Of these channels, those in which the actor may run it as they are. */
    readonly elsewhere?: readonly string[] | undefined;
    /** Roles that may skip an approval here with break-glass. */
    readonly breakGlass?: readonly string[] | undefined;
  };
}

/** Whom to ask and where, for a refusal. Ids, to be shown as the surface shows people and channels. */
export interface WhoMay {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
  readonly channels: readonly string[];
  /** Who is on call by the schedules of these roles. */
  readonly onCall?: readonly OnCall[] | undefined;
  /** Roles that may skip an approval here with break-glass, to be told while a schedule does not answer. */
  readonly breakGlass?: readonly string[] | undefined;
}
