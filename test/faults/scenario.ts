import type { Replicas } from '../program/replicas.ts';
import type { Passage } from './proxy.ts';

/** How long Slack waits for an answer, in milliseconds. */
export const slackMs = 3000;

/** The setup of a scenario: bots as processes, and everything between them and the world. */
export interface Ground {
  readonly replicas: Replicas;
  /** The way of payloads to the bots, through a balancer; with an origin of its own to one of them. */
  readonly payloads: Passage;
  /** The way of all bots to the service. */
  readonly service: Pick<Passage, 'meet'>;
  /** The way of all bots to Slack's Web API, `response_url` included. */
  readonly slack: Passage;
  /** The database server, its data kept between `stop` and `start`. */
  readonly postgres: { stop(): Promise<void>; start(): Promise<void> };
  /** Of the embedded store. */
  readonly dataDir: string;
}

/** Something that goes wrong while people work, and what must not come of it. */
export interface Scenario {
  /** As `--only` and the table name it. */
  readonly name: string;
  /** The code that keeps the figures of its row at 0. Without it, one of them is not 0. */
  readonly guard: string;
  /** `postgres`: two replicas on one database. `embedded`: one bot on a disk of its own. */
  readonly store: 'postgres' | 'embedded';
  /** No one may notice: nothing unknown or interrupted, no one rejected. */
  readonly unnoticed?: true;
  /** In addition, a change runs on three targets, one after another, and must end. */
  readonly rolls?: true;
  /** Commands a second, about half of them changes; 12 if absent. */
  readonly perSecond?: number;
  /** This many times as long as in production do Slack and the balancer wait, if the machine may be busy; 1 if absent. */
  readonly patience?: number;
  /** Of the disk under the embedded store, in bytes; no limit if absent. */
  readonly diskBytes?: number;
  /** Why it cannot be played on this machine; undefined if it can. */
  readonly cannotPlay?: () => Promise<string | undefined>;
  /**
   * The fault, which starts a second after people began to work. People continue until it is over, and for at least `--seconds`.
   * Must restore the normal state: everything that was down is up again. @throws Error if something is wrong
   */
  readonly play: (ground: Ground) => Promise<void>;
}
