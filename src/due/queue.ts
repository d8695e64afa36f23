import type { Due, DueKind, Handler } from '../model/records/due.ts';
import { claimMs, createWorkers, type WorkPorts } from './work.ts';

interface QueuePorts extends WorkPorts {
  readonly clockIsRight: () => boolean;
}

/** Runs the due work that this process claims, and the work that this process has just made due. */
export interface DueQueue {
  handle(...handlers: readonly Handler[]): void;
  /** The kinds of the handlers. Work of other kinds is left to other versions. */
  kinds(): readonly DueKind[];
  /** Starts work now, or once earlier work with the same key has finished. Its row must already be committed. Returns false if this version or a newer one is already running or waiting. */
  now(owned: Pick<Due, 'kind' | 'key' | 'version'>): boolean;
  /** Claims work that has just become due, without waiting for the next round. Errors are left to the next round. */
  wake(): void;
  /** Claims due work. Called once a second. Rejects if the store can't be reached. */
  round(): Promise<void>;
  /** Resolves once this process has no work with this key in progress. The value is the error of the last attempt, if any. */
  handled(kind: DueKind, key: string): Promise<unknown>;
}

const renewalMs = 10_000;

export function createDueQueue(ports: QueuePorts): DueQueue {
  const { store, clock } = ports;
  const handlers = new Map<DueKind, Handler>();
  /** Kinds that may have more due work than was claimed. */
  const full = new Set<DueKind>();
  const workers = createWorkers(ports, (kind) => {
    if (free(kind) >= atOnce(kind) / 2 && full.delete(kind)) wake();
  });
  let renewedAt = 0;

  const atOnce = (kind: DueKind): number => handlers.get(kind)?.atOnce ?? 0;
  const free = (kind: DueKind): number => atOnce(kind) - workers.busy(kind);
  const begin = (due: Due): boolean => {
    const handler = handlers.get(due.kind);
    return handler !== undefined && workers.begin(handler, due);
  };

  const limitsNow = (): ReadonlyMap<DueKind, number> => {
    const right = ports.clockIsRight();
    const isRenewed = clock.now() >= renewedAt;
    const mayClaim = ({ kind, byClock, renewed }: Handler): boolean =>
      free(kind) > 0 && (right || !byClock) && (isRenewed || !renewed);
    return new Map([...handlers.values()].filter(mayClaim).map(({ kind }) => [kind, free(kind)]));
  };

  const claim = async (seldom: boolean): Promise<void> => {
    const limits = limitsNow();
    if (limits.size === 0) return;
    const claimed = await store.claimDue(limits, clock.now(), claimMs, seldom).catch((error: unknown) => {
      renewedAt = clock.now() + renewalMs;
      throw error;
    });
    for (const due of claimed) begin(due);
    for (const kind of limits.keys()) if (free(kind) === 0) full.add(kind);
  };

  const ask = inTurn(claim);

  const wake = (): void => {
    // The next round tries again and reports the error.
    ask('wake').catch(() => undefined);
  };

  return {
    handle: (...added) => added.forEach((handler) => handlers.set(handler.kind, handler)),
    kinds: () => [...handlers.keys()],
    now(owned) {
      const now = clock.now();
      return begin({ ...owned, since: now, claimedAt: now, tries: 0 });
    },
    wake,
    round: () => ask('round'),
    handled: (kind, key) => workers.handled(kind, key),
  };
}

/**
 * Callers that ask while a claim is under way share the next claim. `seldom` is true for a round, which usually finds
 * no work.
 */
function inTurn(claim: (seldom: boolean) => Promise<void>): (by: 'round' | 'wake') => Promise<void> {
  let claiming: Promise<void> | undefined;
  let asked: 'round' | 'wake' | undefined;
  const claimAll = async (): Promise<void> => {
    while (asked) {
      const seldom = asked === 'round';
      asked = undefined;
      await claim(seldom);
    }
  };
  return async (by) => {
    if (asked !== 'wake') asked = by;
    claiming ??= claimAll().finally(() => {
      claiming = undefined;
    });
    await claiming;
  };
}
