import type { Replicas } from '../program/replicas.ts';
import type { Passage } from './proxy.ts';

/** So long does Slack wait for an answer, in milliseconds. */
export const slackMs = 3000;

/** Where a scenario plays: bots as processes, and everything between them and the world. */
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
  /** What keeps the figures of its row at 0: taken out, one of them is not. */
  readonly guard: string;
  /** `postgres`: two replicas on one database. `embedded`: one bot on a disk of its own. */
  readonly store: 'postgres' | 'embedded';
  /** Nobody may notice: nothing unknown or interrupted, nobody rejected. */
  readonly unnoticed?: true;
  /** Beside all else, a change rolls over three targets, and must come to its end. */
  readonly rolls?: true;
  /** Commands a second, about half of them changes; 12 where absent. */
  readonly perSecond?: number;
  /** So many times as long as in production do Slack and the balancer wait, where the machine may be busy; 1 where absent. */
  readonly patience?: number;
  /** Of the disk under the embedded store, in bytes; no limit where absent. */
  readonly diskBytes?: number;
  /** Why it cannot be played on this machine; undefined where it can. */
  readonly cannotPlay?: () => Promise<string | undefined>;
  /**
   * What goes wrong, from a second after people began to work. People go on until it is over, and for `--seconds` at least.
   * Must leave things as they should be: what is down is up again. @throws Error where something is not as it must be
   */
  readonly play: (ground: Ground) => Promise<void>;
}
