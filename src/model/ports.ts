import { z } from 'zod';

import type { HttpFor } from './http.ts';
import { type Actor, type Membership, type Person, actor } from './actor.ts';
import type { Alerts, Suggestions } from './alert.ts';
import type { OnCall } from './on-call.ts';
import type { Request } from './request.ts';
import type { AuditLog } from './audit.ts';
import type { Status } from './introspection.ts';
import type { Rulebook } from './rulebook.ts';
import type { Registry } from './registry.ts';
import type { Requests, Reviews } from './requests.ts';
import type { SealedLog } from './sealed-log.ts';

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>;
}

/** The same line is logged once in so long, in milliseconds: a flood must not fill the log. */
const logAgainMs = 60_000;

/** Whether the line of this key is due. There are few keys. */
export function onceAMinute({ now }: Pick<Clock, 'now'>): (key: string) => boolean {
  const logged = new Map<string, number>();
  return (key) => {
    const last = logged.get(key);
    // A clock that was set back would keep it silent for as long.
    if (last !== undefined && Math.abs(now() - last) < logAgainMs) return false;
    logged.set(key, now());
    return true;
  };
}

export interface Ids {
  /** Short enough to be read aloud: `r-7k3m9qpd`. Unguessable. */
  request(): string;
  /** One for each command; sent to the service as `X-Request-Id`. */
  correlation(): string;
  /** Unique to each time that a process takes a request to run it. */
  claim(): string;
}

/** The messages of requests. `changed` is told after the change is durable; it never throws, never blocks. */
export interface Messages {
  changed(request: Request): void;
  /** Where people find the message of a request; undefined where there is none, or it cannot be told. Never throws. */
  link(request: Request): Promise<string | undefined>;
}

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** With lines that are left out unless somebody looks for a fault. */
export interface DetailedLog extends Log {
  debug(details: object, message: string): void;
}

/** Who is on call by the schedules of `bellhop.yaml`. */
export interface Schedules {
  /** As it is known at this moment: they are asked in the background, and nobody waits for it. */
  onCall(schedule: string): OnCall;
}

/** Who people are, as the chat platform and the schedules know them. */
export interface Directory extends Schedules {
  /** Undefined where the person cannot be looked up. */
  person(actor: Actor): Promise<Person | undefined>;
  /** Whether the group lists this user id, whatever kind of member that is. */
  inUsergroup(group: string, actor: Actor): Promise<Membership>;
}

/** Background work that a stop waits for. */
export interface BackgroundTasks {
  /** Remembers work until it ends. A failure is logged, never lost and never thrown. */
  add(work: Promise<void>, about: string): void;
  /** How much runs now. */
  count(): number;
  /** Waits for what runs now, at most `ms`. True where all of it ended. */
  drained(ms: number): Promise<boolean>;
}

// What the rules need of the world, split by use: a function names the part, or the ports, that it takes. Wiring makes one of all of it.

/** What can be run, what is allowed and for whom, and when it is now. */
export interface Rules {
  readonly registry: Registry;
  /** The rules of this moment: a reload replaces them whole. */
  readonly rulebook: () => Rulebook;
  readonly clock: Clock;
  /** The Slack team that the bot belongs to. */
  readonly ownTeam: string;
  /** Who people are. */
  readonly directory: Directory;
}

/** Secrets by name, the rules that say where each may be sent, and what keeps them out of everything else. */
export interface Secrets extends Pick<Rules, 'rulebook'> {
  /** Slack and the service are both the built-in ones: only there may a secret of a form go anywhere that no rule binds. */
  readonly playground: boolean;
  /** Where an operation may have only the secrets that bellhop.yaml lists for it. */
  readonly production: boolean;
  /** The value behind `secret:name`, at the moment of sending. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  /** Replaces every secret that was resolved so far. */
  redact(text: string): string;
  /** Whether one of them stands in the text by itself, and is no mere word. */
  holdsSecret(text: string): boolean;
}

/** What operations reach the world by. */
export interface Reach extends Secrets {
  /** The client of the interface, handed to operations unseen. */
  readonly service: unknown;
  readonly http: HttpFor;
}

/** Sends it; follows its task to the end; reads its target until that has changed; looks what came of an unknown one. */
export type RequestWork = 'run' | 'follow' | 'watch' | 'check';

/** What changes a request and runs it in the background: its row, its entries, its card. */
export interface RunnerContext extends Rules, Reach {
  /** When this process began, in epoch milliseconds: of what came before, it knows only what the store says. */
  readonly startedAt: number;
  /** False while this clock is known to differ from others: nothing is expired or due by it then. */
  clockIsRight(): boolean;
  readonly store: Requests;
  readonly messages: Messages;
  readonly log: Log;
  readonly ids: Ids;
  readonly backgroundTasks: BackgroundTasks;
  /** Does it so that every log line of it carries this correlation id, and its trace says what it is. */
  correlated<T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T>;
}

/** All of it. */
export interface Context extends RunnerContext {
  readonly store: Requests & AuditLog & Reviews & Alerts & Suggestions & Pick<SealedLog, 'sealOf'>;
  /** How this replica is, and what waits in the store. Never rejects. */
  status(): Promise<Status>;
}

/** Who is at work on a payload, and for whom. */
export interface DeliveryHold {
  /** Unique to this delivery. */
  readonly by: string;
  /** By the clock of this process, in epoch milliseconds. */
  readonly now: number;
  /** After this its holder is taken for gone, unless it said otherwise. In milliseconds from now. */
  readonly forMs: number;
  readonly waiting: Waiting;
}

/** What came from Slack, deduplicated and durable. Rejects with BellhopError `store-unavailable`. */
export interface Deliveries {
  /**
   * True for whoever names this key first within its life, and for the same holder again; false for a redelivery, on any
   * replica. With a holder, somebody waits for what comes of it: it is due unless it is closed or held again in time.
   */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  /** Their holder is still at work on them. */
  holdDeliveries(keys: readonly string[], forMs: number, now: number): Promise<void>;
  /** Something came of them. */
  closeDeliveries(keys: readonly string[]): Promise<void>;
}

/** Who waits for the result of an acknowledged payload, and is told if the process that handles it dies. */
export const waiting = z.object({
  actor,
  /** Where it was sent from. */
  channel: z.string(),
  thread: z.string().optional(),
  /** What was sent, in words: your `/cloud` command. */
  what: z.string(),
  /** When it arrived, in epoch milliseconds. */
  at: z.number(),
  /** Where Slack takes a private reply, for 30 minutes. */
  responseUrl: z.string().optional(),
});

export type Waiting = Readonly<z.output<typeof waiting>>;
