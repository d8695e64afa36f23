import { randomBytes } from 'node:crypto';

/** Makes the ids that Slack would make. */
export interface Ids {
  /** `prefix` and ten characters, as in `V0A1B2C3D4E`. */
  next(prefix: string): string;
  /** A secret of 24 characters. */
  secret(): string;
  /** A timestamp that names a message: seconds with six decimals, never the same twice. */
  ts(now: number): string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** @param random bytes from a source of randomness, for tests to replace */
export function createIds(random: (size: number) => Uint8Array = randomBytes): Ids {
  let last = 0;
  return {
    next(prefix) {
      return prefix + Array.from(random(10), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
    },
    secret() {
      return Buffer.from(random(18)).toString('base64url');
    },
    ts(now) {
      const micros = Math.max(Math.floor(now) * 1_000, last + 1);
      last = micros;
      return `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;
    },
  };
}
