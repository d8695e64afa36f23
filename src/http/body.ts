import { brotliDecompressSync, unzipSync } from 'node:zlib';

import type { Answer } from './exchange.ts';
import { orUndefined } from '../text/words.ts';

/**
 * Returns the body of an answer without its compression, which some servers apply unasked.
 * @param largest in bytes, of the result
 * @throws Error if the body is larger, or can't be decompressed
 */
export function plainBody({ headers, body }: Pick<Answer, 'headers' | 'body'>, largest: number): Buffer {
  const bound = { maxOutputLength: largest };
  const encoding = String(headers['content-encoding'] ?? '').trim();
  if (/^br$/iu.test(encoding)) return brotliDecompressSync(body, bound);
  // A file with the ending .gz is compressed without saying so.
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  return isGzip || /^deflate$/iu.test(encoding) ? unzipSync(body, bound) : body;
}

/** Decodes text in the charset of its byte order mark or its `Content-Type`. Default: UTF-8. */
export function decoded(body: Uint8Array, contentType: string): string {
  const [first = 0, second = 0] = body;
  const marked = { 0xfffe: 'utf-16le', 0xfeff: 'utf-16be' }[first * 256 + second];
  const charset = marked ?? /;\s*charset="?([\w.:-]+)/iu.exec(contentType)?.[1] ?? 'utf-8';
  return (orUndefined(() => new TextDecoder(charset)) ?? new TextDecoder()).decode(body);
}
