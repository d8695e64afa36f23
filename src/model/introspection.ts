import type { Actor, Place } from './values/actor.ts';
import type { AuditEntry, AuditFilter, Forwarding } from './records/audit.ts';
import type { Decision, WhoMay } from './values/decision.ts';
import type { DueTally } from './records/due.ts';
import type { RequestFilter } from './records/requests.ts';
import type { Item, ReportParts } from './values/report.ts';
import type { Request, State } from './records/request.ts';
import type { OnCall } from './values/on-call.ts';
import type { Rulebook } from './rulebook/rulebook.ts';
import type { Target } from './rulebook/target.ts';

/** How the rules would decide about a command. Nothing is run or recorded. */
export interface Explanation {
  readonly decision: Decision;
  /** The person's current roles. */
  readonly roles: ReadonlySet<string>;
  /** Roles that can't be looked up right now. */
  readonly unknownRoles: ReadonlySet<string>;
  readonly target: Target;
  readonly whoMay: WhoMay;
  /** The schedules of the required roles that put the person on call. */
  readonly onCallBy: readonly string[];
}

export interface Reader {
  readonly actor: Actor;
  readonly place: Place;
}

/** This replica's current rules, and their status. */
export interface PolicyInForce {
  readonly rulebook: Rulebook;
  readonly status: RulesStatus;
}

