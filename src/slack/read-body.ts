import type { IncomingMessage } from 'node:http';

/** Why a body could not be read whole. */
export type UnreadBody = 'too-large' | 'broken';

/**
 * Hands over the raw body, or why there is none, once. Stops at `limit` bytes: the rest is never kept. A callback and not
 * a promise, because every acknowledgement goes through here and a turn of the queue costs as much as the signature.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Buffer | UnreadBody) => void,
): void {
  let settled = false;
  const settle = (body: Buffer | UnreadBody): void => {
    if (settled) return;
    settled = true;
    done(body);
  };
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > limit) return settle('too-large');
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else {
      request.pause();
      settle('too-large');
    }
  });
  request.on('end', () => {
    const [only] = chunks;
    settle(only && chunks.length === 1 ? only : Buffer.concat(chunks));
  });
  request.on('close', () => settle('broken'));
  request.on('error', () => settle('broken'));
}
