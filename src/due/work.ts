import type { Due, DueKind, DueWork, Outcome } from '../model/records/due.ts';
import type { BackgroundTasks, Clock, Log } from '../model/ports.ts';

/** Does the work of one kind. */
export interface Handler {
  /** How many run at the same time in this process. */
  readonly atOnce: number;
  /** The log message for a failure. */
  readonly trouble: string;
  /** How long it may fail before it is given up, in milliseconds. Default: forever. */
  readonly giveUpAfterMs?: number;
  /** Depends on this process's clock, so it is not claimed while that is known to be wrong. */
  readonly byClock?: true;
  /** Due because it was not renewed. After the store was down, it is not claimed until owners had time to renew. */
  readonly renewed?: true;
  /** Rejects if it should be tried again. */
  handle(due: Due): Promise<Outcome>;
}

/** What an error says about the next attempt. */
export interface Delay {
  /** The earliest next attempt, in milliseconds from now. */
  readonly afterMs: number;
  /** Whether it is logged elsewhere. */
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
  /** The work to do next: the newest version. */
  next: Due | undefined;
  version: number;
  readonly done: Promise<unknown>;
}

/** The work in progress in this process, one at a time per subject. */
interface Workers {
  /** False if this version or a newer one is running or waiting. */
  begin(handler: Handler, due: Due): boolean;
  /** How many of a kind are running. */
  busy(kind: DueKind): number;
  /** Resolves when no work with this key is in progress: to the error if the last attempt failed. */
  settled(kind: DueKind, key: string): Promise<unknown>;
}

/** @param onFree called each time one of a kind has finished */
export function createWorkers(ports: WorkPorts, onFree: (kind: DueKind) => void): Workers {
  const working = new Map<string, Work>();
  const busy = new Map<DueKind, number>();

  const workOff = async (handler: Handler, kind: DueKind, name: string, work: Work): Promise<unknown> => {
    let failure: unknown;
    // Checking for a newer one and leaving happen in one turn, so none is missed in between.
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

/** Resolves to the error if it failed. Never rejects: unfinished work is due again once its claim is over. */
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

/** Undefined if it takes longer than its claim. Its caller then stops waiting. */
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

/** The pause before the next attempt, at least `leastMs`. It grows with the time since the work was due. */
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
 * The pause before the next attempt: half the time since the beginning, within bounds, so that attempts need not be counted.
 * In whole milliseconds, because PostgreSQL stores no fractions.
 */
export const growingPause = (elapsedMs: number, leastMs: number, mostMs: number): number =>
  Math.ceil(Math.min(Math.max(elapsedMs / 2, leastMs), mostMs));
