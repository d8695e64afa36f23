import type { ApproversAfter, Demand, Effect } from '../rulebook/rulebook.ts';
import type { Actor } from './actor.ts';
import type { TextPart } from '../../text/parts.ts';

/**
 * The entry of `bellhop.yaml` that decided, by section and index from 0. The kind is `feature` for what a feature
 * restricts, and `none` if no rule matches.
 */
export interface DecidedBy {
  readonly kind: 'rule' | 'freeze' | 'limit' | 'guard' | 'feature' | 'none';
  readonly index?: number | undefined;
}

export interface Decision {
  readonly effect: Effect;
  readonly by: DecidedBy;
  /** The title of that entry: `rule “its name”` or `rule 2`, `freeze 1`, `limit 1`, `guard 1` or `no rule`. */
  readonly rule: string;
  readonly explanation: string;
  /** The explanation, or the note of a decision that is not a denial, with people and times. */
  readonly said?: readonly TextPart[] | undefined;
  /** For several targets, the one that the decision comes from. */
  readonly on?: string | undefined;
  readonly approvers: readonly string[];
  readonly approvals: number;
  /** The roles that may approve soonest come first. */
  readonly approversAfter?: readonly ApproversAfter[] | undefined;
  readonly typeName: boolean;
  readonly demands?: readonly Demand[] | undefined;
  readonly note?: string | undefined;
  /** When a denial ends by itself, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** Set if the denial ends soon, so that an open request stays open. */
  readonly passes?: true | undefined;
  /** Set if the command is denied because the person's roles can't be looked up. It may be allowed in a minute. */
  readonly cannotTell?: true | undefined;
  /** Set if a source of a role does not answer, and so gives the role to no one. The command may be allowed in a minute. */
  readonly unanswered?: true | undefined;
  /** Set if the person may override the restriction that denies the command. Says how. */
  readonly wayOut?: string | undefined;
  /** The people who can end the restriction that denies the command, with what each of them is advised. */
  readonly enders?: readonly { readonly by: Actor; readonly advice: string }[] | undefined;
  readonly byRoles?: readonly string[] | undefined;
  /** Set if break-glass skips the approval that the rule asks for. A review is then opened. */
  readonly approvalSkipped?: boolean | undefined;
  /** If an approval is needed, the roles that may skip the approval with break-glass. */
  readonly breakGlass?: readonly string[] | undefined;
  /** For a denial, the roles and channels that would be allowed. Empty if there are none. */
  readonly needed: {
    readonly roles: readonly string[];
    readonly channels: readonly string[];
    readonly elsewhere?: readonly string[] | undefined;
    readonly breakGlass?: readonly string[] | undefined;
  };
}
