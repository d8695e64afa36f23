import { link, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { reasonText } from '../../http/exchange.ts';
import { sendOnce } from '../../http/send.ts';
import { readSmallFile } from '../../program/files.ts';
import type { SealedLog, StoredCheckpoint } from '../../model/records/sealed-log.ts';
import { BellhopError, errorCode } from '../../model/values/errors.ts';
import { type Checkpoint, parseCheckpoint, parseDecimal } from '../../audit/tree/checkpoint.ts';
import { proveConsistency, verifyConsistency } from '../../audit/tree/proofs.ts';
import {
  type VerifiedSignature,
  type VerifierKey,
  longestNote,
  noteText,
  openNote,
  parseVerifierKey,
} from '../../audit/tree/signed-note.ts';
import { formatContinuation } from '../../audit/tree/proof-file.ts';

/**
 * Thrown if a destination has a checkpoint that this log is not consistent with, because the log was restored or
 * rewritten.
 */
export class ContradictedError extends BellhopError {
  override readonly name = 'ContradictedError';

  /** @param what a sentence with the destination and its checkpoint */
  constructor(what: string) {
    super(
      'configuration',
      `${what} Compare them: npm run audit -- verify --checkpoint FILE. See docs/runbook.md#bellhopauditcontradicted.`,
    );
  }
}

type Publish = (checkpoint: StoredCheckpoint) => Promise<void>;

/**
 * The file is `<number>.checkpoint`, and is written whole or not at all.
 * @throws ContradictedError if the folder has a different checkpoint, which stays unchanged; Error if the folder does not exist
 */
export function putInto(folder: string, log: Pick<SealedLog, 'readHashes'>): Publish {
  let compared = false;
  return async (checkpoint) => {
    // Compared once per start, because later files come from replicas of this log.
    if (!compared) await compareNewest(folder, checkpoint, log);
    compared = true;
    await putNew(join(folder, `${checkpoint.number}.checkpoint`), checkpoint);
  };
}

/** @throws Error if the checkpoint is not accepted */
export async function putTo(address: string, { note }: StoredCheckpoint): Promise<void> {
  const { status } = await sendNote('PUT', address, note);
  if (status < 200 || status > 299) throw new Error(`${new URL(address).host} answered ${status}`);
}

/** In bytes. No more than this is read of an answer. */
export const readOfAnswer = 64_000;

/** @throws Error if there is no answer in time */
async function sendNote(
  method: 'POST' | 'PUT',
  url: string,
  note: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  const attempt = await sendOnce(url, { method, headers, body: note, enough: readOfAnswer });
  if (attempt.kind === 'answer') return { status: attempt.status, text: attempt.body.toString('utf8') };
  throw new Error(`${new URL(url).host} did not answer${reasonText(attempt)}`);
}

async function compareNewest(
  folder: string,
  newest: StoredCheckpoint,
  { readHashes }: Pick<SealedLog, 'readHashes'>,
): Promise<void> {
  const published = await newestIn(folder);
  if (!published) return;
  const [before, now] = [checkpointOf(published.note), checkpointOf(newest.note)];
  if (before.origin === now.origin && before.size <= now.size) {
    const path = await proveConsistency(readHashes, before.size, now.size);
    if (verifyConsistency(before, now, path)) return;
  }
  throw new ContradictedError(
    `${published.file} has a checkpoint of ${before.size} entries, but this log of ${now.size} is not consistent with it.`,
  );
}

async function newestIn(
  folder: string,
): Promise<{ readonly file: string; readonly note: string } | undefined> {
  const numbers = (await readdir(folder)).flatMap((name) =>
    /^[1-9]\d{0,14}\.checkpoint$/u.test(name) ? [Number.parseInt(name, 10)] : [],
  );
  const last = numbers.reduce((one, other) => Math.max(one, other), 0);
  if (last === 0) return undefined;
  const file = join(folder, `${last}.checkpoint`);
  const read = readSmallFile(file, longestNote);
  if ('problem' in read) throw new Error(`${file} ${read.problem}`);
  return { file, note: new TextDecoder().decode(read.bytes) };
}

/**
 * Undefined if the folder or URL has no checkpoint.
 * @throws Error if the folder or URL can't be read
 */
export async function readPublished(from: string): Promise<string | undefined> {
  if (!isAddress(from)) return (await newestIn(from))?.note;
  const attempt = await sendOnce(from, { largest: longestNote });
  if (attempt.kind !== 'answer')
    throw new Error(`${new URL(from).host} did not answer${reasonText(attempt)}`);
  if (attempt.status === 404) return undefined;
  if (attempt.status !== 200) throw new Error(`${new URL(from).host} answered ${attempt.status}`);
  return attempt.body.toString('utf8');
}

/** Any other destination of `audit.publish` is a folder. */
export const isAddress = (to: string): boolean => to.includes('://');

const checkpointOf = (note: string): Checkpoint => parseCheckpoint(noteText(note));

async function putNew(file: string, { number, note }: StoredCheckpoint): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, note, { flush: true });
    await link(draft, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    if ((await readFile(file, 'utf8')) === note) return;
    throw new ContradictedError(`${file} has a different checkpoint ${number} than this log.`);
  } finally {
    await rm(draft, { force: true });
  }
}

