import { type LastSealed, SealingStopped, type StoredCheckpoint } from '../../../model/records/sealed-log.ts';
import type { LogKeys } from '../../../audit/tree/signing-key.ts';
import { type Checkpoint, parseCheckpoint } from '../../../audit/tree/checkpoint.ts';
import { noteText } from '../../../audit/tree/signed-note.ts';
import { command, UsageError } from '../../../program/run-program.ts';
import { verifyAudit } from '../../../audit/verify/verify-audit.ts';
import { dataDirectory, openStore, storeOfEnvironment } from '../../../store/open-store.ts';
import type { Store } from '../../../store/store.ts';
import { keepOwnKey, lastSealedFile } from '../../../audit/own-files.ts';
import { systemClock } from '../../process/this-process.ts';
import { localKeys } from './log-and-keys.ts';
import { closing } from '../../../text/words.ts';

export const adopt = command({
  summary: 'resume sealing after a restore, a failover or a key change, and record why',
  help: `Usage: npm run audit -- adopt-log --reason <why>
Bellhop seals a log only if it still contains everything that was signed. Sealing stops after you restore a backup, a lagging
standby takes over, or the key is replaced without an overlap. This command then signs the log with the configured keys
(audit.key in bellhop.yaml, otherwise the key in DATA_DIR). First, compare the log with a published checkpoint:
npm run audit -- verify --checkpoint <file>. The entry "log adopted" records the checkpoint, the cause and your reason.
Stop Bellhop. Run this once for each replica that keeps its DATA_DIR, or only once if none does. Needs Bellhop's permissions on the database.
  --reason <why>   the reason, for the entry
Exit code: 0, 1 if the log is broken (nothing is adopted), or 2 if it could not be read.`,
  options: { reason: { type: 'string' } },
  async run({ reason }) {
    if (!reason?.trim())
      throw new UsageError('Give a reason for the entry: --reason "restored the backup from Monday".');
    const keys: LogKeys = (await localKeys())?.keys ?? [keepOwnKey(dataDirectory()).key];
    const file = lastSealedFile(dataDirectory());
    const note = file.read();
    await using store = closing(await openStore(storeOfEnvironment()));
    const newest = await store.newestCheckpoint();
    const verdict = await verifyAudit(store);
    if (!verdict.intact) {
      process.stdout.write(`The audit log is broken: ${verdict.why}. Nothing was adopted.\n`);
      return 1;
    }
    const last = note === undefined ? undefined : { note };
    const stopped = await sealAll(store, keys, last, file.keep);
    if (!stopped) {
      process.stdout.write('The audit log matches what was sealed here. Nothing to adopt.\n');
      return 0;
    }
    const entry = entryOf(stopped, reason.trim(), newest, last);
    const { checkpoint, edge } = await store.adopt(keys, systemClock.now(), entry);
    await file.keep(checkpoint.note);
    await sealAll(store, keys, { note: checkpoint.note, edge }, file.keep);
    process.stdout.write(
      `Adopted: checkpoint ${checkpoint.number} of ${checkpoint.size} entries is signed with the local keys.\n`,
    );
    return 0;
  },
});

async function sealAll(
  store: Store,
  keys: LogKeys,
  last: LastSealed | undefined,
  keep: (note: string) => Promise<void>,
): Promise<SealingStopped | undefined> {
  try {
    for (let before = last; ;) {
      const sealed = await store.seal(keys, systemClock.now(), before);
      if (!sealed) return undefined;
      before = { note: sealed.checkpoint.note, edge: sealed.edge };
      await keep(before.note);
    }
  } catch (error) {
    if (error instanceof SealingStopped) return error;
    throw error;
  }
}

function entryOf(
  { why }: SealingStopped,
  reason: string,
  newest: StoredCheckpoint | undefined,
  last: LastSealed | undefined,
) {
  return {
    at: systemClock.now(),
    event: 'log adopted' as const,
    input: {
      checkpoint: newest?.number,
      found: newest && stateOf(parseCheckpoint(noteText(newest.note))),
      sealedHere: last && stateOf(parseCheckpoint(noteText(last.note))),
    },
    note: `Adopted at ${newest ? `checkpoint ${newest.number}` : 'its beginning'}. ${why}.`,
    reason,
    policyHash: '',
  };
}

const stateOf = ({ size, root }: Checkpoint) => ({ entries: size, root: root.toString('base64') });
