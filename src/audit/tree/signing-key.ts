import { createPrivateKey, generateKeyPairSync } from 'node:crypto';

import { badConfiguration } from '../../model/values/errors.ts';
import { fromBase64, isKeyName, type SigningKey, verifierOf } from './signed-note.ts';

/** In PKCS #8 (RFC 8410), an Ed25519 private key has this head, followed by the key's 32 bytes. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');
const prefix = 'PRIVATE+KEY+';

/** A key with the name it was made with. The name becomes the origin of a log that begins with this key. */
export interface NamedSigningKey extends SigningKey {
  readonly name: string;
}

export const makeSigningKey = (name: string): NamedSigningKey => ({
  name,
  privateKey: generateKeyPairSync('ed25519').privateKey,
});

/** Returns `PRIVATE+KEY+name+id+base64`, as golang.org/x/mod/sumdb/note does. The result is a secret. */
export function formatSigningKey(key: NamedSigningKey): string {
  const seed = key.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(pkcs8Head.length);
  const typed = Buffer.concat([Buffer.of(1), seed]);
  return `${prefix}${key.name}+${verifierOf(key, key.name).id}+${typed.toString('base64')}`;
}

/** @throws BellhopError `configuration` if the text is not a valid signing key. The message never contains the text */
export function parseSigningKey(text: string): NamedSigningKey {
  const [, name = '', id = '', encoded = ''] =
    /^PRIVATE\+KEY\+([^+]{1,256})\+([0-9a-f]{8})\+(\S{1,200})$/u.exec(text.trim()) ?? [];
  const typed = fromBase64(encoded);
  if (isKeyName(name) && typed?.length === 33 && typed[0] === 1) {
    const der = Buffer.concat([pkcs8Head, typed.subarray(1)]);
    const key = { name, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
    if (verifierOf(key, name).id === id) return key;
  }
  throw badConfiguration(
    'The key of the audit log is invalid. Create one with `npm run audit -- new-key`: PRIVATE+KEY+name+hash+base64.',
  );
}

/** The origin of a new log is the name of the first key. An existing log has the origin in its checkpoints. */
export type LogKeys = readonly [NamedSigningKey, ...NamedSigningKey[]];