// C2SP tlog-witness: https://c2sp.org/tlog-witness

export interface Witness {
  readonly name: string;
  /**
   * Asks the witness to verify that this checkpoint continues the last one that the witness saw, and to cosign.
   * @throws ContradictedError if the checkpoint is not consistent with the last one; Error if the witness does not answer
   * with a cosignature by the witness's key
   */
  cosign(checkpoint: StoredCheckpoint): Promise<VerifiedSignature>;
}

/** First with the remembered size, then with the size that the witness returns. */
const tries = 2;

export function createWitness(
  { url, key: written }: { readonly url: string; readonly key: string },
  log: Pick<SealedLog, 'readHashes'>,
): Witness {
  const key = parseVerifierKey(written);
  let seen = 0;

  const submit = async ({ size, note }: StoredCheckpoint): ReturnType<typeof sendNote> => {
    const path = seen === 0 ? [] : await proveConsistency(log.readHashes, seen, size);
    const body = formatContinuation({ from: seen, path, checkpoint: note });
    return sendNote('POST', `${url.replace(/\/$/u, '')}/add-checkpoint`, body);
  };

  return {
    name: key.name,
    async cosign(checkpoint) {
      for (let left = tries; left > 0; left -= 1) {
        if (seen > checkpoint.size) {
          const sizes = `${seen} entries, but this log has ${checkpoint.size}`;
          seen = 0;
          throw new ContradictedError(`The witness ${key.name} has seen ${sizes}.`);
        }
        const { status, text } = await submit(checkpoint);
        if (status === 200) {
          seen = checkpoint.size;
          return cosignatureIn(checkpoint.note + text, key);
        }
        const known = status === 409 ? parseDecimal(text.trim()) : undefined;
        if (known === undefined) {
          seen = 0;
          throw refusal(`The witness ${key.name} answered ${status}`, status);
        }
        seen = known;
      }
      throw new Error(
        `The witness ${key.name} rejected the checkpoint twice, and named a different size each time.`,
      );
    },
  };
}

/** @throws Error if the note has no signature by this key */
function cosignatureIn(note: string, key: VerifierKey): VerifiedSignature {
  const [signature] = openNote(note, [key]).signatures;
  if (signature) return signature;
  throw new Error(`The witness ${key.name} answered without a cosignature by its key.`);
}

/** In C2SP tlog-witness, 422 means that the consistency proof is invalid. */
const refusal = (answered: string, status: number): Error =>
  status === 422
    ? new ContradictedError(`${answered}: this log is not consistent with what it has seen.`)
    : new Error(`${answered}${reasons[status] ?? ''}.`);

const reasons: Readonly<Record<number, string>> = {
  403: ': it does not have the key of this log',
  404: ': it does not know this log',
};
