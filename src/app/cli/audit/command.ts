import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { createSecrets } from '../../../config/environment/secrets.ts';
import { readSmallFile } from '../../../program/files.ts';
import type { LogKeys } from '../../../audit/tree/signing-key.ts';
import type { StoredCheckpoint } from '../../../model/sealed-log.ts';
import { BellhopError } from '../../../model/errors.ts';
import {
  longestNote,
  namesKey,
  parseVerifierKey,
  type VerifierKey,
  verifierOf,
} from '../../../audit/tree/signed-note.ts';
import { UsageError } from '../../../program/run-program.ts';
import {
  type AuditRecord,
  dataDirectory,
  openRecord,
  storeOfEnvironment,
} from '../../../store/open-store.ts';
import { configuredKeys, readOwnKey } from '../../../audit/own-files.ts';
import { readValidRules, usualFile } from '../command.ts';

export const whereFrom = 'Reads the store of DATABASE_URL, or of DATA_DIR (.data). Works while Bellhop runs.';

/** Opens the store to read the log, and closes it. @throws BellhopError */
export async function withLog<T>(work: (log: AuditRecord) => Promise<T>): Promise<T> {
  const log = await openRecord(storeOfEnvironment());
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/**
 * The signing keys that a start would use: `audit.key` of bellhop.yaml, else the key in the data directory. Undefined
 * without either.
 * @throws Error if the configuration is wrong
 */
export async function localKeys(): Promise<{ readonly keys: LogKeys; readonly own: boolean } | undefined> {
  const file = usualFile();
  const named =
    existsSync(file) || process.env.BELLHOP_CONFIG ? (await readValidRules(file)).rulebook.audit.keys : [];
  const secretsDir = process.env.BELLHOP_SECRETS_DIR?.trim();
  const secrets = createSecrets(process.env, secretsDir && resolve(secretsDir), { learn: () => undefined });
  const own = named.length === 0 ? readOwnKey(dataDirectory()) : undefined;
  const configured = configuredKeys(named, secrets);
  if (configured) return { keys: configured, own: false };
  return own && { keys: [own], own: true };
}

/**
 * The keys that verify a log of this name: those given with --key, else the signing keys of this environment.
 * @param signed checkpoints of the store: on PostgreSQL, a key that a replica created proves nothing about other replicas' checkpoints
 * @throws UsageError for an invalid key, BellhopError if there is none
 */
export async function verifiersFor(
  origin: string,
  given: readonly string[],
  signed: readonly StoredCheckpoint[] = [],
): Promise<readonly VerifierKey[]> {
  if (given.length > 0) return given.map(verifierFrom);
  const local = await localKeys();
  if (local) {
    const verifiers = local.keys.map((key) => verifierOf(key, origin));
    const named = signed.some(({ note }) => verifiers.some((verifier) => namesKey(note, verifier)));
    if (named || signed.length === 0 || !local.own || !process.env.DATABASE_URL) return verifiers;
    throw new BellhopError(
      'configuration',
      "The key in DATA_DIR did not sign this log; another replica seals it. Run this with that replica's DATA_DIR, or pass the log's verifier key with --key.",
    );
  }
  throw new BellhopError(
    'configuration',
    "No key to verify with. Pass the log's verifier key with --key; `npm run audit -- key` prints it where Bellhop runs.",
  );
}

function verifierFrom(text: string): VerifierKey {
  try {
    return parseVerifierKey(text.trim());
  } catch (error) {
    throw new UsageError(`--key: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** A file from the command line. @throws UsageError if it can't be read */
export function readFile(option: string, path: string): Buffer {
  const file = readSmallFile(path, 10 * longestNote);
  if ('bytes' in file) return Buffer.from(file.bytes);
  throw new UsageError(`${option}: ${path} ${file.problem}.`);
}
