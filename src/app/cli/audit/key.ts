import { command, UsageError } from '../../../program/run-program.ts';
import { formatVerifierKey, isKeyName, namesKey } from '../../../audit/tree/signed-note.ts';
import { formatSigningKey, makeSigningKey } from '../../../audit/tree/signing-key.ts';
import { newOrigin } from '../../../audit/own-files.ts';
import { print } from '../command.ts';
import { originOf } from '../../../audit/tree/checkpoint.ts';
import { verifiersFor, whereFrom, withLog } from './command.ts';
import { cosigned } from '../../../audit/verify/prove.ts';

/** The public key, which others need to verify the log. */
export const key = command({
  summary: 'print the verifier key, for people who verify the log',
  help: `Usage: npm run audit -- key
Prints the verifier key of the audit log, name+hash+base64 (C2SP signed-note, Ed25519), one line per signing key.
It is not a secret. Give it to the people who verify the log before they need it. The key is that of audit.key in
bellhop.yaml (BELLHOP_CONFIG), else that in DATA_DIR; the name of the log stands in its checkpoints.
${whereFrom}
Exit code: 0, or 2 if no local key signed the newest checkpoint, or there is none yet.`,
  options: {},
  async run() {
    const newest = await withLog((log) => log.newestCheckpoint());
    if (!newest) throw nothingSealed();
    const keys = await verifiersFor(originOf(newest.note), []);
    if (!keys.some((one) => namesKey(newest.note, one))) {
      throw new Error(
        'No key configured here signed the newest checkpoint. Run this with the DATA_DIR of the replica that seals the log.',
      );
    }
    print(keys.map(formatVerifierKey));
    return 0;
  },
});

export const nothingSealed = (): Error =>
  new Error('The audit log is not sealed yet. Bellhop seals it within a second of starting.');

/** A secret, printed for a secret store. */
export const newKey = command({
  summary: 'create a signing key, to keep as a secret',
  help: `Usage: npm run audit -- new-key [--name <name>]
Prints a new private key, PRIVATE+KEY+name+hash+base64. Keep it as a secret, such as audit-key, and name that in bellhop.yaml:
audit: { key: secret:audit-key }. To replace a key, name both for a while, the new one first: both sign.
  --name    the permanent name of a new log, such as bellhop.example.com/audit; default: generated.
            A log that already has checkpoints keeps its name.`,
  options: { name: { type: 'string' } },
  run({ name = newOrigin() }) {
    if (!isKeyName(name)) throw new UsageError('--name takes a name without spaces and without +.');
    print([formatSigningKey(makeSigningKey(name))]);
    return Promise.resolve(0);
  },
});

/** The current checkpoint, to keep. */
export const checkpoint = command({
  summary: 'print the newest signed checkpoint, to keep',
  help: `Usage: npm run audit -- checkpoint
Prints the newest signed checkpoint (C2SP tlog-checkpoint): origin, size and root hash, and below them the signatures of
the log and of witnesses. Keep it where the owner of the database can't reach it; "verify --checkpoint <file>" verifies
later that the log still contains it.
${whereFrom}
Exit code: 0, or 2 if there is none yet.`,
  options: {},
  async run() {
    return withLog(async (log) => {
      const newest = await log.newestCheckpoint();
      if (!newest) throw nothingSealed();
      process.stdout.write(await cosigned(log, newest));
      return 0;
    });
  },
});
