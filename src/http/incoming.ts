import type { IncomingMessage, ServerResponse } from 'node:http';

/** Why a body could not be read whole. */
export type UnreadBody = 'too-large' | 'no-room' | 'broken';

export interface BodyBounds {
  /** Bytes of one body; larger ones get 413. */
  readonly body: number;
  /** Bytes of all bodies that are being read at a time; past that only small ones are read. */
  readonly allBodies: number;
}

/** Resolves to the raw body, or to why there is none. Never rejects. */
export type BodyReader = (request: IncomingMessage) => Promise<Buffer | UnreadBody>;

/** Slack's payloads are rarely larger: a flood of large bodies keeps none of these out. */
const smallBody = 64 * 1024;

/** Stops at the bound of a body: the rest is never kept. While all bodies together fill theirs only small ones are read. */
export function createBodyReader({ body: limit, allBodies }: BodyBounds): BodyReader {
  let reading = 0;
  return async (request) => {
    const announced = request.headers['content-length'];
    if (announced !== undefined && Number(announced) > limit) return 'too-large';
    const { promise, resolve } = Promise.withResolvers<Buffer | UnreadBody>();
    const chunks: Buffer[] = [];
    let size = 0;
    let settled = false;
    const settle = (body: Buffer | UnreadBody): void => {
      if (settled) return;
      settled = true;
      reading -= size;
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      size += chunk.length;
      reading += chunk.length;
      const problem =
        size > limit ? 'too-large' : size > smallBody && reading > allBodies ? 'no-room' : undefined;
      if (problem === undefined) return void chunks.push(chunk);
      request.pause();
      settle(problem);
    });
    request.on('end', () => settle(Buffer.concat(chunks)));
    request.on('close', () => settle('broken'));
    request.on('error', () => settle('broken'));
    return promise;
  };
}

/** Answers once; a response that was begun or whose client is gone is left alone. HEAD gets no body. */
export function respond(
  response: ServerResponse,
  status: number,
  body = '',
  contentType = 'text/plain; charset=utf-8',
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(
    status,
    body === ''
      ? { 'Content-Length': 0 }
      : { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) },
  );
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
