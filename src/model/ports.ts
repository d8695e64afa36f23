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
  /** Returns epoch milliseconds. */
  now(): number;
  /** Runs `task` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
  wait(ms: number): Promise<void>;
}

/** Stops waiting for work after this time. Resolves to undefined then, and aborts the work's signal as a timeout. */
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

/** In milliseconds. A line with the same cause is logged at most once in this time. */
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
  /** Returns an id that can't be guessed but is short enough to be read aloud, such as `r-7k3m9qpd`. */
  request(): string;
  /** Returns the id of a new command, which is sent to the service as `X-Request-Id`. */
  correlation(): string;
  /** Returns a random id for a claim to run a request, or for a part of another request. */
  unique(): string;
}

/** Entries of a feature that are recorded with the start of a request, in its transaction. If it throws, nothing is started. */
export type StartEntries = (
  context: Pick<Rules, 'rulebook' | 'clock'>,
  request: Request,
  changes: RequestChanges,
) => readonly AuditDraft[];

/** Requests that a feature lists for a reader who has a role, at most `most`. */
export type Listing = (
  context: Context,
  reader: { readonly actor: Actor; readonly holds: (roles: readonly string[]) => boolean },
  most: number,
) => Promise<{ readonly requests: readonly Request[]; readonly itemOf: (request: Request) => Item }>;

/** The messages of requests. `changed` is called once the change is durable. It never throws or blocks. */
export interface Messages {
  changed(request: Request): void;
  /** Resolves to a link to the message, or to undefined if there is no message or Slack does not answer. Never throws. */
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
  /** Returns what is known now, without waiting. */
  membersOf(source: Source): Members;
}

export interface Directory extends Sources {
  /** Resolves to undefined if the person can't be looked up. */
  person(actor: Actor): Promise<Person | undefined>;
  /** Resolves to whether the group lists this user id, whatever kind of member the user is. */
  inUsergroup(group: string, actor: Actor): Promise<Membership>;
  /** Resolves to user ids, or to undefined if the group can't be looked up. */
  members?(group: string): Promise<readonly string[] | undefined>;
  /** Resolves to the handle of a user group, without its `@`, or to undefined if the group can't be looked up. */
  handle?(group: string): Promise<string | undefined>;
}

export interface BackgroundTasks {
  /** Remembers work until it ends. A failure is logged, never lost and never thrown. */
  add(work: Promise<void>, about: string): void;
  count(): number;
  /** Called whenever a stop begins to wait, for work that would otherwise come later. */
  beforeDrain(work: () => void): void;
  /** Waits for running tasks for at most `ms`. Resolves to whether all of them ended. */
  drained(ms: number): Promise<boolean>;
}

// The context is split by use. A function names the parts or ports that it needs, and the wiring creates one
// object for all of them.

export interface Rules {
  readonly registry: Registry;
  /** Returns the current rules. A reload replaces them as a whole. */
  readonly rulebook: () => Rulebook;
  readonly clock: Clock;
  readonly ownTeam: string;
  readonly directory: Directory;
  /** Returns the scopes that the chat platform does not grant at the moment. Undefined if all are granted. */
  readonly withheld?: (() => readonly Withheld[]) | undefined;
}

export interface Secrets extends Pick<Rules, 'rulebook'> {
  /** Whether Slack and the service are both built in. Only then may forms send a secret to hosts not listed for the secret. */
  readonly playground: boolean;
  /** In production, an operation gets only the secrets that bellhop.yaml lists for the operation. */
  readonly production: boolean;
  /** Returns the value behind `secret:name`, at the moment of sending. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  redact(text: string): string;
  /** Returns whether the text contains a resolved secret as a whole word. */
  holdsSecret(text: string): boolean;
}

export interface Reach extends Secrets {
  /**
   * Returns the client that is passed on to operations. Without an account, that is the client of the account in the
   * environment.
   * @throws BellhopError `configuration` if bellhop.yaml no longer has the account at this address
   */
  serviceOf(account: Account | undefined): unknown;
  readonly http: HttpFor;
}

export type RequestWork = 'run' | 'follow' | 'watch' | 'check';

export interface RunnerContext extends Rules, Reach {
  /** When this process started, in epoch milliseconds. Earlier events are known only from the store. */
  readonly startedAt: number;
  /** Returns false while this clock is known to be wrong. In the meantime, nothing expires or becomes due. */
  clockIsRight(): boolean;
  readonly store: Requests & Pick<LastingWork, 'lasting'>;
  readonly messages: Messages;
  readonly log: Log;
  readonly ids: Ids;
  readonly backgroundTasks: BackgroundTasks;
  /** The gates of features. */
  readonly gates: readonly LinkGate[];
  readonly startEntries: readonly StartEntries[];
  /** The restrictions of features. */
  readonly restrictions: readonly LastingRestriction[];
  /** Runs `run` with this correlation id in every log line, and with the name of the work in the trace. */
  correlated<T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T>;
}

export interface Context extends RunnerContext {
  readonly store: Requests & LastingWork & AuditLog & Reviews & Offers & Pick<SealedLog, 'sealOf'>;
  /** Resolves to this replica's health, and to the work waiting in the store. Never rejects. */
  status(): Promise<Status>;
  /** The meanings of the events of audit entries. */
  readonly events: EventMeanings;
  readonly listings: readonly Listing[];
}

/** The process that handled a payload may be gone. */
export const deliveryKind = dueKind('delivery');

export interface DeliveryHold {
  readonly by: string;
  /** The time by this process's clock, in epoch milliseconds. */
  readonly now: number;
  /** In milliseconds from now. After this time the holder counts as dead, unless the holder renews. */
  readonly forMs: number;
  readonly waiting: Waiting;
}

/** Payloads from Slack, deduplicated and durable. Rejects with BellhopError `store-unavailable`. */
export interface Deliveries {
  /**
   * Resolves to true for the first claim of this key within its lifetime, and for the same holder again. Resolves to
   * false for a redelivery on any replica. A holder means that a person waits for the result, so the delivery becomes
   * due unless it is closed or renewed in time.
   */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  holdDeliveries(keys: readonly string[], forMs: number, now: number): Promise<void>;
  closeDeliveries(held: readonly HeldDelivery[]): Promise<void>;
}

/** The person who waits for an acknowledged payload, and is notified if the process that handles the payload dies. */
export const waiting = z.object({
  actor,
  channel: z.string(),
  thread: z.string().optional(),
  what: z.string(),
  /** When the payload arrived, in epoch milliseconds. */
  at: z.number(),
  /** Slack's URL for private replies, valid for 30 minutes. */
  responseUrl: z.string().optional(),
});

export type Waiting = Readonly<z.output<typeof waiting>>;
