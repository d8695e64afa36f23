import type { IncomingMessage } from 'node:http';

import { onTestFinished } from 'vitest';

import { serve } from '../serve.ts';

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
  const { url, close } = await serve((request, response) => {
    asked.push({ method: request.method, path: request.url ?? '', headers: request.headers });
    const { answer } = schedules;
    if (!answer) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  onTestFinished(close);
  const schedules: ScheduleServer = { url, asked, answer: { body: '' } };
  return schedules;
}
