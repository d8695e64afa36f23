import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { sendOnce } from '../../http/send.ts';
import type { SealedLog, StoredCheckpoint } from '../../model/sealed-log.ts';
import { BellhopError, errorCode } from '../../model/errors.ts';
import { type Checkpoint, parseCheckpoint } from '../tree/checkpoint.ts';
import { proveConsistency, verifyConsistency } from '../tree/proofs.ts';
import { noteText } from '../tree/signed-note.ts';

/** Who was handed a checkpoint holds one that this log does not continue: it was set back, or written anew. */
export class ContradictedError extends BellhopError {
  override readonly name = 'ContradictedError';

  /** @param what who holds what, as a sentence */
  constructor(what: string) {
    super(
      'configuration',
      `${what} Compare them: npm run audit -- verify --checkpoint FILE. See docs/operations.md#bellhopauditcontradicted.`,
    );
  }
}

export interface Folder {
  /**
   * Puts a checkpoint beside the others as `<number>.checkpoint`, whole or not at all.
   * @throws ContradictedError where the folder has another one, which is left as it is; Error where it is not there
   */
  publish(checkpoint: StoredCheckpoint): Promise<void>;
}

export function createFolder(folder: string, log: Pick<SealedLog, 'readHashes'>): Folder {
  let compared = false;
  return {
    async publish(checkpoint) {
      // Once a start: what is there since was put there by a replica of this very log.
      if (!compared) await compareNewest(folder, checkpoint, log);
      compared = true;
      await putNew(join(folder, `${checkpoint.number}.checkpoint`), checkpoint);
    },
  };
}

/** Puts a checkpoint to an address. @throws Error where that does not take it */
export async function putTo(address: string, { note }: StoredCheckpoint): Promise<void> {
  const { status } = await sendNote('PUT', address, note);
  if (status < 200 || status > 299) throw new Error(`${new URL(address).host} answered ${status}`);
}

/** Bytes of an answer that are read. */
export const readOfAnswer = 64_000;

/** Sends text to an address. @throws Error where there is no answer in time */
export async function sendNote(
  method: 'POST' | 'PUT',
  url: string,
  note: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const attempt = await sendOnce(url, { method, headers, body: note, enough: readOfAnswer });
  if (attempt.kind === 'answer') return { status: attempt.status, text: attempt.body.toString('utf8') };
  throw new Error(`${new URL(url).host} did not answer (${attempt.code ?? attempt.reason})`);
}

/** The newest of the folder must be one that the log continues. */
async function compareNewest(
  folder: string,
  newest: StoredCheckpoint,
  { readHashes }: Pick<SealedLog, 'readHashes'>,
): Promise<void> {
  const numbers = (await readdir(folder)).flatMap((name) =>
    /^[1-9]\d{0,14}\.checkpoint$/u.test(name) ? [Number.parseInt(name, 10)] : [],
  );
  const last = numbers.reduce((one, other) => Math.max(one, other), 0);
  if (last === 0) return;
  const file = join(folder, `${last}.checkpoint`);
  const [before, now] = [checkpointOf(await readFile(file, 'utf8')), checkpointOf(newest.note)];
  if (before.origin === now.origin && before.size <= now.size) {
    const path = await proveConsistency(readHashes, before.size, now.size);
    if (verifyConsistency(before, now, path)) return;
  }
  throw new ContradictedError(
    `${file} has a checkpoint of ${before.size} entries, which this log with ${now.size} does not continue.`,
  );
}

const checkpointOf = (note: string): Checkpoint => parseCheckpoint(noteText(note));

async function putNew(file: string, { number, note }: StoredCheckpoint): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, note, { flush: true });
    await link(draft, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if ((await readFile(file, 'utf8')) === note) return;
    throw new ContradictedError(`${file} has another checkpoint ${number} than this log.`);
  } finally {
    await rm(draft, { force: true });
  }
}
