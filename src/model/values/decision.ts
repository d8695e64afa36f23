import type { ApproversAfter, Demand, Effect } from '../rulebook/rulebook.ts';
import type { Actor } from './actor.ts';
import type { TextPart } from '../../text/parts.ts';

/**
 * The entry of `bellhop.yaml` that decided, by section and index from 0. `feature` is a feature's restriction, `none` means that no rule
 * matches.
 */
export interface DecidedBy {
  readonly kind: 'rule' | 'freeze' | 'limit' | 'guard' | 'feature' | 'none';
  readonly index?: number | undefined;
}

export interface Decision {
  readonly effect: Effect;
  readonly by: DecidedBy;
  /** `rule “its name”` or `rule 2`, `freeze 1`, `limit 1`, `guard 1` or `no rule`. */
  readonly rule: string;
  readonly explanation: string;
  /** The explanation, or the note of a decision that is not a denial, with people and times. */
  readonly said?: readonly TextPart[] | undefined;
  /** Of several targets, the one that the decision comes from. */
  readonly on?: string | undefined;
  readonly approvers: readonly string[];
  readonly approvals: number;
  /** Soonest first. */
  readonly approversAfter?: readonly ApproversAfter[] | undefined;
  readonly typeName: boolean;
  readonly demands?: readonly Demand[] | undefined;
  readonly note?: string | undefined;
  /** When a denial ends by itself, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** The denial ends soon, so that an open request stays open. */
  readonly passes?: true | undefined;
  /** Denied because the person's roles can't be looked up. May be allowed in a minute. */
  readonly cannotTell?: true | undefined;
  /** A source of a role does not answer, and so gives the role to no one. May be allowed in a minute. */
  readonly unanswered?: true | undefined;
  /** How the person may override the restriction. */
  readonly wayOut?: string | undefined;
  /** The people who can end the restriction, each with advice. */
  readonly enders?: readonly { readonly by: Actor; readonly advice: string }[] | undefined;
  readonly byRoles?: readonly string[] | undefined;
  /** By break-glass. A review is then opened. */
  readonly approvalSkipped?: boolean | undefined;
  /** If an approval is needed, the roles that may skip it with break-glass. */
  readonly breakGlass?: readonly string[] | undefined;
  /** For a denial: what would be allowed. */
  readonly needed: {
    readonly roles: readonly string[];
    readonly channels: readonly string[];
    readonly elsewhere?: readonly string[] | undefined;
    readonly breakGlass?: readonly string[] | undefined;
  };
}
