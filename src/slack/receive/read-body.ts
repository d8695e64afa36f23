import type { IncomingMessage } from 'node:http';

/** Why a body could not be read whole. */
export type UnreadBody = 'too-large' | 'no-room' | 'broken';

interface BodyBounds {
  /** Bytes of one body. */
  readonly limit: number;
  /** Bytes of all that are being read. */
  readonly room: number;
}

/** Hands over the raw body, or why there is none, once. */
export type BodyReader = (request: IncomingMessage, done: (body: Buffer | UnreadBody) => void) => void;

/** Slack's payloads are rarely larger: whoever fills the room with large bodies keeps none of these out. */
const smallBody = 64 * 1024;

/**
 * Stops at `limit` bytes: the rest is never kept. While all bodies together fill the room only small ones are read. A
 * callback and not a promise, because every acknowledgement goes through here and a turn of the queue costs as much as
 * the signature.
 */
export function createBodyReader({ limit, room }: BodyBounds): BodyReader {
  let held = 0;
  return (request, done) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (body: () => Buffer | UnreadBody): void => {
      if (settled) return;
      settled = true;
      held -= size;
      done(body());
    };
    const announced = request.headers['content-length'];
    if (announced !== undefined && Number(announced) > limit) return settle(() => 'too-large');
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      size += chunk.length;
      held += chunk.length;
      const problem = size > limit ? 'too-large' : size > smallBody && held > room ? 'no-room' : undefined;
      if (problem === undefined) return void chunks.push(chunk);
      request.pause();
      settle(() => problem);
    });
    request.on('end', () =>
      settle(() => {
        const [only] = chunks;
        return only && chunks.length === 1 ? only : Buffer.concat(chunks);
      }),
    );
    request.on('close', () => settle(() => 'broken'));
    request.on('error', () => settle(() => 'broken'));
  };
}
