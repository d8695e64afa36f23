import {
  type LastSealed,
  SealingStopped,
  type StoredCheckpoint,
  type Hash,
} from '../model/records/sealed-log.ts';
import type { LogKeys } from './tree/signing-key.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { LastSealedFile } from './own-files.ts';
import type { AuditDraft } from '../model/records/audit.ts';
import type { DueDraft } from '../model/records/due.ts';

interface SealerParts {
  readonly store: Pick<Sealing, 'seal'>;
  readonly keys: LogKeys;
  /**
   * At the start, this file holds the newest checkpoint that this replica knows. The sealer writes later checkpoints to
   * it.
   */
  readonly file: LastSealedFile;
  readonly clock: Clock;
  readonly log: Log;
  readonly due?: () => readonly DueDraft[];
  /** Called after each round that the store answered: with the reason if sealing stopped, otherwise with undefined. */
  readonly onSealed?: (stopped: SealingStopped | undefined) => void;
}

export interface Sealer {
  /** Seals all waiting entries. Rejects if the store fails, or if the log differs from what was sealed. */
  seal(): Promise<void>;
  /** Seals recorded entries soon, together with entries that follow at once. Never rejects. */
  wake(): void;
  close(): Promise<void>;
}

/** In milliseconds. Entries are collected for this long before they are sealed. */
const gatherMs = 500;

/**
 * Moves recorded entries into the audit log's tree, on top of what this replica knows to be sealed. Every replica does
 * this, and the store admits one replica at a time. Entries that a round fails to seal wait for the next round, on this
 * or another replica.
 * @throws BellhopError `configuration` if the last sealed checkpoint can't be read
 */
export function createSealer({ store, keys, file, clock, log, due, onSealed }: SealerParts): Sealer {
  const memory = createMemory(file, log);
  let underWay: Promise<void> | undefined;
  let [woken, stopped] = [false, false];

  const round = async (isWoken: boolean): Promise<boolean> => {
    const sealed = await store.seal(keys, clock.now(), memory.last(), due?.(), isWoken);
    if (sealed) await memory.keep(sealed);
    return sealed?.more ?? false;
  };
  const sealAll = async (isWoken: boolean): Promise<void> => {
    try {
      for (let more = await round(isWoken); more;) more = await round(true);
      stopped = false;
      onSealed?.(undefined);
    } catch (error) {
      if (error instanceof SealingStopped) {
        if (!stopped) log.error({ err: error }, 'sealing of the audit log has stopped');
        stopped = true;
        onSealed?.(error);
      }
      throw error;
    }
  };
  const seal = (isWoken = false): Promise<void> => {
    underWay ??= sealAll(isWoken).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const sealSoon = async (): Promise<void> => {
    await clock.wait(gatherMs);
    woken = false;
    await underWay;
    await seal(true);
  };
  return {
    seal: () => seal(),
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
          'audit entries are not sealed yet; the next start or another replica seals them',
        );
      }
    },
  };
}

/**
 * Remembers the last sealed checkpoint, in the file as well.
 * @throws BellhopError `configuration` if the file can't be read
 */
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
            "the last sealed checkpoint can't be stored, so this replica trusts the database after a restart; make DATA_DIR writable",
          );
        }
        kept = false;
      }
    },
  };
}

export interface Sealing {
  /**
   * Seals one round, all or nothing, on one replica at a time. First, the round verifies that one of these keys signed
   * the newest checkpoint, and that this checkpoint continues `last`. Then the round numbers recorded entries, grows
   * the tree over these entries, and signs a new checkpoint. Resolves to undefined if no entry waited and the newest
   * checkpoint is `last`.
   * @param now epoch milliseconds
   * @param last default: the newest checkpoint, which is trusted if one of these keys signed it
   * @param due work that is set in the same transaction if entries were sealed; its version is the size of the tree
   * @param isWoken whether entries were just recorded, so that the store need not check for waiting entries
   * @throws SealingStopped
   */
  seal(
    keys: LogKeys,
    now: number,
    last?: LastSealed,
    due?: readonly DueDraft[],
    isWoken?: boolean,
  ): Promise<SealedRound | undefined>;
  /**
   * Seals this entry on top of the current log, regardless of who signed the log. A person has decided that these keys
   * vouch for the log from now on.
   */
  adopt(keys: LogKeys, now: number, entry: AuditDraft): Promise<SealedRound>;
  /**
   * Resolves to whether this process could change or remove what is sealed. True for an embedded store, which this
   * process owns.
   */
  mayRewrite(): Promise<boolean>;
}

export interface SealedRound {
  readonly checkpoint: StoredCheckpoint;
  readonly edge: readonly Hash[];
  readonly more: boolean;
}
