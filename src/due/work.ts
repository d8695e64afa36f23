import type { Due, DueKind, DueWork, Handler } from '../model/records/due.ts';
import { type BackgroundTasks, type Clock, type Log, within } from '../model/ports.ts';

export interface Delay {
  readonly afterMs: number;
  readonly quiet: boolean;
}

export interface WorkPorts {
  readonly store: DueWork;
  readonly clock: Clock;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  readonly delayOf: (error: unknown) => Delay;
}

/** How long a claim is exclusive, in milliseconds. Handlers finish sooner: calls to Slack time out after 10 s, reads of the service after `requests.read_timeout`. */
export const claimMs = 30_000;

const firstPauseMs = 2_000;
const longestPauseMs = 5 * 60_000;

interface Work {
  next: Due | undefined;
  version: number;
  readonly done: Promise<unknown>;
}

/** The work in progress in this process, never two pieces of work with the same key. */
interface Workers {
  /** Returns false if this version or a newer one is running or waiting. */
  begin(handler: Handler, due: Due): boolean;
  busy(kind: DueKind): number;
  /** Resolves once no work with this key is in progress. The value is the error of the last attempt, if any. */
  handled(kind: DueKind, key: string): Promise<unknown>;
}

/** @param onFree called with the kind of each piece of work that has finished */
export function createWorkers(ports: WorkPorts, onFree: (kind: DueKind) => void): Workers {
  const working = new Map<string, Work>();
  const busy = new Map<DueKind, number>();

  const workOff = async (handler: Handler, kind: DueKind, name: string, work: Work): Promise<unknown> => {
    let failure: unknown;
    // The check for a newer version and the removal below run in one turn of the event loop, so no version is missed between them.
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
      // A shutdown waits for background tasks, so outcomes are shown before the process ends.
      ports.backgroundTasks.add(end(), name);
      return true;
    },
    busy: (kind) => busy.get(kind) ?? 0,
    handled: async (kind, key) => working.get(`${kind} ${key}`)?.done,
  };
}

/** Resolves to the error of a failed attempt. Never rejects, because unfinished work is due again once its claim is over. */
async function attempt(ports: WorkPorts, handler: Handler, due: Due): Promise<unknown> {
  const { store, clock, log } = ports;
  const { kind, key, tries } = due;
  try {
    const outcome = await within(clock, claimMs, () => handler.handle(due));
    if (outcome && 'recorded' in outcome) return undefined;
    if (outcome) await store.finishDue(due, outcome, clock.now());
    else log.error({ kind, key, tries }, 'due work takes too long; retrying');
    return undefined;
  } catch (error) {
    await putOff(ports, handler, due, error).catch((err: unknown) =>
      log.warn({ err, kind, key }, 'due work could not be postponed; retrying'),
    );
    return error;
  }
}

const ageOf = ({ since, claimedAt }: Due): number => Math.max(0, claimedAt - since);

/** Returns a pause that grows with the time since the work fell due, and is at least `minMs`. */
export const pauseOf = (due: Due, minMs: number): number =>
  Math.max(minMs, growingPause(ageOf(due), firstPauseMs, longestPauseMs));

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
    await store.finishDue(due, { done: true }, clock.now());
    return;
  }
  if (!quiet) log.warn({ err: error, kind, key, tries, retryIn }, trouble);
  await store.finishDue(due, { retryIn }, clock.now());
}

/** Returns half the elapsed time, within the bounds, so attempts need not be counted. The result is a whole number, because the column `at` holds integers. */
export const growingPause = (elapsedMs: number, minMs: number, maxMs: number): number =>
  Math.ceil(Math.min(Math.max(elapsedMs / 2, minMs), maxMs));
