import type { ServerResponse } from 'node:http';

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
