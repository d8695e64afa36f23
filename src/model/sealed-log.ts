import { BellhopError } from './errors.ts';
import type { Request } from './request.ts';

/** A checkpoint as it was sealed. */
export interface StoredCheckpoint {
  /** 1, 2, 3 …: what cards call it. */
  readonly number: number;
  /** How many entries it covers: those up to this number. */
  readonly size: number;
  /** When it was sealed, in epoch milliseconds. */
  readonly at: number;
  /** The signed note, without cosignatures. */
  readonly note: string;
}

/** An entry as it was sealed, to be judged: nothing of it is parsed or trusted. */
export interface StoredLeaf {
  readonly number: number;
  /** Canonical JSON of the draft; `leafText` makes the leaf of it. */
  readonly draft: string;
  /** Of the leaf, in hexadecimal, as it is stored: the proofs are read from these. */
  readonly hash: string;
  /** The first column to search by that does not say what the draft says. */
  readonly misleading?: string | undefined;
}

/**
 * What a replica last signed, or verified of another that has its keys. It goes on from there, whatever the database says,
 * so that a log that was rewritten behind its back does not get its signature.
 */
export interface LastSealed {
  /** The note of that checkpoint. */
  readonly note: string;
  /** The edge of its tree; undefined after a start, which has the note alone. */
  readonly edge?: readonly Hash[] | undefined;
}

/** The log is not what the keys of this replica have signed: nothing more of it is sealed until somebody has looked. */
export class SealingStopped extends BellhopError {
  override readonly name = 'SealingStopped';

  /** What is wrong, as the start of a sentence. */
  readonly why: string;

  constructor(why: string, cause?: unknown) {
    super(
      'configuration',
      `${why}, so nothing more of it is sealed. Replicas that have no key in common: name one for all, audit: { key: secret:audit-key }. ` +
        'After a restored backup, a failover or a replaced key: npm run audit -- adopt-log. If it is none of these, somebody rewrote the ' +
        'log: compare it with a checkpoint that was handed out, npm run audit -- verify --checkpoint FILE.',
      { cause },
    );
    this.why = why;
  }
}

/**
 * The sealed part of the audit log: entries, the tree over them, and its checkpoints. Rejects with BellhopError
 * `store-unavailable`.
 */
export interface SealedLog {
  /** Undefined before the first. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** Where the step that led to a request's state is sealed; undefined where it is not yet. */
  sealOf(request: Pick<Request, 'id' | 'state'>): Promise<EntrySeal | undefined>;
  /** Those after `number`, oldest first; undefined is before all, whatever number they have. */
  checkpointsFrom(number: number | undefined, limit: number): Promise<readonly StoredCheckpoint[]>;
  /** Leaves after the entry `number`, oldest first; undefined is before all. None is left out. */
  leavesFrom(number: number | undefined, limit: number): Promise<readonly StoredLeaf[]>;
  /** Rows of the tree above its leaves, by level and index, after this one; undefined is before all. */
  nodesFrom(after: Omit<TreeNode, 'hash'> | undefined, limit: number): Promise<readonly TreeNode[]>;
  /** Level 0 are the leaves. */
  readonly readHashes: ReadHashes;
}

/** What a witness signed. */
export interface Cosignature {
  /** Of the checkpoint. */
  readonly number: number;
  /** The name of its key. */
  readonly witness: string;
  /** As it stands below the checkpoint, without its end. */
  readonly line: string;
  /** When it saw the checkpoint, in epoch milliseconds. */
  readonly at: number;
}

/** What witnesses signed of the log. Rejects with BellhopError `store-unavailable`. */
export interface Cosignatures {
  /** The first of a witness for a checkpoint stands. */
  keepCosignature(cosignature: Cosignature): Promise<void>;
  /** Of the first checkpoint that covers so many entries and was cosigned; empty where none was. */
  cosignaturesOf(size: number): Promise<readonly Cosignature[]>;
}

/**
 * The leaf of an entry in the tree: its number, then the members of its draft in order of their names, as JSON without
 * spaces. What `npm run audit -- prove` writes as `<number>.json`; SHA-256 of 0x00 and these bytes, in UTF-8, is the leaf's hash, and
 * the entry stands at the index `number - 1`.
 * @param draft canonical JSON of the draft, as it is stored
 */
export const leafText = (number: number, draft: string): string => `{"number":${number},${draft.slice(1)}`;

/** Where an entry stands in the sealed log. */
export interface EntrySeal {
  readonly number: number;
  /** The number of the first checkpoint that covers it. */
  readonly checkpoint: number;
}

/**
 * The tree of RFC 9162, section 2.1.1, over SHA-256. What of it is stored, each hash once and never rewritten:
 *
 * - level 0: the hash of each leaf, beside the entry that it is the hash of;
 * - level 1, 2 …: a row `(level, index, hash)` for each complete subtree of 256^level leaves, the `index`-th from the left.
 *
 * 256 rows of one level are a tile of C2SP's `tlog-tiles`. A million entries have 3,921 rows of the levels above 0. The
 * right edge can be read from these rows, fewer than 256 of each level; whoever grows the tree keeps it at hand.
 */

/** 32 bytes. */
export type Hash = Buffer;

/** A complete subtree of 256^level leaves, to store. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Hash;
}

/** The hashes `first`, `first + 1` … of a level, `count` of them. Rejects where one is missing. */
export type ReadHashes = (level: number, first: number, count: number) => Promise<readonly Hash[]>;
