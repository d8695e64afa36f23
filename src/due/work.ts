import type { Due, DueKind, DueWork, Outcome } from '../model/due.ts';
import type { BackgroundTasks, Clock, Log } from '../model/ports.ts';

/** Does the work of one kind. */
export interface Handler {
  /** So many are worked on at the same time in this process. */
  readonly atOnce: number;
  /** What the log says where one fails. */
  readonly trouble: string;
  /** Given up after failing for this long, in milliseconds. Default: never. */
  readonly giveUpAfterMs?: number;
  /** It depends on this process's clock, so nothing is claimed while that is known to be wrong. */
  readonly byClock?: true;
  /** What is due was not renewed in time: after the store was away, nothing is claimed until it can have been. */
  readonly renewed?: true;
  /** Rejects if it is to be tried again. */
  handle(due: Due): Promise<Outcome>;
}

/** What an error says of the next try. */
export interface Delay {
  /** Not before, in milliseconds from now. */
  readonly afterMs: number;
  /** Logged elsewhere. */
  readonly quiet: boolean;
}

export interface WorkPorts {
  readonly store: DueWork;
  readonly clock: Clock;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  readonly delayOf: (error: unknown) => Delay;
}

/** How long a claim is exclusive, in milliseconds. Calls to Slack and the service time out after 10 s. */
export const claimMs = 30_000;

const firstPauseMs = 2_000;
const longestPauseMs = 5 * 60_000;

interface Work {
  /** The one to be done next: the newest. */
  next: Due | undefined;
  version: number;
  readonly done: Promise<unknown>;
}

/** What this process is working on: of each thing one at a time. */
interface Workers {
  /** False if that, or a newer one, is being done or waits for the one that is. */
  begin(handler: Handler, due: Due): boolean;
  /** How many of a kind are worked on. */
  busy(kind: DueKind): number;
  /** Resolves when nothing of this is worked on: to the error where the last try failed. */
  settled(kind: DueKind, key: string): Promise<unknown>;
}

/** @param onFree told each time that one of a kind is done */
export function createWorkers(ports: WorkPorts, onFree: (kind: DueKind) => void): Workers {
  const working = new Map<string, Work>();
  const busy = new Map<DueKind, number>();

  const workOff = async (handler: Handler, kind: DueKind, name: string, work: Work): Promise<unknown> => {
    let failure: unknown;
    // Looking for a newer one and leaving are one turn: none comes in between and is left lying.
    for (let due = work.next; due; due = work.next) {
      work.next = undefined;
      work.version = due.version;
      failure = await attempt(ports, handler, due);
    }
    working.delete(name);
    busy.set(kind, (busy.get(kind) ?? 1) - 1);
    return failure;
  };

  return {
    begin(handler, due) {
      const { kind, key, version } = due;
      const name = `${kind} ${key}`;
      const known = working.get(name);
      if (known) {
        if (version <= (known.next?.version ?? known.version)) return false;
        known.next = due;
        return true;
      }
      const { promise: done, resolve } = Promise.withResolvers<unknown>();
      const work: Work = { next: due, version, done };
      working.set(name, work);
      busy.set(kind, (busy.get(kind) ?? 0) + 1);
      const end = async (): Promise<void> => {
        resolve(await workOff(handler, kind, name, work));
        onFree(kind);
      };
      // A shutdown waits, so that outcomes are shown before the process ends.
      ports.backgroundTasks.add(end(), name);
      return true;
    },
    busy: (kind) => busy.get(kind) ?? 0,
    settled: async (kind, key) => working.get(`${kind} ${key}`)?.done,
  };
}

/** Resolves to the error where it failed. Never rejects: what could not be settled is due again once its claim is over. */
async function attempt(ports: WorkPorts, handler: Handler, due: Due): Promise<unknown> {
  const { store, clock, log } = ports;
  const { kind, key, tries } = due;
  try {
    const outcome = await inTime(clock, handler.handle(due));
    if (outcome) await store.settleDue(due, outcome, clock.now());
    else log.error({ kind, key, tries }, 'due work takes too long; retrying');
    return undefined;
  } catch (error) {
    await putOff(ports, handler, due, error).catch((err: unknown) =>
      log.warn({ err, kind, key }, 'due work could not be postponed; retrying'),
    );
    return error;
  }
}

/** Undefined if it takes longer than its claim; then no one waits for it any more. */
async function inTime(clock: Clock, work: Promise<Outcome>): Promise<Outcome | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = clock.every(claimMs, () => resolve(undefined));
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

const ageOf = ({ since, claimedAt }: Due): number => Math.max(0, claimedAt - since);

/** Until what failed is tried again, and not before `leastMs`. Pauses grow with the time that it waits, so that no count decides. */
export const pauseOf = (due: Due, leastMs: number): number =>
  Math.max(leastMs, growingPause(ageOf(due), firstPauseMs, longestPauseMs));

async function putOff(
  { store, clock, log, delayOf }: WorkPorts,
  { trouble, giveUpAfterMs = Infinity }: Handler,
  due: Due,
  error: unknown,
): Promise<void> {
  const { kind, key, tries } = due;
  const { afterMs, quiet } = delayOf(error);
  const retryIn = pauseOf(due, afterMs);
  if (ageOf(due) >= giveUpAfterMs) {
    log.error({ err: error, kind, key, tries }, `${trouble}; giving up`);
    await store.settleDue(due, { done: true }, clock.now());
    return;
  }
  if (!quiet) log.warn({ err: error, kind, key, tries, retryIn }, trouble);
  await store.settleDue(due, { retryIn }, clock.now());
}

/**
 * How long to wait until something is tried again: half the time that has passed since it began, within bounds, so that no count needs to
 * be kept. Whole milliseconds, as every time that is stored: PostgreSQL takes no half of one.
 */
export const growingPause = (elapsedMs: number, leastMs: number, mostMs: number): number =>
  Math.ceil(Math.min(Math.max(elapsedMs / 2, leastMs), mostMs));
