import type { Actor, Place } from './values/actor.ts';
import type { EventMeanings } from './audit-event.ts';
import type { AuditEntry, AuditFilter } from './records/audit.ts';
import type { Decision } from './values/decision.ts';
import type { Members, WhoMay } from './members.ts';
import type { DueKind, DueTally, Lasting } from './records/due.ts';
import type { FiringOffer } from './records/offer.ts';
import type { Standing } from './restriction.ts';
import type { RequestFilter } from './records/requests.ts';
import type { Fact, Item, ReportParts, Table } from './values/report.ts';
import type { openStates, Request } from './records/request.ts';
import type { Rulebook, Source } from './rulebook/rulebook.ts';
import type { Target } from './rulebook/target.ts';

/** Nothing is run or recorded. */
export interface Explanation {
  readonly decision: Decision;
  readonly roles: ReadonlySet<string>;
  readonly unknownRoles: ReadonlySet<string>;
  readonly target: Target;
  readonly whoMay: WhoMay;
  /** Which sources give the person the required roles. */
  readonly memberBy: readonly Members[];
}

export interface Reader {
  readonly actor: Actor;
  readonly place: Place;
}

export interface PolicyInForce {
  readonly rulebook: Rulebook;
  readonly status: RulesStatus;
  readonly standing: readonly Standing[];
}

/** `more` says that the list is not complete. */
export interface OpenItems {
  readonly items: readonly Item[];
  readonly more: boolean;
}

export interface Introspection {
  /** Operations that some rule could allow the actor here. */
  helpHere(actor: Actor, place: Place): Promise<ReportParts>;
  /**
   * Authorizes a command as if `actor` typed it in `place`. With `at`, limits and guards are omitted, because they depend on earlier
   * changes.
   * @param at epoch milliseconds
   * @throws BellhopError for an incomplete command
   */
  explain({ actor, place }: Reader, area: string, text: string, at?: number): Promise<Explanation>;
  openItems(actor: Actor): Promise<OpenItems>;
  requests(filter: RequestFilter): Promise<readonly Request[]>;
  /** Undefined if the request has no message. */
  linkTo(requestId: string): Promise<string | undefined>;
  /** Undefined if the name can't be looked up. */
  nameOf(actor: Actor): Promise<string | undefined>;
  /** Newest first. Hides other people's reads, unless a rule that names `bellhop.audit` allows the reader that operation. */
  audit(reader: Reader, filter: AuditFilter): Promise<readonly AuditEntry[]>;
  readonly events: EventMeanings;
  /** Whether the person certainly has a role of bellhop.yaml. */
  holdsARole(actor: Actor): Promise<boolean>;
  /** The worst first. */
  firing(limit: number): Promise<readonly FiringOffer[]>;
  /** Undefined if the offer has no message. */
  linkToMessage(message: FiringOffer['message']): Promise<string | undefined>;
  lasting(kind: DueKind): Promise<readonly Lasting[]>;
  status(): Promise<Status>;
  policy(): Promise<PolicyInForce>;
  rulebook(): Rulebook;
  membersOf(source: Source): Members;
}

/** Of all replicas. */
export interface Tally {
  /** Requests with parts are counted separately, as `rolling` or `paused`, because they take long. */
  readonly requests: Readonly<Record<(typeof openStates)[number] | 'unknown' | 'rolling' | 'paused', number>>;
  /** By state: when its oldest request entered it, in epoch milliseconds. */
  readonly oldest: ReadonlyMap<string, number>;
  readonly due: readonly DueTally[];
  readonly audit: AuditTally;
}

export interface AuditTally {
  readonly entries: number;
  /** Entries that are not in the tree yet. */
  readonly unsealed: number;
  /** In epoch milliseconds. */
  readonly oldestUnsealedAt: number | undefined;
}

/** A scope or a user group that the chat platform withholds. */
export type Withheld = MissingScope | LostGroup;

