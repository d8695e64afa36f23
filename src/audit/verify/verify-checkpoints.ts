import type { SealedLog, StoredCheckpoint } from '../../model/records/sealed-log.ts';
import { BellhopError, rescue } from '../../model/values/errors.ts';
import { type Checkpoint, parseCheckpoint } from '../tree/checkpoint.ts';
import type { MerkleTree } from '../tree/merkle.ts';
import { type VerifierKey, noteText, openNoteAside } from '../tree/signed-note.ts';

interface Expected {
  readonly newest: StoredCheckpoint | undefined;
  /** The name in the first checkpoint. All other checkpoints must have the same name. */
  readonly origin: string | undefined;
  readonly keys: readonly VerifierKey[] | undefined;
  readonly unsignedUntil?: number | undefined;
}

type Fault = Pick<Found, 'why' | 'unsignedUntil'>;

export interface CheckpointChecker {
  readonly due: number;
  at(tree: MerkleTree): Promise<Found | undefined>;
  /** Called when the tree is complete. Every checkpoint up to the newest must have been reached, and must be signed. */
  rest(): Promise<Found | undefined>;
}

export async function checkCheckpoints(
  log: Pick<SealedLog, 'checkpointsFrom'>,
  { newest, origin, keys, unsignedUntil = 0 }: Expected,
): Promise<CheckpointChecker> {
  const pages = pagesOf((after, limit) => log.checkpointsFrom(after, limit));
  const signatures = keys && checkSignatures(keys, unsignedUntil);
  let [page, at]: [readonly StoredCheckpoint[], number] = [[], 0];
  let last: StoredCheckpoint | undefined;
  let next: StoredCheckpoint | undefined;

  const advance = async (): Promise<void> => {
    last = next;
    next = undefined;
    if (!newest || (last && last.number === newest.number)) return;
    for (; at >= page.length; at = 0) {
      const { value, done } = await pages.next();
      if (done) return;
      page = value;
    }
    next = page[at];
    at += 1;
  };
  const check = (checkpoint: StoredCheckpoint, tree: MerkleTree): string | undefined => {
    const { number, size, note } = checkpoint;
    const expected = (last?.number ?? 0) + 1;
    if (number < expected) return `checkpoint ${number} was inserted`;
    if (number > expected) return `checkpoint ${expected} was removed`;
    const read = size === tree.size ? readCheckpoint(note) : undefined;
    if (!read || read.origin !== origin || read.size !== size) return `checkpoint ${number} was edited`;
    if (read.root.equals(tree.root())) return undefined;
    return `entries ${(last?.size ?? 0) + 1} to ${size} are not the ones that checkpoint ${number} covers`;
  };
  const found = (fault: Fault | undefined): Found | undefined =>
    fault && { ...broken((last?.size ?? 0) + 1, fault.why), unsignedUntil: fault.unsignedUntil };
  await advance();
  return {
    get due() {
      return next?.size ?? Infinity;
    },
    async at(tree) {
      if (!next || next.size > tree.size) return undefined;
      const why = check(next, tree);
      const fault = found(why === undefined ? await signatures?.add(next) : { why });
      if (!fault) await advance();
      return fault;
    },
    async rest() {
      if (next) return found({ why: `checkpoint ${next.number} was edited` });
      return found(await signatures?.rest());
    },
  };
}

const readCheckpoint = (note: string): Checkpoint | undefined =>
  rescue(() => parseCheckpoint(noteText(note)));

/** This many signatures are verified at a time, off the reading thread. */
const maxUnderWay = 64;

function checkSignatures(keys: readonly VerifierKey[], unsignedUntil: number) {
  const underWay: { readonly number: number; readonly signed: Promise<boolean | Error> }[] = [];
  /** The first and last of consecutive checkpoints that none of the keys signed. */
  let unsigned: readonly [first: number, last: number] | undefined;

  const settle = async (left: number): Promise<Fault | undefined> => {
    while (underWay.length > left) {
      const [first] = underWay.splice(0, 1);
      const signed = await first?.signed;
      if (!first || signed === undefined) return undefined;
      if (signed instanceof BellhopError)
        return { why: `the signature of checkpoint ${first.number} was edited` };
      if (signed instanceof Error) throw signed;
      if (signed && unsigned) return unsignedOnes(...unsigned);
      if (!signed && first.number > unsignedUntil) unsigned = [unsigned?.[0] ?? first.number, first.number];
    }
    return undefined;
  };
  return {
    add({ number, note }: StoredCheckpoint): Promise<Fault | undefined> {
      const signed = openNoteAside(note, keys).then(({ signatures }) => signatures.length > 0, asError);
      underWay.push({ number, signed });
      return settle(maxUnderWay);
    },
    rest: async (): Promise<Fault | undefined> =>
      (await settle(0)) ?? (unsigned && unsignedOnes(...unsigned)),
  };
}

const unsignedOnes = (first: number, last: number): Fault => {
  const which = first === last ? `checkpoint ${first} is` : `checkpoints ${first} to ${last} are`;
  return { why: `${which} not signed by a known key`, unsignedUntil: last };
};

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

export type Verdict =
  | {
      readonly intact: true;
      readonly size: number;
      /** The number of typed reasons that have been removed. Absent if there are none. */
      readonly removedReasons?: number;
    }
  | {
      readonly intact: false;
      readonly seq: number;
      readonly why: string;
      /**
       * The number of the last checkpoint that none of the given keys signed. Set only if such checkpoints are the only
       * fault.
       */
      readonly unsignedUntil?: number | undefined;
    };

export type Found = Extract<Verdict, { intact: false }>;

export const broken = (seq: number, why: string): Found => ({ intact: false, seq, why });

export const pageLength = 2000;

/**
 * Yields all rows, page by page. A page begins with the last row of the previous page, so that a second row with the
 * same number is not skipped.
 */
export async function* pagesOf<T extends { readonly number: number }>(
  read: (after: number | undefined, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[], undefined> {
  for (let last: T | undefined; ;) {
    const page = await read(last && last.number - 1, pageLength);
    const known = last !== undefined && page[0]?.number === last.number;
    if (page.length > 0) yield known ? page.slice(1) : page;
    if (page.length < pageLength) return undefined;
    last = page.at(-1);
  }
}
