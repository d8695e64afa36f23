import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

import { badInput, type BellhopError } from '../../model/values/errors.ts';

// C2SP signed-note, with Ed25519 alone: https://c2sp.org/signed-note@v1.0.0, and its use in https://c2sp.org/tlog-cosignature.

/** A signature covers the text itself, or a checkpoint and the time at which the witness saw the checkpoint. */
const signatureTypes = { note: 0x01, cosignature: 0x04 } as const;
export type SignatureType = keyof typeof signatureTypes;

export interface VerifierKey {
  readonly name: string;
  readonly id: string;
  readonly type: SignatureType;
  readonly publicKey: KeyObject;
}

/** A key that signs under any name. The key's id depends on the name. */
export interface SigningKey {
  readonly privateKey: KeyObject;
}

export interface VerifiedSignature {
  readonly key: VerifierKey;
  /** The line as it is in the note, without the line break. */
  readonly line: string;
  /** In epoch milliseconds. The witness saw the checkpoint at this time, which only a cosignature has. */
  readonly at?: number | undefined;
}

/** A text with the signatures by known keys. Signatures by unknown keys are omitted. */
export interface OpenedNote {
  /** The text ends in a newline. */
  readonly text: string;
  readonly signatures: readonly VerifiedSignature[];
}

/** Bounds a hostile file or answer. Bellhop's notes have a few hundred characters. */
export const longestNote = 100_000;
const maxSignatures = 64;

/** @param bytes the 32 bytes of an Ed25519 public key */
function verifierKey(name: string, type: SignatureType, bytes: Buffer): VerifierKey {
  const typed = Buffer.concat([Buffer.of(signatureTypes[type]), bytes]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typed]), 'hex').slice(0, 8);
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
  return { name, id, type, publicKey };
}

const rawPublicKey = (key: KeyObject): Buffer =>
  Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');

export const verifierOf = (
  { privateKey }: SigningKey,
  name: string,
  type: SignatureType = 'note',
): VerifierKey => verifierKey(name, type, rawPublicKey(createPublicKey(privateKey)));

/** Returns `name+id+base64`, for people to pass on. */
export const formatVerifierKey = ({ name, id, type, publicKey }: VerifierKey): string =>
  `${name}+${id}+${Buffer.concat([Buffer.of(signatureTypes[type]), rawPublicKey(publicKey)]).toString('base64')}`;

/** @throws BellhopError `bad-input` if the text is not an Ed25519 verifier key */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id = '', encoded = ''] = /^([^+]{1,256})\+([0-9a-f]{8})\+(.{1,200})$/u.exec(text) ?? [];
  const typed = fromBase64(encoded);
  const type = typed && typeOf(typed[0]);
  if (!isKeyName(name) || !typed || !type || typed.length !== 33) {
    throw badInput(
      'Not a verifier key. `npm run audit -- key` prints one: name+hash+base64, for an Ed25519 key.',
    );
  }
  const key = verifierKey(name, type, typed.subarray(1));
  if (key.id === id) return key;
  throw badInput(`The verifier key of ${name} was changed: its hash is ${key.id}, not ${id}.`);
}

const typeOf = (byte: number | undefined): SignatureType | undefined =>
  byte === signatureTypes.note ? 'note' : byte === signatureTypes.cosignature ? 'cosignature' : undefined;

/** A name has no spaces and no plus, because both are separators. */
export const isKeyName = (name: string): boolean => /^[^\s+\p{Cc}]{1,256}$/u.test(name);

