import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { answer, startFaultyServer } from '../../service/faulty-server.ts';

interface Input {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads an input file. Its first line says who sends the input, and the rest is an answer as it is on the wire. */
export function inputOf(file: string): Input {
  const [head = '', ...body] = readFileSync(
    join(import.meta.dirname, 'answers', `${file}.http`),
    'utf8',
  ).split('\n\n');
  const [, first = '', ...lines] = head.split('\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
    ),
    body: body.join('\n\n').trimEnd(),
  };
}

/** A server that gives this answer to everything. */
export async function serve({ status, headers, body }: Input) {
  const server = await startFaultyServer(answer(status, body, headers));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}
