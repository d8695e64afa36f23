import type { Actor, Place } from './actor.ts';
import type { AuditEntry, AuditFilter, Forwarding } from './audit.ts';
import type { Decision, WhoMay } from './decision.ts';
import type { DueTally } from './due.ts';
import type { RequestFilter } from './requests.ts';
import type { Item, ReportParts } from './report.ts';
import type { Request, State } from './request.ts';
import type { OnCall } from './on-call.ts';
import type { Rulebook } from './rulebook.ts';
import type { Target } from './target.ts';

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

/** The states that wait for somebody: open ones, and those whose outcome nobody knows. */
export const waitingStates = [
  'proposed',
  'awaiting approval',
  'running',
  'unknown',
] as const satisfies State[];

/** What waits in the store, for all replicas together. */
export interface Tally {
  readonly requests: Readonly<Record<(typeof waitingStates)[number], number>>;
  /** Work whose time has come; none of a kind that is not there. */
  readonly due: readonly DueTally[];
  readonly audit: AuditTally;
}

/** The audit log, counted. */
export interface AuditTally {
  /** Recorded ones, sealed or not. */
  readonly entries: number;
  /** Of these, not in the tree yet. */
  readonly unsealed: number;
  /** When the oldest of them that has no number happened, in epoch milliseconds. */
  readonly oldestUnsealedAt: number | undefined;
}

/** One thing that Bellhop needs in order to be of use, as `/readyz` tells. */
export interface PartStatus {
  readonly ok: boolean;
  /** Epoch milliseconds since when it is as it is. */
  readonly since: number;
  readonly lastError?: string;
  /** False: the replica goes on taking work without it. */
  readonly required?: false;
  /** What there is to tell of it besides: which rules are in force since when. */
  readonly detail?: string;
}

interface RefusedRules {
  readonly at: number;
  /** One a line. */
  readonly problems: string;
}

/** The rules that this replica goes by. Times are epoch milliseconds. */
export interface RulesStatus {
  readonly policyHash: string;
  /** Since when these are in force. */
  readonly since: number;
  /** What these rules say that is probably not meant, a line each. */
  readonly warnings: readonly string[];
  /** A newer bellhop.yaml that was refused. */
  readonly refused?: RefusedRules | undefined;
  /** The last one that was refused since this replica started, put right since or not. */
  readonly lastRefused?: RefusedRules | undefined;
}

/** How calls to the service go, as this replica saw it. Times are epoch milliseconds. */
export interface ServiceStatus {
  readonly lastSuccessAt?: number;
  readonly lastFailure?: { readonly at: number; readonly call: string; readonly outcome: string };
  /** Areas that are left alone for a while, because they failed again and again: `cdn`. */
  readonly leftAlone: readonly string[];
}

/** What came to a hook since this replica started. Times are epoch milliseconds. */
export interface HookStatus {
  readonly name: string;
  readonly received: number;
  /** Of these, how many alerts became part of a message about many. */
  readonly folded: number;
  readonly rejected: number;
  readonly lastReceivedAt?: number | undefined;
  readonly lastRejected?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/** What an agent called since this replica started. */
export interface AgentStatus {
  /** `unknown` for those who showed no token of one. */
  readonly name: string;
  readonly answered: number;
  readonly refused: number;
  readonly refusedInARow: number;
  readonly lastRefused?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/** How others verify the audit log, and how far it is sealed. */
export interface AuditStatus {
  /** Verifier keys of this replica, `name+hash+base64`: no secret. None where they did not sign the newest checkpoint. */
  readonly keys: readonly string[];
  /** The number of the newest checkpoint, and how many entries it covers. */
  readonly checkpoint: number;
  readonly entries: number;
}

/** This replica, and what it sees of the rest. */
export interface Status {
  readonly version: string;
  readonly replica: string;
  readonly startedAt: number;
  /** By name. */
  readonly parts: Readonly<Record<string, PartStatus>>;
  readonly service: ServiceStatus;
  readonly rules: RulesStatus;
  /** Those that something came to. */
  readonly hooks: readonly HookStatus[];
  /** Those that called. */
  readonly agents: readonly AgentStatus[];
  /** Undefined where the store cannot tell. */
  readonly tally: Tally | undefined;
  /** Undefined where the store cannot tell, or nothing is sealed yet. */
  readonly audit?: AuditStatus | undefined;
  /** Undefined where nothing is to be forwarded, or the store cannot tell. */
  readonly forwarding?: Forwarding | undefined;
}

/** How long what is stored is kept, and what waits in it. Rejects with BellhopError `store-unavailable`. */
export interface Housekeeping {
  /**
   * Removes at most `limit` requests that were settled, created before `olderThan`, whose card is not due, and whose review is not open. Resolves to how many; fewer than `limit` means that none is left. The audit keeps what they did.
   */
  removeSettled(olderThan: number, limit: number): Promise<number>;
  /**
   * Removes at most `limit` groups of alerts of which nothing was heard since `olderThan`, or that are too many, with
   * messages that tell of none. Resolves to how many groups; fewer than `limit` means that none is left.
   */
  removeAlerts(olderThan: number, limit: number): Promise<number>;
  /** What waits, counted. */
  tally(now: number): Promise<Tally>;
  /** What the clock of the database server says, in epoch milliseconds; undefined where the store is embedded. */
  serverTime(): Promise<number | undefined>;
}
