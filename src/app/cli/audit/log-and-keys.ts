import { resolve } from 'node:path';

import { createSecrets } from '../../../config/environment/secrets.ts';
import { readSmallFile } from '../../../program/files.ts';
import { formatSigningKey, type LogKeys, makeSigningKey } from '../../../audit/tree/signing-key.ts';
import type { Signed } from '../../../host/feature.ts';
import { badConfiguration, rescue } from '../../../model/values/errors.ts';
import {
  formatVerifierKey,
  isKeyName,
  longestNote,
  namesKey,
  parseVerifierKey,
  type VerifierKey,
  verifierOf,
} from '../../../audit/tree/signed-note.ts';
import { command, UsageError } from '../../../program/run-program.ts';
import {
  type AuditRecord,
  dataDirectory,
  nameOfStore,
  openRecord,
  storeOfEnvironment,
} from '../../../store/open-store.ts';
import { configuredKeys, newOrigin, readOwnKey } from '../../../audit/own-files.ts';
import { print, usualRulebook } from '../command.ts';
import { originOf } from '../../../audit/tree/checkpoint.ts';
import { cosigned } from '../../../audit/verify/prove.ts';
import { closing } from '../../../text/words.ts';

export const whereFrom =
  'Reads the store of DATABASE_URL, or of DATA_DIR (.data), and prints its location to stderr. Works while Bellhop is running.';

/** @throws BellhopError */
export async function withLog<T>(work: (log: AuditRecord) => Promise<T>): Promise<T> {
  const location = storeOfEnvironment();
  await using log = closing(await openRecord(location));
  process.stderr.write(`Reading ${nameOfStore(location)}.\n`);
  return await work(log);
}

/**
 * The signing keys that a start would use: those of `audit.key` in bellhop.yaml, or else the key in the data directory. Undefined if there
 * are neither.
 * @throws Error if the configuration is wrong
 */
export async function localKeys(): Promise<{ readonly keys: LogKeys; readonly own: boolean } | undefined> {
  const named = (await usualRulebook())?.auditKeys ?? [];
  const secretsDir = process.env.BELLHOP_SECRETS_DIR?.trim();
  const secrets = createSecrets(process.env, secretsDir && resolve(secretsDir), { learn: () => undefined });
  const own = named.length === 0 ? readOwnKey(dataDirectory()) : undefined;
  const configured = configuredKeys(named, secrets);
  if (configured) return { keys: configured, own: false };
  return own && { keys: [own], own: true };
}

/**
 * The keys given with --key, or else the signing keys of this environment.
 * @param signed checkpoints of the log
 */
export async function verifiersFor(
  origin: string,
  given: readonly string[],
  signed: readonly Signed[] = [],
): Promise<readonly VerifierKey[]> {
  if (given.length > 0) return given.map((text) => readOption('--key', () => parseVerifierKey(text.trim())));
  const own = await ownVerifiers(origin, signed);
  if (own.length > 0) return own;
  throw badConfiguration(
    (await localKeys())
      ? "The key in DATA_DIR did not sign this log; another replica seals it. Run this with that replica's DATA_DIR, or pass the log's verifier key with --key."
      : "No key to verify with. Pass the log's verifier key with --key; `npm run audit -- key` prints it where Bellhop runs.",
  );
}

/** On PostgreSQL, a key that a replica created proves nothing about checkpoints of other replicas. */
export async function ownVerifiers(
  origin: string,
  signed: readonly Signed[],
): Promise<readonly VerifierKey[]> {
  const local = await localKeys();
  const verifiers = local?.keys.map((key) => verifierOf(key, origin)) ?? [];
  const named = signed.some(({ note }) => verifiers.some((verifier) => namesKey(note, verifier)));
  return named || signed.length === 0 || !local?.own || !process.env.DATABASE_URL ? verifiers : [];
}

/** @throws UsageError that begins with the option, for a value that `read` refuses */
export const readOption = <T>(option: string, read: () => T): T =>
  rescue(read, (error) => {
    throw new UsageError(`${option}: ${error.message}`, { cause: error });
  });

/** @throws UsageError if the file can't be read */
export function readFile(option: string, path: string): Buffer {
  const file = readSmallFile(path, 10 * longestNote);
  if ('bytes' in file) return Buffer.from(file.bytes);
  throw new UsageError(`${option}: ${path} ${file.problem}.`);
}

/** A mail program or an editor may have added a byte order mark or Windows line ends. */
export const readNoteFile = (option: string, path: string): string =>
  readFile(option, path)
    .toString()
    .replace(/^\uFEFF/u, '')
    .replaceAll('\r\n', '\n');

export const key = command({
  summary: 'print the verifier key, for people who verify the log',
  help: `Usage: npm run audit -- key
Prints the verifier key of the audit log, name+hash+base64 (C2SP signed-note, Ed25519), one line per signing key.
The key is not a secret. Give it to the people who verify the log before they need it. It comes from audit.key
in bellhop.yaml (BELLHOP_CONFIG), or else from DATA_DIR. The log's name is in its checkpoints.
${whereFrom}
Exit code: 0, or 2 if no local key signed the newest checkpoint, or no checkpoint exists yet.`,
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

export const newKey = command({
  summary: 'create a signing key, to keep as a secret',
  help: `Usage: npm run audit -- new-key [--name <name>]
Prints a new private key, PRIVATE+KEY+name+hash+base64. Store it as a secret, such as audit-key, and set audit.key in bellhop.yaml:
audit: { key: secret:audit-key }. To replace a key, list both for a while, the new one first. Both then sign.
  --name    the permanent name of a new log, such as bellhop.example.com/audit; default: generated.
            A log that already has checkpoints keeps its name.`,
  options: { name: { type: 'string' } },
  run({ name = newOrigin() }) {
    if (!isKeyName(name)) throw new UsageError('--name must not contain spaces or +.');
    print([formatSigningKey(makeSigningKey(name))]);
    return Promise.resolve(0);
  },
});

export const checkpoint = command({
  summary: 'print the newest signed checkpoint',
  help: `Usage: npm run audit -- checkpoint
Prints the newest signed checkpoint (C2SP tlog-checkpoint): origin, size and root hash, and below them the signatures of
the log and of witnesses. Keep it where the owner of the database can't reach it; "verify --checkpoint <file>" verifies
later that the log still contains it.
${whereFrom}
Exit code: 0, or 2 if no checkpoint exists yet.`,
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
