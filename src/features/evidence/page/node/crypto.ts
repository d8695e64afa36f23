// The functions of node:crypto that verify a log, for browsers. A browser's own digest is asynchronous, and takes too
// long for hundreds of thousands of hashes.

import { Bytes } from './buffer.ts';

type Input = string | Uint8Array;

const encoder = new TextEncoder();

/** The first 32 bits of the fractional part. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let value = 2; found.length < count; value += 1)
    if (found.every((prime) => value % prime !== 0)) found.push(value);
  return found;
}

const roundConstants = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const start = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));
const words = new Int32Array(64);
const state = new Int32Array(8);
const at = (list: Int32Array, index: number): number => list[index] ?? 0;
const turned = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

function compress(view: DataView, offset: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(offset + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [two, fifteen] = [at(words, i - 2), at(words, i - 15)];
    const low = turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3);
    const high = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
    words[i] = at(words, i - 16) + low + at(words, i - 7) + high;
  }
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < 64; i += 1) {
    const one =
      (h +
        (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
        ((e & f) ^ (~e & g)) +
        at(roundConstants, i) +
        at(words, i)) |
      0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = at(state, i) + (mixed[i] ?? 0);
}

/** Reused, because a pack has hundreds of thousands of short messages. */
let padded = new Uint8Array(4096);
let view = new DataView(padded.buffer);

/** In bytes. */
function load(input: Input): number {
  const most = (typeof input === 'string' ? 3 * input.length : input.length) + 72;
  if (padded.length < most) {
    padded = new Uint8Array(most);
    view = new DataView(padded.buffer);
  }
  if (typeof input === 'string') return encoder.encodeInto(input, padded).written;
  padded.set(input);
  return input.length;
}

function sha256(input: Input): Bytes {
  const length = load(input);
  const end = (Math.floor((length + 8) / 64) + 1) * 64;
  padded.fill(0, length, end);
  padded[length] = 0x80;
  view.setBigUint64(end - 8, BigInt(length) * 8n);
  state.set(start);
  for (let offset = 0; offset < end; offset += 64) compress(view, offset);
  const digest = new Bytes(32);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < 8; i += 1) out.setInt32(4 * i, at(state, i));
  return digest;
}

export const hash = (_: 'sha256', input: Input, encoding = 'hex'): string => sha256(input).toString(encoding);

interface RawKey {
  /** The 32 bytes of an Ed25519 public key in base64url. */
  readonly x: string;
  export(): { readonly x: string };
}

export const createPublicKey = ({ key: { x } }: { readonly key: { readonly x: string } }): RawKey => ({
  x,
  export: () => ({ x }),
});

type Callback = (error: Error | null, isValid?: boolean) => void;

/** Node's `verify` with a callback, on the browser's own Ed25519. */
export function verify(
  _: null,
  message: Uint8Array,
  key: RawKey,
  signature: Uint8Array,
  end: Callback,
): void {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
  crypto.subtle
    .importKey('jwk', jwk, 'Ed25519', false, ['verify'])
    .then((imported) =>
      crypto.subtle.verify('Ed25519', imported, new Uint8Array(signature), new Uint8Array(message)),
    )
    .then((isValid) => end(null, isValid))
    .catch((error: unknown) => end(error instanceof Error ? error : new Error(String(error))));
}

const never = (): never => {
  throw new Error('A page only verifies.');
};

/** The page never calls these, but modules that it uses import them. */
export const [sign, createHash] = [never, never];
