import { z } from 'zod';

import type { HttpFor } from './values/http.ts';
import { type Actor, type Membership, type Person, actor } from './values/actor.ts';
import type { Alerts, Suggestions } from './records/alert.ts';
import type { OnCall } from './values/on-call.ts';
import type { Request } from './records/request.ts';
import type { AuditLog } from './records/audit.ts';
import type { Status, Withheld } from './introspection.ts';
import type { Rulebook } from './rulebook/rulebook.ts';
import type { Registry } from './registry.ts';
import type { Account } from './rulebook/target.ts';
import type { Requests, Reviews } from './records/requests.ts';
import type { SealedLog } from './records/sealed-log.ts';

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>;
}

/** A line is logged at most once in this time for the same cause, in milliseconds. */
const logAgainMs = 60_000;
/** The maximum causes in that time; further ones are not logged. */
const mostCauses = 100;

/** Whether the line of this cause is due. */
export function onceAMinute({ now }: Pick<Clock, 'now'>): (cause: string) => boolean {
  const logged = new Map<string, number>();
  return (cause) => {
    // Absolute, because a clock that was set back would silence the line.
    for (const [known, at] of logged) if (Math.abs(now() - at) >= logAgainMs) logged.delete(known);
    if (logged.has(cause) || logged.size >= mostCauses) return false;
    logged.set(cause, now());
    return true;
  };
}

export interface Ids {
  /** Short enough to be read aloud: `r-7k3m9qpd`. Unguessable. */
  request(): string;
  /** A new id for each command; sent to the service as `X-Request-Id`. */
  correlation(): string;
  /** A new random id, for each claim to run a request and each change of a rollout. */
  unique(): string;
}

/** The messages of requests. `changed` is called once the change is durable. It never throws or blocks. */
export interface Messages {
  changed(request: Request): void;
  /** A link to a request's message; undefined if there is none, or Slack does not answer. Never throws. */
  link(request: Request): Promise<string | undefined>;
}

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A log with debug lines, which are off by default. */
export interface DetailedLog extends Log {
  debug(details: object, message: string): void;
}

/** Who is on call in the schedules of `bellhop.yaml`. */
export interface Schedules {
  /** The current answer. Schedules are polled in the background, so this never waits. */
  onCall(schedule: string): OnCall;
}

/** People, as the chat platform and the schedules know them. */
export interface Directory extends Schedules {
  /** Undefined if the person can't be looked up. */
  person(actor: Actor): Promise<Person | undefined>;
  /** Whether the group lists this user id, of any kind of member. */
  inUsergroup(group: string, actor: Actor): Promise<Membership>;
}

/** Background work that a shutdown waits for. */
export interface BackgroundTasks {
  /** Remembers work until it ends. A failure is logged, never lost and never thrown. */
  add(work: Promise<void>, about: string): void;
  /** The number of running tasks. */
  count(): number;
  /** Waits for running tasks, at most `ms`. True if all of them ended. */
  drained(ms: number): Promise<boolean>;
}

// The context, split by use: a function names the parts or ports that it needs. Wiring creates one object for all of them.

/** Operations, rules, people and the current time. */
export interface Rules {
  readonly registry: Registry;
  /** The current rules; a reload replaces them as a whole. */
  readonly rulebook: () => Rulebook;
  readonly clock: Clock;
  /** The Slack team that the bot belongs to. */
  readonly ownTeam: string;
  /** Who people are. */
  readonly directory: Directory;
  /** Scopes that the chat platform does not grant at the moment. Undefined if all are granted. */
  readonly withheld?: (() => readonly Withheld[]) | undefined;
}

/** Secrets by name, the rules for where each may be sent, and redaction. */
export interface Secrets extends Pick<Rules, 'rulebook'> {
  /**
   * Whether Slack and the service are both the built-in ones. Only then may a form's secret be sent to a host that
   * bellhop.yaml does not list for it.
   */
  readonly playground: boolean;
  /** Whether this is production, where an operation gets only the secrets that bellhop.yaml lists for it. */
  readonly production: boolean;
  /** The value behind `secret:name`, at the moment of sending. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  /** Replaces every secret that was resolved so far. */
  redact(text: string): string;
  /** Whether the text contains a resolved secret as a whole word. */
  holdsSecret(text: string): boolean;
}

/** The ports of operations. */
export interface Reach extends Secrets {
  /**
   * The client of the interface, passed on to operations; without an account, the one of the environment. @throws
   * BellhopError `configuration` if bellhop.yaml no longer has the account at this address
   */
  serviceOf(account: Account | undefined): unknown;
  readonly http: HttpFor;
}

/** Sends a change, follows its tasks, watches its target and checks unknown outcomes. */
export type RequestWork = 'run' | 'follow' | 'watch' | 'check';

/** Changes a request and runs it in the background: its row, its entries, its card. */
export interface RunnerContext extends Rules, Reach {
  /** When this process started, in epoch milliseconds. Earlier events are known only from the store. */
  readonly startedAt: number;
  /** False while this clock is known to be wrong. Until it is right again, nothing expires or becomes due. */
  clockIsRight(): boolean;
  readonly store: Requests;
  readonly messages: Messages;
  readonly log: Log;
  readonly ids: Ids;
  readonly backgroundTasks: BackgroundTasks;
  /** Runs the work with this correlation id in every log line, and its name in the trace. */
  correlated<T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T>;
}

export interface Context extends RunnerContext {
  readonly store: Requests & AuditLog & Reviews & Alerts & Suggestions & Pick<SealedLog, 'sealOf'>;
  /** This replica's health, and the work waiting in the store. Never rejects. */
  status(): Promise<Status>;
}

/** The process that handles a payload, and the person who waits. */
export interface DeliveryHold {
  /** Unique to this delivery. */
  readonly by: string;
  /** The time by this process's clock, in epoch milliseconds. */
  readonly now: number;
  /** After this time the holder counts as dead, unless it renews. In milliseconds from now. */
  readonly forMs: number;
  readonly waiting: Waiting;
}

/** Payloads from Slack, deduplicated and durable. Rejects with BellhopError `store-unavailable`. */
export interface Deliveries {
  /**
   * True for the first claim of this key within its lifetime, and for the same holder again; false for a redelivery on any
   * replica. With a holder, a person waits for the result: it becomes due unless it is closed or renewed in time.
   */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  /** Renews deliveries that are still being handled. */
  holdDeliveries(keys: readonly string[], forMs: number, now: number): Promise<void>;
  /** Closes handled deliveries. */
  closeDeliveries(keys: readonly string[]): Promise<void>;
}

/** The person who waits for an acknowledged payload, and is notified if its process dies. */
export const waiting = z.object({
  actor,
  /** The channel it was sent from. */
  channel: z.string(),
  thread: z.string().optional(),
  /** The payload in words: your `/cloud` command. */
  what: z.string(),
  /** When it arrived, in epoch milliseconds. */
  at: z.number(),
  /** Slack's URL for private replies, valid for 30 minutes. */
  responseUrl: z.string().optional(),
});

export type Waiting = Readonly<z.output<typeof waiting>>;
