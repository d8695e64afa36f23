import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

import { onTestFinished } from 'vitest';
import { z } from 'zod';

export interface Asked {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ScheduleServer {
  readonly url: string;
  readonly asked: Asked[];
  /** What it answers from now on; undefined: never. */
  answer: { status?: number; body: string; headers?: Record<string, string> } | undefined;
}

/** Something that keeps a schedule, over HTTP. Closed when the test is over. */
export async function openScheduleServer(): Promise<ScheduleServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    asked.push({ method: request.method, path: request.url ?? '', headers: request.headers });
    const { answer } = stage;
    if (!answer) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const stage: ScheduleServer = { url: `http://127.0.0.1:${port}`, asked, answer: { body: '' } };
  return stage;
}
