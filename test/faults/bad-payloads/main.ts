import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { runBadPayloads, type BadPayloadsResult } from './run-bad-payloads.ts';
import { wrongIn } from './wrong-in.ts';

/** `node test/faults/bad-payloads/main.ts --count 10000 --seed 7` */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const tally = (statuses: Readonly<Record<string, number>>): string =>
  Object.entries(statuses)
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ');

const table = ({ signed, unsigned, worstMs, before, after }: BadPayloadsResult): string =>
  [
    `signed      ${tally(signed)}`,
    `unsigned    ${tally(unsigned)}`,
    `slowest     ${worstMs} ms`,
    `heap        ${megabytes(before.heapUsed)} before, ${megabytes(after.heapUsed)} after`,
    `resident    ${megabytes(before.rss)} before, ${megabytes(after.rss)} after`,
  ].join('\n');

const options = { count: Number(values.count), seed: Number(values.seed) };
say(
  `bad payloads: ${options.count} spoilt and signed, ${options.count} not signed, seed ${options.seed}, ${availableParallelism()} cores`,
);
const result = await runBadPayloads(options);
say(table(result));
const wrong = wrongIn(result);
for (const what of wrong) say(`WRONG: ${what}`);
if (wrong.length > 0) process.exitCode = 1;
