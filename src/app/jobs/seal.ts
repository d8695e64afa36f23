import type { LogKeys } from '../../core/audit/sealed-log.ts';
import type { Clock, Log } from '../../core/model/ports.ts';
import type { Sealing } from '../../store/store.ts';

interface SealerParts {
  readonly store: Pick<Sealing, 'seal'>;
  readonly keys: () => LogKeys;
  /** Whether these keys sign what follows the newest checkpoint's note; left out: they do. */
  readonly mayFollow?: (note: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Sealer {
  /** Seals all that waits; rejects where the store cannot. */
  seal(): Promise<void>;
  /** Entries were recorded: they are sealed soon, with those that follow at once. Never rejects. */
  wake(): void;
  /** Seals what waits a last time. Never rejects. */
  close(): Promise<void>;
}

/** For entries to come together, in milliseconds. */
const gatherMs = 500;

/**
 * Moves recorded entries into the tree of the audit log. Every replica does it; the store lets one at a time. What a round
 * fails to seal waits for the next, here or on another replica.
 */
export function createSealer({ store, keys, mayFollow, clock, log }: SealerParts): Sealer {
  let underWay: Promise<void> | undefined;
  let woken = false;

  const sealAll = async (): Promise<void> => {
    for (let more = true; more;) more = (await store.seal(keys(), clock.now(), mayFollow))?.more ?? false;
  };
  const seal = (): Promise<void> => {
    underWay ??= sealAll().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const sealSoon = async (): Promise<void> => {
    await clock.wait(gatherMs);
    woken = false;
    await underWay;
    await seal();
  };
  return {
    seal,
    wake() {
      if (woken) return;
      woken = true;
      // The job `seal` tries again within a second, and reports.
      sealSoon().catch(() => undefined);
    },
    async close() {
      try {
        await underWay?.catch(() => undefined);
        await seal();
      } catch (error) {
        log.warn(
          { err: error },
          'audit entries wait to be sealed; the next start or another replica seals them',
        );
      }
    },
  };
}
