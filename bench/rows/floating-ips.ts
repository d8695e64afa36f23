import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { z } from 'zod';

import type { Comparison, Measure } from '../comparison.ts';
import { interleave } from '../measure/interleave.ts';

const sizes = [
  { count: 10, calls: 100, warmUps: 70, rounds: 61, atMost: 1.15 },
  { count: 1_000, calls: 3, warmUps: 10, rounds: 31, atMost: 1.3 },
];

const listening = z.tuple([z.object({ port: z.number() })]).rest(z.unknown());
const figure = z.tuple([z.number()]).rest(z.unknown());

async function startReader(name: string, port: number): Promise<ChildProcess> {
  const program = new URL('../programs/floating-ip-reader.ts', import.meta.url);
  const reader = fork(program, [name, String(port)], { execArgv: ['--expose-gc'] });
  await once(reader, 'message');
  return reader;
}

async function cpuPerCall(reader: ChildProcess, order: { count: number; calls: number }): Promise<number> {
  const answer = once(reader, 'message');
  reader.send(order);
  return figure.parse(await answer)[0];
}

/**
 * The cost of a list of floating IPs with full validation, deadline, retries and circuit breaker, compared with undici's request
 * and JSON.parse, and with axios and the same schema.
 */
export const measure: Measure = async () => {
  const server = fork(new URL('../programs/floating-ip-server.ts', import.meta.url));
  const [{ port }] = listening.parse(await once(server, 'message'));
  const ours = await startReader('bellhop', port);
  const bare = await startReader('undici', port);
  const again = await startReader('undici', port);
  const axios = await startReader('axios', port);
  const readers = Object.entries({ bare, ours, again, axios });
  const comparisons: Comparison[] = [];
  for (const { count, calls, rounds, warmUps, atMost } of sizes) {
    const figures = await interleave(
      Object.fromEntries(readers.map(([name, reader]) => [name, () => cpuPerCall(reader, { count, calls })])),
      { rounds, warmUps },
    );
    const beside = (other: string, what: string, most: number): Comparison => ({
      what: `${count.toLocaleString('en')} floating IPs read and validated`,
      ours: figures.of('ours'),
      beside: what,
      other: figures.of(other),
      unit: 'µs CPU',
      ratio: figures.ratio('ours', other),
      aim: { atMost: most },
      control: figures.ratio('again', 'bare'),
    });
    comparisons.push(
      beside('bare', 'undici request + JSON.parse', atMost),
      beside('axios', 'axios, same schema', 1),
    );
  }
  for (const [, reader] of readers) reader.disconnect();
  server.disconnect();
  return comparisons;
};
