import { hash, randomBytes } from 'node:crypto';

/**
 * What a person typed lies beside the entry, which has only its hash: once the text is removed, the entry is still proved and
 * says nothing of it. The salt keeps a short text from being guessed by its hash.
 */
export interface TypedReason {
  /** SHA-256 of `typed` in UTF-8, in hexadecimal: `{"reason":{"sha256":"…"}}` in the entry. */
  readonly hash: string;
  /** The salt in 32 hexadecimal digits, a line break, and the text. */
  readonly typed: string;
}

const saltBytes = 16;

export function typedReason(text: string): TypedReason {
  const typed = `${randomBytes(saltBytes).toString('hex')}\n${text}`;
  return { hash: hashOfTyped(typed), typed };
}

export const hashOfTyped = (typed: string): string => hash('sha256', typed);

export const textOfTyped = (typed: string): string => typed.slice(2 * saltBytes + 1);

/** Instead of a text that was removed. */
export const removedReason = 'removed';