/** Returns a note that each key signed under this name. @param text ends in a newline */
export function signNote(text: string, name: string, keys: readonly SigningKey[]): string {
  const lines = keys.map((key) => {
    const signature = [
      Buffer.from(verifierOf(key, name).id, 'hex'),
      sign(null, Buffer.from(text), key.privateKey),
    ];
    return `— ${name} ${Buffer.concat(signature).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

const cosignedMessage = (text: string, seconds: bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

/**
 * Reads a note and verifies each signature by one of `keys`. Signatures by other keys are ignored. The caller rejects a note that none of the keys signed.
 * @throws BellhopError `bad-input` if the text is not a note, or a known key's signature does not match
 */
export function openNote(note: string, keys: readonly VerifierKey[]): OpenedNote {
  const { text, signatures } = readNote(note, keys);
  for (const { key, message, bytes } of signatures) {
    if (!verify(null, message, key.publicKey, bytes)) throw forged(key);
  }
  return { text, signatures: signatures.map(({ key, line, at }) => ({ key, line, at })) };
}

/** Opens a note like `openNote`, but verifies signatures off this thread, for many notes. */
export async function openNoteAside(note: string, keys: readonly VerifierKey[]): Promise<OpenedNote> {
  const { text, signatures } = readNote(note, keys);
  for (const { key, message, bytes } of signatures) {
    if (!(await verifyAside(null, message, key.publicKey, bytes))) throw forged(key);
  }
  return { text, signatures: signatures.map(({ key, line, at }) => ({ key, line, at })) };
}

const verifyAside = promisify(verify);

const forged = ({ name, id }: VerifierKey): BellhopError =>
  badInput(`The signature of ${name}+${id} does not match the text.`);

interface ClaimedSignature extends VerifiedSignature {
  readonly message: Buffer;
  readonly bytes: Buffer;
}

function readNote(
  note: string,
  keys: readonly VerifierKey[],
): { readonly text: string; readonly signatures: readonly ClaimedSignature[] } {
  const { text, lines } = splitNote(note);
  const signatures = lines.flatMap((line) => {
    const { name, id, signature } = parseSignatureLine(line);
    const key = keys.find((known) => known.name === name && known.id === id);
    return key ? [claimed(key, line, text, signature)] : [];
  });
  return { text, signatures };
}

/** Returns whether a line of the note says that this key signed the note. Nothing is verified. */
export const namesKey = (note: string, { name, id }: VerifierKey): boolean =>
  note.split('\n').some((line) => {
    const [by, encoded = ''] = line.startsWith('— ') ? line.slice(2).split(' ') : [];
    return by === name && Buffer.from(encoded, 'base64').toString('hex', 0, 4) === id;
  });

/** Returns the text of a note. Nothing is verified. @throws BellhopError `bad-input` if `note` is not a note */
export const noteText = (note: string): string => splitNote(note).text;

/** @returns the text, ending in a newline, and the lines below it, without line breaks */
function splitNote(note: string): { readonly text: string; readonly lines: readonly string[] } {
  const divide = note.lastIndexOf('\n\n');
  const lines = note.slice(divide + 2).split('\n');
  if (note.length > longestNote || divide < 1 || lines.pop() !== '' || hasControls(note)) throw noNote();
  if (lines.length === 0 || lines.length > maxSignatures) throw noNote();
  return { text: note.slice(0, divide + 1), lines };
}

function parseSignatureLine(line: string): {
  readonly name: string;
  readonly id: string;
  readonly signature: Buffer;
} {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || !bytes || bytes.length < 5) throw noNote();
  return { name, id: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}

/** @throws BellhopError `bad-input` if a cosignature has the wrong length */
function claimed(key: VerifierKey, line: string, text: string, signature: Buffer): ClaimedSignature {
  if (key.type === 'note') return { key, line, message: Buffer.from(text), bytes: signature };
  if (signature.length !== 72) throw forged(key);
  const seconds = signature.readBigUInt64BE();
  const message = cosignedMessage(text, seconds);
  return { key, line, at: Number(seconds) * 1000, message, bytes: signature.subarray(8) };
}

const noNote = (): BellhopError =>
  badInput('Not a signed note. A signed note is a text, an empty line, and lines that start with “— ”.');

// oxlint-disable-next-line no-control-regex -- the pattern looks for control characters
const hasControls = (text: string): boolean => /[\u0000-\u0009\u000B-\u001F\uFFFD]/u.test(text);

/** Any other encoding of the same bytes is rejected. */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined;
}
