import type { Registry } from './registry.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Clock, Directory, Ids, Log, Messages } from './model/ports.ts';
import type { AuditLog } from './audit/audit.ts';
import type { Requests } from './request/requests.ts';
import type { Reviews } from './review/review.ts';
import type { Rulebook } from './model/rulebook.ts';
import type { Status } from './introspection/status.ts';

/** All that the rules need of the world. */
export interface Context {
  readonly registry: Registry;
  /** The rules of this moment: a reload replaces them whole. */
  rulebook(): Rulebook;
  readonly store: Requests & AuditLog & Reviews;
  readonly messages: Messages;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  /** The client of the interface, handed to operations unseen. */
  readonly service: unknown;
  /** The Slack team that the bot belongs to. */
  readonly ownTeam: string;
  /** What may be left open on a laptop is refused. */
  readonly production: boolean;
  /** The value behind `secret:name`, at the moment of sending. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  /** Replaces every secret that was resolved so far. */
  redact(text: string): string;
  /** Whether one of them stands in the text by itself, and is no mere word. */
  holdsSecret(text: string): boolean;
  /** How this replica is, and what waits in the store. Never rejects. */
  status(): Promise<Status>;
  /** Runs `work` so that every log line of it carries this correlation id. */
  correlated<T>(correlationId: string, work: () => Promise<T>): Promise<T>;
}
