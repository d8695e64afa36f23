/** How far the sealed log was sent to a destination outside. Times are epoch milliseconds. */
export interface Forwarding {
  /** The number of the last entry that it has taken. */
  readonly sent: number;
  /** That of the newest sealed entry. */
  readonly newest: number;
  /** When the first entry after `sent` happened; undefined where there is none yet. */
  readonly oldestAt: number | undefined;
  /** Why it did not take the last batch. */
  readonly problem: string | undefined;
}

/** Where whoever sends stands. */
export interface ForwardingPosition {
  readonly sent: number;
  /** Batches in a row that were not taken. */
  readonly failures: number;
  readonly problem: string | undefined;
}

/**
 * The cursor of each destination, by which one replica at a time sends to it. Rejects with BellhopError
 * `store-unavailable`.
 */
export interface Forwardings {
  /** Undefined before it began. */
  findForwarding(destination: string): Promise<Forwarding | undefined>;
  /** Begins after an entry, or after the newest. False where it has begun before. */
  beginForwarding(destination: string, after: number | 'newest'): Promise<boolean>;
  /** For whoever may send for `claimMs`; undefined where it is not time, or somebody else does. */
  claimForwarding(destination: string, now: number, claimMs: number): Promise<ForwardingPosition | undefined>;
  /** Nobody else sends before `tryAt`. False where the cursor is not at `from` any more: somebody else sends. */
  moveForwarding(
    destination: string,
    from: number,
    to: ForwardingPosition & { readonly tryAt: number },
  ): Promise<boolean>;
}