/** Read-only information about Bellhop itself, for its own operations. */
export interface Introspection {
  /** The operations that some rule could allow the actor to run here. */
  helpHere(actor: Actor, place: Place): Promise<ReportParts>;
  /**
   * Authorizes a command as if `actor` typed it in `place`. At another time, it uses the current rules without limits and
   * guards, which depend on earlier changes.
   * @param at epoch milliseconds
   * @throws BellhopError for an incomplete command
   */
  explain({ actor, place }: Reader, area: string, text: string, at?: number): Promise<Explanation>;
  /** The requests that wait for the actor. */
  openItems(actor: Actor): Promise<readonly Item[]>;
  requests(filter: RequestFilter): Promise<readonly Request[]>;
  /** A link to a request's message, if it has one. */
  linkTo(requestId: string): Promise<string | undefined>;
  /** A person's name; undefined if it can't be looked up. */
  nameOf(actor: Actor): Promise<string | undefined>;
  /** Newest first. Other people's reads are hidden, unless a rule that names `bellhop.audit` allows the reader to run it. */
  audit(reader: Reader, filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** This replica's health, and the work waiting in the store. */
  status(): Promise<Status>;
  policy(): Promise<PolicyInForce>;
  /** Each schedule's current answer. */
  onCall(): readonly OnCall[];
}

/** The states that need attention: open ones, and unknown outcomes. */
export const waitingStates = [
  'proposed',
  'awaiting approval',
  'running',
  'unknown',
] as const satisfies State[];

/** The work waiting in the store, for all replicas. */
export interface Tally {
  /** Rollouts are counted separately, as `rolling` or `paused`, because they take long. */
  readonly requests: Readonly<Record<(typeof waitingStates)[number] | 'rolling' | 'paused', number>>;
  /** Overdue work; missing kinds have none. */
  readonly due: readonly DueTally[];
  readonly audit: AuditTally;
}

/** The audit log, counted. */
export interface AuditTally {
  /** Recorded entries, sealed or not. */
  readonly entries: number;
  /** Entries that are not in the tree yet. */
  readonly unsealed: number;
  /** The time of the oldest unnumbered entry, in epoch milliseconds. */
  readonly oldestUnsealedAt: number | undefined;
}

/** What Bellhop can't do because the chat platform does not grant it a scope. */
export interface Withheld {
  readonly what: 'mentions' | 'direct messages' | 'public channels' | 'files' | 'people' | 'user groups';
  readonly scope: string;
  /** The consequence, as the end of a sentence. */
  readonly text: string;
}

/** “The Slack app lacks the scope files:write: answers can't be sent as files.” */
export const withheldText = ({ scope, text }: Withheld): string =>
  `The Slack app lacks the scope ${scope}: ${text}.`;

/** A dependency of Bellhop, as in `/readyz`. */
export interface PartStatus {
  readonly ok: boolean;
  /** Since when it is in this state, in epoch milliseconds. */
  readonly since: number;
  readonly lastError?: string;
  /** False if the replica keeps accepting work without it. */
  readonly required?: false;
  /** Details, such as which rules are in force since when. */
  readonly detail?: string;
}

interface RefusedRules {
  readonly at: number;
  /** One per line. */
  readonly problems: string;
}

/** This replica's rules. Times are epoch milliseconds. */
export interface RulesStatus {
  readonly policyHash: string;
  /** Since when these rules are in force. */
  readonly since: number;
  /** Warnings about the rules, one per line. */
  readonly warnings: readonly string[];
  /** A newer bellhop.yaml that was rejected. */
  readonly refused?: RefusedRules | undefined;
  /** The last bellhop.yaml that was rejected since this replica started, fixed or not. */
  readonly lastRefused?: RefusedRules | undefined;
}

/** This replica's view of the service. Times are epoch milliseconds. */
export interface ServiceStatus {
  readonly lastSuccessAt?: number;
  readonly lastFailure?: { readonly at: number; readonly call: string; readonly outcome: string };
  /** Areas with an open circuit breaker: `cdn`. */
  readonly leftAlone: readonly string[];
}

/** A hook's deliveries since this replica started. Times are epoch milliseconds. */
export interface HookStatus {
  readonly name: string;
  readonly received: number;
  /** How many of the alerts were grouped into a message about many. */
  readonly folded: number;
  readonly rejected: number;
  readonly lastReceivedAt?: number | undefined;
  readonly lastRejected?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/** An agent's calls since this replica started. */
export interface AgentStatus {
  /** `unknown` for callers without a valid token. */
  readonly name: string;
  readonly answered: number;
  readonly refused: number;
  readonly refusedInARow: number;
  readonly lastRefused?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/** The keys to verify the audit log with, and how far it is sealed. */
export interface AuditStatus {
  /** This replica's public verifier keys, `name+hash+base64`. Empty if they did not sign the newest checkpoint. */
  readonly keys: readonly string[];
  /** The number of the newest checkpoint, and how many entries it covers. */
  readonly checkpoint: number;
  readonly entries: number;
}

/** This replica's status, and its view of the rest. */
export interface Status {
  readonly version: string;
  readonly replica: string;
  readonly startedAt: number;
  /** By name. */
  readonly parts: Readonly<Record<string, PartStatus>>;
  readonly service: ServiceStatus;
  /** Further accounts that were called. */
  readonly accounts: readonly (ServiceStatus & { readonly name: string })[];
  readonly withheld: readonly Withheld[];
  readonly rules: RulesStatus;
  /** Hooks with deliveries. */
  readonly hooks: readonly HookStatus[];
  /** The agents that called. */
  readonly agents: readonly AgentStatus[];
  /** Undefined if the store is unavailable. */
  readonly tally: Tally | undefined;
  /** Undefined if the store is unavailable, or nothing is sealed yet. */
  readonly audit?: AuditStatus | undefined;
  /** Undefined if nothing is forwarded, or if the store is unavailable. */
  readonly forwarding?: Forwarding | undefined;
}

/** Retention, and counts of waiting work. Rejects with BellhopError `store-unavailable`. */
export interface Housekeeping {
  /**
   * Removes at most `limit` ended requests created before `olderThan`, unless their card is due or their review is open.
   * Resolves to their number; fewer than `limit` means that none is left. The audit log keeps what they did.
   */
  removeSettled(olderThan: number, limit: number): Promise<number>;
  /**
   * Removes at most `limit` groups of alerts that had no update since `olderThan`, or exceed the maximum, and messages
   * that have no group left. Resolves to their number; fewer than `limit` means that none is left.
   */
  removeAlerts(olderThan: number, limit: number): Promise<number>;
  /** Counts of waiting work. */
  tally(now: number): Promise<Tally>;
  /** The time of the database server, in epoch milliseconds; undefined for the embedded store. */
  serverTime(): Promise<number | undefined>;
}
