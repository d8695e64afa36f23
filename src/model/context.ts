import type { Alerts } from './alert.ts';
import type { AuditLog } from './audit.ts';
import type { BackgroundTasks, Clock, Directory, Ids, Log, Messages } from './ports.ts';
import type { Status } from './introspection.ts';
import type { Rulebook } from './rulebook.ts';
import type { Registry } from './registry.ts';
import type { Requests, Reviews } from './requests.ts';
import type { SealedLog } from './sealed-log.ts';

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
  /** Slack and the service are both the built-in ones: only there may a secret go anywhere that no rule binds. */
  readonly playground: boolean;
  /** The value behind `secret:name`, at the moment of sending. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  /** Replaces every secret that was resolved so far. */
  redact(text: string): string;
  /** Whether one of them stands in the text by itself, and is no mere word. */
  holdsSecret(text: string): boolean;
}

/** What an authorization looks at: who it is, what was started lately, and what of a guarded group runs. */
export interface AuthorizationContext extends Rules {
  readonly store: Pick<Requests, 'started'>;
  readonly ids: Ids;
  /** The client of the interface, handed to operations unseen. */
  readonly service: unknown;
}

/** What a step of a request changes: its row, its entries, its card. */
export interface StepContext extends Rules {
  /** When this process began, in epoch milliseconds: of what came before, it knows only what the store says. */
  readonly startedAt: number;
  /** False while this clock is known to differ from others: nothing is expired or due by it then. */
  clockIsRight(): boolean;
  readonly store: Requests;
  readonly messages: Messages;
  readonly log: Log;
}

/** Sends it; follows its task to the end; reads its target until that has changed; looks what came of an unknown one. */
export type RequestWork = 'run' | 'follow' | 'watch' | 'check';

/** What a request needs to run in the background. */
export interface RunnerContext extends StepContext, Secrets {
  readonly ids: Ids;
  readonly service: unknown;
  readonly backgroundTasks: BackgroundTasks;
  /** Does it so that every log line of it carries this correlation id, and its trace says what it is. */
  correlated<T>(work: RequestWork, correlationId: string, run: () => Promise<T>): Promise<T>;
}

/** All of it. */
export interface Context extends RunnerContext {
  readonly store: Requests & AuditLog & Reviews & Alerts & Pick<SealedLog, 'sealOf'>;
  /** How this replica is, and what waits in the store. Never rejects. */
  status(): Promise<Status>;
}
