import type { IncomingMessage } from 'node:http';

/** Why a body could not be read whole. */
export type UnreadBody = 'too-large' | 'broken';

/** The raw body, or why there is none. Stops listening at `limit` bytes: the rest is never kept. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | UnreadBody> {
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > limit) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.pause();
        resolve('too-large');
      }
    });
    request.on('end', () => {
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    request.on('close', () => resolve('broken'));
    request.on('error', () => resolve('broken'));
  });
}
