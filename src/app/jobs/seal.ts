import { type LastSealed, type LogKeys, SealingStopped } from '../../core/audit/sealed-log.ts';
import type { Clock, Log } from '../../core/model/ports.ts';
import type { SealedRound, Sealing } from '../../store/store.ts';
import type { LastSealedFile } from '../audit/last-sealed.ts';

interface SealerParts {
  readonly store: Pick<Sealing, 'seal'>;
  readonly keys: LogKeys;
  /** What was sealed before this start, and where it is kept for the next. */
  readonly file: LastSealedFile;
  readonly clock: Clock;
  readonly log: Log;
  /** After each round that the store answered: undefined, or why nothing is sealed any more. */
  readonly onSealed?: (stopped: SealingStopped | undefined) => void;
}

export interface Sealer {
  /** Seals all that waits; rejects where the store cannot, or where the log is not what was sealed. */
  seal(): Promise<void>;
  /** Entries were recorded: they are sealed soon, with those that follow at once. Never rejects. */
  wake(): void;
  /** Seals what waits a last time. Never rejects. */
  close(): Promise<void>;
}

/** For entries to come together, in milliseconds. */
const gatherMs = 500;

/**
 * Moves recorded entries into the tree of the audit log, upon what it knows itself to be sealed. Every replica does it; the
 * store lets one at a time. What a round fails to seal waits for the next, here or on another replica.
 * @throws BellhopError `configuration` where what was sealed before cannot be read
 */
export function createSealer({ store, keys, file, clock, log, onSealed }: SealerParts): Sealer {
  const memory = createMemory(file, log);
  let underWay: Promise<void> | undefined;
  let [woken, stopped] = [false, false];

  const round = async (): Promise<boolean> => {
    const sealed = await store.seal(keys, clock.now(), memory.last());
    if (sealed) await memory.keep(sealed);
    return sealed?.more ?? false;
  };
  const sealAll = async (): Promise<void> => {
    try {
      for (let more = true; more;) more = await round();
      stopped = false;
      onSealed?.(undefined);
    } catch (error) {
      if (error instanceof SealingStopped) {
        if (!stopped) log.error({ err: error }, 'the audit log is not sealed any more');
        stopped = true;
        onSealed?.(error);
      }
      throw error;
    }
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

/** What was last sealed, kept in the file as well. @throws BellhopError `configuration` where that cannot be read */
function createMemory(file: LastSealedFile, log: Log) {
  const note = file.read();
  let last: LastSealed | undefined = note === undefined ? undefined : { note };
  let kept = true;
  return {
    last: () => last,
    /** Never rejects. */
    async keep({ checkpoint, edge }: SealedRound): Promise<void> {
      last = { note: checkpoint.note, edge };
      try {
        await file.keep(checkpoint.note);
        kept = true;
      } catch (error) {
        if (kept) {
          log.warn(
            { err: error, file: file.path },
            'what is sealed of the audit log cannot be kept: after a restart this replica believes the database; make DATA_DIR writable',
          );
        }
        kept = false;
      }
    },
  };
}
