import type { Actor, Place } from '../model/actor.ts';
import type { AuditEntry, AuditFilter } from '../audit/audit.ts';
import type { Decision, WhoMay } from '../policy/policy.ts';
import type { RequestFilter } from '../request/requests.ts';
import type { Item, ReportParts } from '../model/report.ts';
import type { Request } from '../request/request.ts';
import type { OnCall } from '../model/on-call.ts';
import type { Rulebook } from '../model/rulebook.ts';
import type { RulesStatus, Status } from './status.ts';
import type { Target } from '../model/target.ts';

/** How the rules would decide, and about what. Nothing is done and nothing is written. */
export interface Explanation {
  readonly decision: Decision;
  /** The roles that the person holds now. */
  readonly roles: ReadonlySet<string>;
  /** Roles of which it cannot be told now whether the person holds them. */
  readonly unknownRoles: ReadonlySet<string>;
  readonly target: Target;
  readonly whoMay: WhoMay;
  /** The schedules that put the person on call, of those that what decided asks for. */
  readonly onCallBy: readonly string[];
}

/** Who looks, and where. */
export interface Reader {
  readonly actor: Actor;
  readonly place: Place;
}

/** The rules that this replica goes by, and how they came to be. */
export interface PolicyInForce {
  readonly rulebook: Rulebook;
  readonly status: RulesStatus;
}

/** What Bellhop can tell about itself, for its own operations. Looking changes nothing. */
export interface Introspection {
  /** What some rule could let the actor run here, on some target. */
  helpHere(actor: Actor, place: Place): Promise<ReportParts>;
  /**
   * Authorizes a command as if `actor` typed it in `place`. With a moment the rules are those of now, and limits and guards,
   * which depend on what was done before, are left out.
   * @param at epoch milliseconds
   * @throws BellhopError for an incomplete command
   */
  explain({ actor, place }: Reader, area: string, text: string, at?: number): Promise<Explanation>;
  /** What waits for the actor. */
  openItems(actor: Actor): Promise<readonly Item[]>;
  requests(filter: RequestFilter): Promise<readonly Request[]>;
  /** Where people find the message of a request, if anywhere. */
  linkTo(requestId: string): Promise<string | undefined>;
  /** What somebody is called; undefined where they cannot be looked up. */
  nameOf(actor: Actor): Promise<string | undefined>;
  /** Newest first. Reads of others are left out, unless a rule that names `bellhop.audit` lets the reader run it. */
  audit(reader: Reader, filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** How this replica is, and what waits in the store. */
  status(): Promise<Status>;
  policy(): Promise<PolicyInForce>;
  /** What each schedule of the rules tells now. */
  onCall(): readonly OnCall[];
}
