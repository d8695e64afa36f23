import { isAscii, isUtf8 } from 'node:buffer';
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
  zstdDecompressSync,
} from 'node:zlib';

import { errorCode } from '../model/values/errors.ts';
import { orUndefined } from '../text/words.ts';

/** A server may compress a body although the request said `Accept-Encoding: identity`. */
const decoders: Readonly<
  Record<string, (body: Buffer, options: { readonly maxOutputLength: number }) => Buffer>
> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers send the bare deflate stream.
  deflate: (body, options) =>
    (body[0] ?? 0) % 16 === 8 ? inflateSync(body, options) : inflateRawSync(body, options),
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * Without its content encodings, or `too-large` beyond `most` bytes. A body that can't be decoded is returned as it came, and its reader
 * refuses it.
 */
export function decodedBody(body: Buffer, encodings: string, most: number): Buffer | 'too-large' {
  let plain = body;
  // At most three encodings: each is bounded, but a long chain of them would block the event loop.
  for (const name of encodings.toLowerCase().split(',').slice(0, 3).toReversed()) {
    const decode = decoders[name.trim()];
    if (decode === undefined || plain.length === 0) continue;
    try {
      plain = decode(plain, { maxOutputLength: most });
    } catch (error) {
      return errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : body;
    }
  }
  return plain;
}

/**
 * Decompresses a body that begins like a gzip file, because some servers send those without a content encoding.
 * @param largest in bytes, of the result
 * @throws Error if the content is larger, or can't be decompressed
 */
export const plainBody = (body: Buffer, largest: number): Buffer =>
  body[0] === 0x1f && body[1] === 0x8b ? unzipSync(body, { maxOutputLength: largest }) : body;

/** The charset of a text's byte order mark or `Content-Type`. */
function charsetOf([first = 0, second = 0]: Uint8Array, contentType: string): string | undefined {
  const marked = { 0xfffe: 'utf-16le', 0xfeff: 'utf-16be' }[first * 256 + second];
  return marked ?? /;\s*charset="?([\w.:-]{1,40})/iu.exec(contentType)?.[1];
}

/** Text with valid UTF-8 letters is read as UTF-8, whatever the sender says. */
export function decoded(body: Uint8Array, contentType = '', otherwise = 'utf-8'): string {
  const charset = isUtf8(body) && !isAscii(body) ? 'utf-8' : charsetOf(body, contentType);
  const text = orUndefined(() => new TextDecoder(charset, { fatal: true }).decode(body));
  return text ?? new TextDecoder(otherwise).decode(body);
}
