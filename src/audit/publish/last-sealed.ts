import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { giveToOwner, makeFolder, readSmallFile } from '../../program/files.ts';
import { BellhopError } from '../../model/errors.ts';
import { type Checkpoint, parseCheckpoint } from '../tree/checkpoint.ts';
import { longestNote, noteText } from '../tree/signed-note.ts';

/** The newest checkpoint that this replica signed or verified, kept outside the database, so that its administrators can't change it. */
export interface LastSealedFile {
  readonly path: string;
  /** The note; undefined if there is none yet. @throws BellhopError `configuration` */
  readonly read: () => string | undefined;
  /** Replaces it, whole or not at all. Rejects if it cannot be written. */
  readonly keep: (note: string) => Promise<void>;
}

export function lastSealedFile(dataDir: string): LastSealedFile {
  const path = join(dataDir, 'audit-sealed');
  return {
    path,
    read() {
      const file = readSmallFile(path, longestNote);
      if ('problem' in file) {
        if (file.absent) return undefined;
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
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

/** The log's state in the file; undefined if there is none. @throws BellhopError `configuration` */
export function lastSealedCheckpoint(dataDir: string): Checkpoint | undefined {
  const { path, read } = lastSealedFile(dataDir);
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

const unusable = (path: string, problem: string, cause?: unknown): BellhopError =>
  new BellhopError(
    'configuration',
    `The last checkpoint that this replica sealed is unreadable: ${path} ${problem}. Verify the log with a published ` +
      'checkpoint (npm run audit -- verify --checkpoint FILE), then remove the file.',
    { cause },
  );
