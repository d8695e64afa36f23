import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { giveToOwner, readSmallFile, makeFolder } from '../program/files.ts';
import {
  formatSigningKey,
  type LogKeys,
  makeSigningKey,
  type NamedSigningKey,
  parseSigningKey,
} from './tree/signing-key.ts';
import { badConfiguration, type BellhopError, errorCode } from '../model/values/errors.ts';
import { type Checkpoint, parseCheckpoint } from './tree/checkpoint.ts';
import { longestNote, noteText } from './tree/signed-note.ts';

const largestKey = 4096;

export const ownKeyFile = (dataDir: string): string => join(dataDir, 'audit-key');

/** Returns the keys that `audit.key` names. @throws BellhopError `configuration` if a key is missing or invalid */
export function configuredKeys(
  references: readonly string[],
  secrets: { resolve(reference: string): string },
): LogKeys | undefined {
  const [first, ...others] = references.map((reference) => parseSigningKey(secrets.resolve(reference)));
  return first && [first, ...others];
}

/** Returns the key in the data directory, or undefined if there is no key yet. @throws BellhopError `configuration` */
export function readOwnKey(dataDir: string): NamedSigningKey | undefined {
  const file = ownKeyFile(dataDir);
  const read = readSmallFile(file, largestKey);
  if ('bytes' in read) return parseSigningKey(new TextDecoder().decode(read.bytes));
  if (read.code === 'absent') return undefined;
  throw badConfiguration(`The key of the audit log can't be used: ${file} ${read.problem}.`);
}

/**
 * Returns the key in the data directory, and creates a missing key. The file appears whole, so that no other replica
 * reads half of the key or replaces the file.
 * @throws BellhopError `configuration` if the key cannot be read or written
 */
export function keepOwnKey(dataDir: string): { readonly key: NamedSigningKey; readonly made: boolean } {
  const kept = readOwnKey(dataDir);
  if (kept) return { key: kept, made: false };
  const file = ownKeyFile(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${formatSigningKey(makeSigningKey(newOrigin()))}\n`, { mode: 0o600, flag: 'wx' });
    giveToOwner(draft);
    linkSync(draft, file);
  } catch (cause) {
    // Another replica created the file first.
    if (errorCode(cause) !== 'EEXIST')
      throw badConfiguration(
        `The key of the audit log can't be written to ${file}. Make that folder writable, or set audit.key in bellhop.yaml.`,
        { cause },
      );
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readOwnKey(dataDir);
  if (!key) throw badConfiguration(`The key of the audit log was removed: ${file}. Restart Bellhop.`);
  return { key, made: true };
}

/** Returns a permanent name for a new log whose first key has no other name. */
export const newOrigin = (): string => `bellhop-audit/${randomBytes(6).toString('hex')}`;

/**
 * The newest checkpoint that this replica signed or verified. The file is outside the database, so that database
 * administrators can't change the checkpoint.
 */
export interface LastSealedFile {
  readonly path: string;
  /** Returns the note, or undefined if there is no note yet. @throws BellhopError `configuration` */
  readonly read: () => string | undefined;
  /** Replaces the note, whole or not at all. Rejects if the file cannot be written. */
  readonly keep: (note: string) => Promise<void>;
}

export function lastSealedFile(dataDir: string): LastSealedFile {
  const path = join(dataDir, 'audit-sealed');
  return {
    path,
    read() {
      const file = readSmallFile(path, longestNote);
      if ('problem' in file) {
        if (file.code === 'absent') return undefined;
        if (file.code === 'EACCES') throw foreign(path, file.problem);
        throw unusable(path, file.problem);
      }
      const note = new TextDecoder().decode(file.bytes);
      checkpointIn(path, note);
      return note;
    },
    async keep(note) {
      const draft = `${path}.${randomBytes(6).toString('hex')}`;
      makeFolder(dataDir, 0o700);
      try {
        await writeFile(draft, note, { mode: 0o600, flush: true });
        giveToOwner(draft);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

/** Returns the log's state in the file, or undefined if there is no file. @throws BellhopError `configuration` */
export const lastSealedCheckpoint = (dataDir: string): Checkpoint | undefined =>
  sealedCheckpoint(lastSealedFile(dataDir));

/** @throws BellhopError `configuration` if the file can't be read */
export function sealedCheckpoint({ path, read }: LastSealedFile): Checkpoint | undefined {
  const note = read();
  return note === undefined ? undefined : checkpointIn(path, note);
}

function checkpointIn(path: string, note: string): Checkpoint {
  try {
    return parseCheckpoint(noteText(note));
  } catch (cause) {
    throw unusable(path, 'is not a checkpoint', cause);
  }
}

const foreign = (path: string, problem: string): BellhopError => {
  const user = process.getuid?.();
  return badConfiguration(
    `${path} ${problem} (${user}). Set DATA_DIR to a folder of this user, or change its owner: chown --recursive ${user} ${dirname(path)}`,
  );
};

const unusable = (path: string, problem: string, cause?: unknown): BellhopError =>
  badConfiguration(
    `The last checkpoint that this replica sealed is unreadable: ${path} ${problem}. Verify the log with a published ` +
      'checkpoint (npm run audit -- verify --checkpoint FILE), then remove the file.',
    { cause },
  );
