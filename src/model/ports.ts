import type { Actor, Membership, Person } from './actor.ts';
import type { OnCall } from './on-call.ts';
import type { Request } from './request.ts';

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>;
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
