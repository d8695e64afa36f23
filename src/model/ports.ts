import { z } from 'zod';

import type { HttpFor } from './operation.ts';
import { type Actor, type HeldDelivery, type Membership, type Person, actor } from './values/actor.ts';
import { dueKind, type LastingWork } from './records/due.ts';
import type { LastingRestriction } from './restriction.ts';
import type { Offers } from './records/offer.ts';
import type { Members } from './members.ts';
import type { Request, RequestChanges } from './records/request.ts';
import type { Item } from './values/report.ts';
import type { AuditDraft, AuditLog } from './records/audit.ts';
import type { Status, Withheld } from './introspection.ts';
import type { Rulebook, Source } from './rulebook/rulebook.ts';
import type { EventMeanings } from './audit-event.ts';
import type { LinkGate } from './gate.ts';
import type { Registry } from './registry.ts';
import type { Account } from './rulebook/target.ts';
import type { Requests, Reviews } from './records/requests.ts';
import type { SealedLog } from './records/sealed-log.ts';

export interface Clock {
  /** In epoch milliseconds. */
  now(): number;
  /** Runs `task` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
  wait(ms: number): Promise<void>;
}

/** After `ms`, resolves to undefined and aborts the work's signal as a timeout. */
export async function within<T>(
  clock: Pick<Clock, 'every'>,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const limit = new AbortController();
  const late = Promise.withResolvers<undefined>();
  const stop = clock.every(ms, () => {
    late.resolve(undefined);
    limit.abort(new DOMException('It took too long.', 'TimeoutError'));
  });
  try {
    return await Promise.race([work(limit.signal), late.promise]);
  } finally {
    stop();
  }
}

/** In milliseconds, between two lines with the same cause. */
const logAgainMs = 60_000;
const maxCauses = 100;

export function onceAMinute({ now }: Pick<Clock, 'now'>): (cause: string) => boolean {
  const logged = new Map<string, number>();
  return (cause) => {
    // The difference is absolute, because a clock that was set back would silence the line.
    for (const [known, at] of logged) if (Math.abs(now() - at) >= logAgainMs) logged.delete(known);
    if (logged.has(cause) || logged.size >= maxCauses) return false;
    logged.set(cause, now());
    return true;
  };
}

export interface Ids {
  /** Can't be guessed, but can be read aloud, such as `r-7k3m9qpd`. */
  request(): string;
  /** For a new command. Sent to the service as `X-Request-Id`. */
  correlation(): string;
  /** For a claim to run a request, or for a part of another request. */
  unique(): string;
}

/** A feature's entries for the start of a request, written in its transaction. If this throws, nothing is started. */
export type StartEntries = (
  context: Pick<Rules, 'rulebook' | 'clock'>,
  request: Request,
  changes: RequestChanges,
) => readonly AuditDraft[];

/** A feature's requests for a reader who has a role. */
export type Listing = (
  context: Context,
  reader: { readonly actor: Actor; readonly holds: (roles: readonly string[]) => boolean },
  most: number,
) => Promise<{ readonly requests: readonly Request[]; readonly itemOf: (request: Request) => Item }>;

/** `changed` is called once the change is durable. It never throws or blocks. */
export interface Messages {
  changed(request: Request): void;
  /** Undefined if there is no message or Slack does not answer. Never throws. */
  link(request: Pick<Request, 'id' | 'card' | 'partOf'>): Promise<string | undefined>;
}

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DetailedLog extends Log {
  debug(details: object, message: string): void;
}

export interface Sources {
  /** The members known now, without waiting. */
  membersOf(source: Source): Members;
}

export interface Directory extends Sources {
  /** Undefined if the person can't be looked up. */
  person(actor: Actor): Promise<Person | undefined>;
  /** Includes guests and other kinds of members. */
  inUsergroup(group: string, actor: Actor): Promise<Membership>;
  /** User ids. Undefined if the group can't be looked up. */
  members?(group: string): Promise<readonly string[] | undefined>;
  /** Without `@`. Undefined if the group can't be looked up. */
  handle?(group: string): Promise<string | undefined>;
}

export interface BackgroundTasks {
  /** A failure of the work is logged and never thrown. */
  add(work: Promise<void>, about: string): void;
  count(): number;
  /** Called whenever a stop begins to wait, for work that would otherwise come later. */
  beforeDrain(work: () => void): void;
  /** Waits at most `ms`. Resolves to whether all tasks ended. */
  drained(ms: number): Promise<boolean>;
}

// The context is split by use: a function names the parts or ports that it needs.

export interface Rules {
  readonly registry: Registry;
  /** A reload replaces the rules as a whole. */
  readonly rulebook: () => Rulebook;
  readonly clock: Clock;
  readonly ownTeam: string;
  readonly directory: Directory;
  /** Undefined if the chat platform grants all scopes. */
  readonly withheld?: (() => readonly Withheld[]) | undefined;
}

export interface Secrets extends Pick<Rules, 'rulebook'> {
  /** Whether Slack and the service are both built in. Only then may forms send a secret to hosts not listed for it. */
  readonly playground: boolean;
  /** In production, an operation gets only the secrets that bellhop.yaml lists for it. */
  readonly production: boolean;
  /** The value behind `secret:name`, at the moment of sending. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  redact(text: string): string;
  /** Whether the text contains a resolved secret as a whole word. */
  holdsSecret(text: string): boolean;
}

export interface Reach extends Secrets {
  /**
   * The client that is passed on to operations. Without an account, that of the environment's account.
   * @throws BellhopError `configuration` if bellhop.yaml no longer has the account at this address
   */
  serviceOf(account: Account | undefined): unknown;
  readonly http: HttpFor;
}

export type RequestWork = 'run' | 'follow' | 'watch' | 'check';

export interface RunnerContext extends Rules, Reach {
  /** In epoch milliseconds. Earlier events are known only from the store. */
  readonly startedAt: number;
  /** While this is false, nothing expires or becomes due. */
  clockIsRight(): boolean;
  readonly store: Requests & Pick<LastingWork, 'lasting'>;
  readonly messages: Messages;
  readonly log: Log;
  readonly ids: Ids;
  readonly backgroundTasks: BackgroundTasks;
  readonly gates: readonly LinkGate[];
  readonly startEntries: readonly StartEntries[];
  readonly restrictions: readonly LastingRestriction[];
  /** Adds the correlation id to every log line, and the name of the work to the trace. */
  correlated<T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T>;
}

export interface Context extends RunnerContext {
  readonly store: Requests & LastingWork & AuditLog & Reviews & Offers & Pick<SealedLog, 'sealOf'>;
  /** Never rejects. */
  status(): Promise<Status>;
  readonly events: EventMeanings;
  readonly listings: readonly Listing[];
}

/** The process that handled a payload may be gone. */
export const deliveryKind = dueKind('delivery');

export interface DeliveryHold {
  readonly by: string;
  /** By this process's clock, in epoch milliseconds. */
  readonly now: number;
  /** In milliseconds from `now`. Without a renewal, the holder then counts as dead. */
  readonly forMs: number;
  readonly waiting: Waiting;
}

/** Payloads from Slack, deduplicated and durable. Rejects with BellhopError `store-unavailable`. */
export interface Deliveries {
  /**
   * True for the first claim of this key within its lifetime, and for the same holder again. False for a redelivery on any replica. If
   * someone waits (`held`), the delivery becomes due unless it is closed or renewed in time.
   */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  holdDeliveries(keys: readonly string[], forMs: number, now: number): Promise<void>;
  closeDeliveries(held: readonly HeldDelivery[]): Promise<void>;
}

/** Notified if the process that handles the acknowledged payload dies. */
export const waiting = z.object({
  actor,
  channel: z.string(),
  thread: z.string().optional(),
  what: z.string(),
  /** In epoch milliseconds. */
  at: z.number(),
  /** Valid for 30 minutes. */
  responseUrl: z.string().optional(),
});

export type Waiting = Readonly<z.output<typeof waiting>>;
