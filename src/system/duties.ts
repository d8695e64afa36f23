import type { Log, Store } from '../core/ports.ts';
import type { Core } from './create-core.ts';
import type { Readiness } from './readiness.ts';
import { systemClock } from './system-clock.ts';

interface DutyParts {
  readonly core: Core;
  readonly store: Store;
  readonly readiness: Readiness;
  readonly log: Log;
}

const everyMs = 1000;

/**
 * What is done about once a second, on each replica: requests that time has ended, cards that were left behind, a look at
 * the store. Each is a claim in the store, so replicas do not get in each other's way.
 */
export function startDuties({ core, store, readiness, log }: DutyParts): { close(): void } {
  const stops = [
    duty('sweep', () => core.executor.sweep(), log),
    duty('cards', () => core.cards.reconcile(), log),
    duty('store', () => lookAtStore(store, readiness), log),
  ];
  return {
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** The next round begins only when the one before has ended. */
function duty(name: string, round: () => Promise<void>, log: Log): () => void {
  let busy = false;
  const once = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      await round();
    } catch (error) {
      log.warn({ err: error, duty: name }, 'a duty failed; it is tried again');
    } finally {
      busy = false;
    }
  };
  void once();
  return systemClock.every(everyMs, () => void once());
}

async function lookAtStore(store: Store, readiness: Readiness): Promise<void> {
  try {
    await store.ping();
    readiness.set('store', true);
  } catch (error) {
    readiness.set('store', false, error instanceof Error ? error.message : 'unknown');
  }
}
