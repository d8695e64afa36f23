import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Comparison, Measure } from '../comparison.ts';
import { type Contender, startContender } from '../measure/contender.ts';
import { interleaveProcesses, type Starts } from '../measure/fleet.ts';
import { signedCommand } from '../slack/slack-payloads.ts';

const aSecond = 1_000;
/** Commands a round. */
const aRound = 600;

const payload = () =>
  signedCommand({ command: '/bench', text: 'op-1 x', responseUrl: 'http://127.0.0.1:9/response' });

/**
 * How long an ack takes while 1,000 commands a second come, whether or not earlier ones were answered: each is timed from
 * the moment at which it was due.
 */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const inFolder = () => ({ DATA_DIR: mkdtempSync(join(folder, 'data-')) });
  const starts: Starts = {
    bare: () => warm('peers/bare.js'),
    'bare again': () => warm('peers/bare.js'),
    receiver: () => warm('programs/receiver-alone.ts', { COUNT: '1' }),
    'bare, written down': () => warm('peers/bare-written-down.js', inFolder()),
    'receiver, written down': () => warm('programs/receiver-alone.ts', { COUNT: '1', ...inFolder() }),
  };
  const took = new Map(Object.keys(starts).map((name): [string, number[]] => [name, []]));
  try {
    await interleaveProcesses(starts, { generations: 2, rounds: 3, warmUps: 0 }, async (contender, name) => {
      const latencies = await openLoop(contender);
      took.get(name)?.push(...latencies);
      return percentile(latencies, 0.5);
    });
    const compared = (ours: string, other: string, what: string, beside: string): readonly Comparison[] =>
      aims.map(({ part, atMost, name }) => {
        const of = (one: string): number => percentile(took.get(one) ?? [], part);
        return {
          what: `${what}, ${name}`,
          ours: of(ours),
          beside,
          other: of(other),
          unit: 'ms',
          ratio: of(ours) / of(other),
          aim: { atMost },
          control: of('bare again') / of('bare'),
        };
      });
    return [
      ...compared('receiver', 'bare', 'ack at 1,000 commands a second', 'bare node:http, HMAC, form'),
      ...compared(
        'receiver, written down',
        'bare, written down',
        'the same, written down before the ack',
        'bare and one SQLite insert',
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const aims = [
  { name: 'p50', part: 0.5, atMost: 1.2 },
  { name: 'p99', part: 0.99, atMost: 2 },
];

async function warm(program: string, environment: Readonly<Record<string, string>> = {}): Promise<Contender> {
  const contender = await startContender(program, environment);
  await contender.post(4 * aRound, payload);
  return contender;
}

/** Milliseconds from the moment that each command was due to its answer. */
async function openLoop(contender: Contender): Promise<readonly number[]> {
  const payloads = Array.from({ length: aRound }, payload);
  const answers: Promise<number>[] = [];
  const began = performance.now();
  for (const [index, next] of payloads.entries()) {
    const due = began + (index * 1000) / aSecond;
    // A timer comes up to a millisecond late, longer than an ack takes.
    while (performance.now() < due) await new Promise((resolve) => setImmediate(resolve));
    answers.push(contender.send(next).then(() => performance.now() - due));
  }
  return Promise.all(answers);
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;
