import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { giveToOwner, readSmallFile } from '../../program/files.ts';
import {
  formatSigningKey,
  type LogKeys,
  makeSigningKey,
  type NamedSigningKey,
  parseSigningKey,
} from '../tree/signing-key.ts';
import { BellhopError } from '../../model/errors.ts';

const largestKey = 4096;

/** The file of the key that a replica creates if none is configured. */
export const ownKeyFile = (dataDir: string): string => join(dataDir, 'audit-key');

/**
 * The keys that `audit.key` names.
 * @throws BellhopError `configuration` if one is missing or invalid
 */
export function configuredKeys(
  references: readonly string[],
  secrets: { resolve(reference: string): string },
): LogKeys | undefined {
  const [first, ...others] = references.map((reference) => parseSigningKey(secrets.resolve(reference)));
  return first && [first, ...others];
}

/** The key in the data directory; undefined if there is none yet. @throws BellhopError `configuration` */
export function readOwnKey(dataDir: string): NamedSigningKey | undefined {
  const file = ownKeyFile(dataDir);
  const read = readSmallFile(file, largestKey);
  if ('bytes' in read) return parseSigningKey(new TextDecoder().decode(read.bytes));
  if (read.absent) return undefined;
  throw new BellhopError('configuration', `The key of the audit log can't be used: ${file} ${read.problem}.`);
}

/**
 * The key in the data directory, created if missing. The file appears whole, so that no other replica reads half of
 * it or replaces it.
 * @throws BellhopError `configuration` if it cannot be read or written
 */
export function keepOwnKey(dataDir: string): { readonly key: NamedSigningKey; readonly made: boolean } {
  const kept = readOwnKey(dataDir);
  if (kept) return { key: kept, made: false };
  const name = newOrigin();
  const file = ownKeyFile(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${formatSigningKey(makeSigningKey(name))}\n`, { mode: 0o600, flag: 'wx' });
    giveToOwner(draft);
    linkUnlessThere(draft, file);
  } catch (cause) {
    throw new BellhopError(
      'configuration',
      `The key of the audit log can't be written to ${file}. Make that folder writable, or set audit.key in bellhop.yaml.`,
      { cause },
    );
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readOwnKey(dataDir);
  if (!key)
    throw new BellhopError('configuration', `The key of the audit log was removed: ${file}. Start again.`);
  return { key, made: true };
}

function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** The permanent name of a new log, unless its first key has another. */
export const newOrigin = (): string => `bellhop-audit/${randomBytes(6).toString('hex')}`;