export interface MissingScope {
  readonly what: 'mentions' | 'direct messages' | 'public channels' | 'files' | 'people' | 'user groups';
  readonly scope: string;
  readonly text: string;
}

/** A user group that a role names and the platform refuses to list, for example because it was deleted. `code` is the platform's. */
export interface LostGroup {
  readonly what: 'user group';
  readonly group: string;
  readonly code: string;
}

export const withheldText = (one: Withheld): string =>
  one.what === 'user group'
    ? `Slack does not list the user group ${one.group} (${one.code}): no one holds a role through it.`
    : `The Slack app lacks the scope ${one.scope}: ${one.text}.`;

/** Down while Slack accepts no messages. Its error is Slack's code. */
export const messagesPart = 'slack messages';

/** The detail of that part while Slack takes some messages and postpones others. */
export const limited = 'rate-limited';

/** The status of something that Bellhop depends on, as in `/readyz`. */
export interface PartStatus {
  readonly ok: boolean;
  /** In epoch milliseconds. */
  readonly since: number;
  readonly lastError?: string;
  /** False if the replica keeps accepting work while this part is down. */
  readonly required?: false;
  readonly detail?: string;
}

interface RefusedRules {
  readonly at: number;
  /** One per line. */
  readonly problems: string;
}

/** This replica's rules. Times are epoch milliseconds. */
export interface RulesStatus {
  /** A path, or a phrase if the rules come from no file. */
  readonly file: string;
  readonly policyHash: string;
  readonly since: number;
  readonly warnings: readonly string[];
  readonly refused?: RefusedRules | undefined;
  /** Since this replica started, fixed or not. */
  readonly lastRefused?: RefusedRules | undefined;
}

/** As this replica sees the service. Times are epoch milliseconds. */
export interface ServiceStatus {
  readonly lastSuccessAt?: number;
  readonly lastFailure?: { readonly at: number; readonly call: string; readonly outcome: string };
  /** Areas with an open circuit breaker, such as `cdn`. */
  readonly leftAlone: readonly string[];
}

export interface AuditStatus {
  /** `name+hash+base64`. Empty if none of this replica's keys signed the newest checkpoint. */
  readonly keys: readonly string[];
  /** The newest checkpoint, and how many entries it covers. */
  readonly checkpoint: number;
  readonly entries: number;
}

/** Problems are clauses. */
export interface FeatureStatus {
  readonly facts: readonly Fact[];
  readonly problems: readonly string[];
  readonly tables: readonly Table[];
}

export interface Status {
  readonly version: string;
  readonly replica: string;
  readonly startedAt: number;
  readonly parts: Readonly<Record<string, PartStatus>>;
  readonly service: ServiceStatus;
  /** Only accounts that were called, without the default one. */
  readonly accounts: readonly (ServiceStatus & { readonly name: string })[];
  readonly withheld: readonly Withheld[];
  readonly rules: RulesStatus;
  /** Undefined if the store is unavailable. */
  readonly tally: Tally | undefined;
  /** Undefined if the store is unavailable or nothing is sealed yet. */
  readonly audit?: AuditStatus | undefined;
  readonly features: FeatureStatus;
}

/** Rejects with BellhopError `store-unavailable`. */
export interface Housekeeping {
  /**
   * Removes at most `limit` ended requests created before `olderThan`, unless their card is due or their review is open. Resolves to how
   * many, fewer than `limit` once none is left. The audit log keeps its entries.
   */
  removeSettled(olderThan: number, limit: number): Promise<number>;
  /**
   * Removes at most `limit` groups of offers that had no update since `olderThan` or exceed the maximum, and messages without a group.
   * Resolves to how many groups, fewer than `limit` once none is left.
   */
  removeOffers(olderThan: number, limit: number): Promise<number>;
  tally(now: number): Promise<Tally>;
  /** In epoch milliseconds. Undefined for the embedded store. */
  serverTime(): Promise<number | undefined>;
}
