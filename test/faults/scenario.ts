import type { Replicas } from '../program/replicas.ts';
import type { Passage } from './proxy.ts';

/** How long Slack waits for an answer, in milliseconds. */
export const slackMs = 3000;

/** The setup of a scenario: bots as processes, and a proxy on each connection of theirs. */
export interface Ground {
  readonly replicas: Replicas;
  /** The proxy for payloads to the bots, through a balancer. With a separate origin, it passes them to one bot. */
  readonly payloads: Passage;
  /** The proxy from all bots to the service. */
  readonly service: Pick<Passage, 'meet'>;
  /** The proxy from all bots to Slack's Web API, `response_url` included. */
  readonly slack: Passage;
  /** The database server, its data kept between `stop` and `start`. */
  readonly postgres: { stop(): Promise<void>; start(): Promise<void> };
  /** The data folder of the embedded store. */
  readonly dataDir: string;
}

/** A fault while people work, and the consequences that it must not have. */
export interface Scenario {
  /** The name in `--only` and in the table. */
  readonly name: string;
  /** The code that keeps the figures of this row at 0. Without it, at least one figure is not 0. */
  readonly guard: string;
  /** `postgres`: two replicas on one database. `embedded`: one bot with its own disk. */
  readonly store: 'postgres' | 'embedded';
  /** No one may notice: nothing unknown or interrupted, no one rejected. */
  readonly unnoticed?: true;
  /** In addition, a change runs on three targets, one after another, and must end. */
  readonly rolls?: true;
  /** Commands a second, about half of them changes; 12 if absent. */
  readonly perSecond?: number;
  /**
   * Slack and the balancer wait this many times as long as in production, because the machine may be busy. Default: 1.
   */
  readonly patience?: number;
  /** The size of the disk under the embedded store, in bytes. Default: no limit. */
  readonly diskBytes?: number;
  /** Resolves to the reason why the scenario cannot be played on this machine, or to undefined if it can. */
  readonly cannotPlay?: () => Promise<string | undefined>;
  /**
   * The fault, which starts a second after people began to work. People continue until it is over, and for at least `--seconds`.
   * Must restore the normal state: everything that was down is up again. @throws Error if something is wrong
   */
  readonly play: (ground: Ground) => Promise<void>;
}
