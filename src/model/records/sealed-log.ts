import { BellhopError } from '../values/errors.ts';
import type { Request, Stated } from './request.ts';

export interface StoredCheckpoint {
  readonly number: number;
  /** How many entries the checkpoint covers, and so the number of the last one. */
  readonly size: number;
  /** In epoch milliseconds. */
  readonly at: number;
  /** Signed, without cosignatures. */
  readonly note: string;
}

/** A sealed entry, for verification. Not parsed and not trusted. */
export interface StoredLeaf {
  readonly number: number;
  /** Canonical JSON, from which `leafText` makes the leaf. */
  readonly draft: string;
  /** As stored, in hexadecimal. Proofs use it. */
  readonly hash: string;
  /** The typed text, with the salt before it, unless it was removed. */
  readonly reason?: { readonly typed?: string | undefined } | undefined;
  /** The first indexed column that contradicts the draft. */
  readonly misleading?: string | undefined;
}

/**
 * The last checkpoint that a replica signed, or verified with its own keys. The replica continues from it, whatever the database says, so
 * that it never signs a rewritten log.
 */
export interface LastSealed {
  readonly note: string;
  /** Undefined after a start, when only the note is known. */
  readonly edge?: readonly Hash[] | undefined;
}

/** The log contradicts a signed checkpoint. Sealing stops until a person has investigated. */
export class SealingStopped extends BellhopError {
  override readonly name = 'SealingStopped';

  /** The start of a sentence. */
  readonly why: string;

  constructor(why: string, cause?: unknown) {
    super(
      'configuration',
      `${why}, so sealing has stopped. If replicas share no key, configure one for all: audit: { key: secret:audit-key }. ` +
        'After a restore, a failover or a key change, stop Bellhop and run: npm run audit -- adopt-log. If none of these happened, someone rewrote the log. ' +
        'Compare it with a published checkpoint: npm run audit -- verify --checkpoint FILE.',
      { cause },
    );
    this.why = why;
  }
}

/** Rejects with BellhopError `store-unavailable`. */
export interface SealedLog {
  /** Undefined before the first checkpoint. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** Of the request's last step. Undefined before sealing. */
  sealOf(request: Pick<Request, 'id'> & Stated): Promise<EntrySeal | undefined>;
  /** Checkpoints after `number`, oldest first. Undefined starts with the first. */
  checkpointsFrom(number: number | undefined, limit: number): Promise<readonly StoredCheckpoint[]>;
  /** Leaves after entry `number`, oldest first, without gaps. Undefined starts with the first. */
  leavesFrom(number: number | undefined, limit: number): Promise<readonly StoredLeaf[]>;
  /** Nodes above the leaves, by level and index, after this node. Undefined starts with the first. */
  nodesFrom(after: Omit<TreeNode, 'hash'> | undefined, limit: number): Promise<readonly TreeNode[]>;
  /** Level 0 has the leaves. */
  readonly readHashes: ReadHashes;
}

export interface Cosignature {
  readonly number: number;
  readonly witness: string;
  /** The signature line without its line break. */
  readonly line: string;
  /** When the witness saw the checkpoint, in epoch milliseconds. */
  readonly at: number;
}

/** Rejects with BellhopError `store-unavailable`. */
export interface Cosignatures {
  /** Keeps only the first cosignature of each witness for a checkpoint. */
  keepCosignature(cosignature: Cosignature): Promise<void>;
  /** Of the first cosigned checkpoint that covers this many entries. */
  cosignaturesOf(size: number): Promise<readonly Cosignature[]>;
}

export interface EntrySeal {
  readonly number: number;
  /** The first checkpoint that covers the entry. */
  readonly checkpoint: number;
}

/**
 * The tree of RFC 9162, section 2.1.1, over SHA-256. The stored hashes are written once and never changed:
 *
 * - level 0: the hash of each leaf, stored with its entry;
 * - level 1, 2 …: a row `(level, index, hash)` for each complete subtree of 256^level leaves, the `index`-th from the
 * left.
 *
 * 256 rows of one level are a tile of C2SP's `tlog-tiles`. A million entries have 3,921 rows of the levels above 0. The
 * right edge can be read from these rows, fewer than 256 per level. The sealer keeps the edge in memory.
 */

/** 32 bytes. */
export type Hash = Buffer;

/** A complete subtree of 256^level leaves. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Hash;
}

/** From the index `first` on. Rejects if a hash is missing. */
export type ReadHashes = (level: number, first: number, count: number) => Promise<readonly Hash[]>;
