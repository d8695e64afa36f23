import type { Log } from '../../model/ports.ts';
import type { LastSealedFile } from '../../audit/own-files.ts';
import { originOf, parseCheckpoint } from '../../audit/tree/checkpoint.ts';
import { noteText, openNote, verifierOf } from '../../audit/tree/signed-note.ts';
import type { LogKeys } from '../../audit/tree/signing-key.ts';
import { readPublished } from './publish.ts';

/**
 * If the replica's file is empty, as in a new pod, its memory starts with the newest checkpoint that was published to a folder or URL. A
 * replica without a memory would continue any log that the database has. Destinations without a checkpoint, or that can't be read, are
 * logged.
 * @throws BellhopError `configuration` if the file can't be read
 */
export async function recallSealed({
  file,
  keys,
  published,
  log,
}: {
  readonly file: LastSealedFile;
  readonly keys: LogKeys;
  readonly published: readonly string[];
  readonly log: Log;
}): Promise<LastSealedFile> {
  if (file.read() !== undefined) return file;
  const read = async (from: string) => {
    try {
      const note = await readPublished(from);
      if (note !== undefined) return [{ note, size: signedSize(note, keys) }];
      log.info({ from }, 'no checkpoint is published here, so the log is not compared with one');
    } catch (error) {
      log.warn(
        { err: error, from },
        'a published checkpoint was not read, so the log is not compared with it',
      );
    }
    return [];
  };
  const found = (await Promise.all(published.map(read))).flat();
  const [newest] = found.toSorted((a, b) => b.size - a.size);
  if (!newest) return file;
  log.info({ entries: newest.size }, 'this replica continues from the newest published checkpoint');
  return { ...file, read: () => file.read() ?? newest.note };
}

function signedSize(note: string, keys: LogKeys): number {
  const verifiers = keys.map((key) => verifierOf(key, originOf(note)));
  if (openNote(note, verifiers).signatures.length === 0) throw new Error('No key of this log signed it.');
  return parseCheckpoint(noteText(note)).size;
}
