import { BellhopError } from '../core/model/errors.ts';

/** What the database was asked for when it failed. */
export type Purpose = 'read' | 'write' | 'open';

const consequences = {
  read: 'What is recorded cannot be read now, so nothing was run. Try again in a moment.',
  write: 'Changes cannot be recorded now, so nothing was run. Try again in a moment.',
  open: 'Bellhop cannot start without its record.',
} as const satisfies Record<Purpose, string>;

/** @param reason what is wrong, as the start of a sentence: `the disk is full` */
export const storeUnavailable = (reason: string, purpose: Purpose, cause?: unknown): StoreUnavailableError =>
  new StoreUnavailableError(reason, purpose, cause);

export class StoreUnavailableError extends BellhopError {
  override readonly name = 'StoreUnavailableError';
  readonly reason: string;

  constructor(reason: string, purpose: Purpose, cause: unknown) {
    super('store-unavailable', `${reason}. ${consequences[purpose]}`, { cause, retryable: true });
    this.reason = reason;
  }
}
