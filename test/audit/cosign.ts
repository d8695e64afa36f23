import { sign } from 'node:crypto';

import { type SigningKey, verifierOf } from '../../src/audit/tree/signed-note.ts';

/** A witness's line under a checkpoint, of https://c2sp.org/tlog-cosignature. */
export function cosign(text: string, name: string, key: SigningKey, at: number): string {
  const seconds = BigInt(Math.floor(at / 1000));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(seconds);
  const message = `cosignature/v1\ntime ${seconds}\n${text}`;
  const { id } = verifierOf(key, name, 'cosignature');
  const signature = [Buffer.from(id, 'hex'), time, sign(null, Buffer.from(message), key.privateKey)];
  return `— ${name} ${Buffer.concat(signature).toString('base64')}\n`;
}
