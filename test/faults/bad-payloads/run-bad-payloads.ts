import { deepStrictEqual } from 'node:assert';

import * as fc from 'fast-check';
import { Agent, request } from 'undici';

import { setStage, type Stage } from '../../program/stage.ts';
import { until } from '../../until.ts';
import { forged, signed } from './forgeries.ts';
import { type Memory, weigh, weighable } from './memory-probe.ts';
import { malformedBodies } from './malformed.ts';
import { tracesOf } from './traces.ts';
import { layOut, type Lure, type Victim, type Wire } from './victims.ts';

export interface BadPayloadsOptions {
  /** The number of payloads of each kind, signed and unsigned. */
  readonly count: number;
  readonly seed: number;
}

export interface BadPayloadsResult {
  /** How often each status was answered; `none` if no answer came. */
  readonly signed: Readonly<Record<string, number>>;
  readonly unsigned: Readonly<Record<string, number>>;
  /** Slowest answer, in milliseconds. */
  readonly worstMs: number;
  readonly before: Memory;
  readonly after: Memory;
  /** The problems found, in words. */
  readonly harm: readonly string[];
}

const secret = 'the-signing-secret-of-bad-payloads';

/** This many payloads are in flight at a time. */
const atOnce = 8;

/** Payloads are made in batches of this many, because hostile text is large. */
const batch = 250;

/** The share of the payloads before memory is first weighed. By then, code is compiled and caches are filled. */
const warmUp = 0.2;

type Sent = { readonly wire: Wire; readonly headers: Record<string, string> };

/**
 * Sends malformed signed payloads, and unsigned ones, to a bot in a separate process. Afterwards, sends the same intact
 * payloads, which must act, or the test proves nothing.
 */
export async function runBadPayloads({ count, seed }: BadPayloadsOptions): Promise<BadPayloadsResult> {
  const stage = await setStage({
    env: { LOG_LEVEL: 'error' },
    secrets: { signingSecret: secret },
    nodeOptions: weighable,
  });
  const post = createPost(stage);
  try {
    const lure = await layOut(stage);
    const traces = await tracesOf(stage);
    const bodies = malformedBodies(lure.victims);
    const sendMalformed = (from: number, upTo: number) =>
      post.all(upTo - from, seed + from, bodies, (made, at) => {
        const wire = made(from + at);
        return { wire, headers: signed(secret, wire) };
      });
    const warm = Math.ceil(count * warmUp);
    const first = await sendMalformed(0, warm);
    const before = await weigh(stage.bot);
    const rest = await sendMalformed(warm, count);
    const unsigned = await post.all(
      count,
      seed + count,
      fc.tuple(bodies, fc.constantFrom(...lure.victims), fc.boolean(), forged),
      ([made, victim, whole, forge], at) => {
        const number = count + at;
        const wire = whole ? victim.wire(victim.fresh(number)) : made(number);
        return { wire, headers: forge(secret, wire) };
      },
    );
    const after = await weigh(stage.bot);
    const harm = [
      ...differences(traces, await tracesOf(stage)),
      ...(await stillWell(stage, lure, post.one, 2 * count)),
      ...errorsIn(stage.bot.output()),
    ];
    return { signed: sum(first, rest), unsigned, worstMs: Math.round(post.worstMs()), before, after, harm };
  } finally {
    await post.close();
    await stage.close();
  }
}

type Statuses = Record<string, number>;

function createPost(stage: Stage) {
  const dispatcher = new Agent({ connections: atOnce });
  let worst = 0;
  const one = async ({ wire, headers }: Sent): Promise<string> => {
    const began = performance.now();
    try {
      const { statusCode, body } = await request(`${stage.botUrl}/slack/events`, {
        dispatcher,
        method: 'POST',
        headers: { ...(wire.type !== '' && { 'content-type': wire.type }), ...headers },
        body: wire.body,
      });
      await body.dump();
      return String(statusCode);
    } catch {
      return 'none';
    } finally {
      worst = Math.max(worst, performance.now() - began);
    }
  };
  const all = async <Made>(
    count: number,
    seed: number,
    from: fc.Arbitrary<Made>,
    prepare: (made: Made, at: number) => Sent,
  ): Promise<Statuses> => {
    const statuses: Statuses = {};
    for (let done = 0; done < count; done += batch) {
      const made = fc.sample(from, { numRuns: Math.min(batch, count - done), seed: seed + done });
      const waiting = made.entries();
      const work = async (): Promise<void> => {
        for (const [at, each] of waiting) {
          const status = await one(prepare(each, done + at));
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
    }
    return statuses;
  };
  return { one, all, worstMs: () => worst, close: () => dispatcher.destroy() };
}

const sum = (one: Statuses, other: Statuses): Statuses =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((status) => [
      status,
      (one[status] ?? 0) + (other[status] ?? 0),
    ]),
  );

function differences(before: object, after: object): readonly string[] {
  try {
    deepStrictEqual(after, before);
    return [];
  } catch (error) {
    return [`something was done: ${String(error).slice(0, 1_500)}`];
  }
}

/**
 * Checks that the intact payloads act, once. This shows that the bot is alive, and that the malformed payloads could
 * have done harm.
 */
async function stillWell(
  stage: Stage,
  { confirmation, card, victims }: Lure,
  post: (sent: Sent) => Promise<string>,
  number: number,
): Promise<readonly string[]> {
  const send = async (victim: Victim): Promise<void> => {
    const wire = victim.wire(victim.fresh(number));
    const status = await post({ wire, headers: signed(secret, wire) });
    if (status !== '200') throw new Error(`an intact ${victim.name} was answered ${status}`);
  };
  const [calls, traces] = [await stage.calls('rebootInstance'), await tracesOf(stage)];
  await send(confirmation);
  await stage.seen('U0ALICE', ({ ts, text }) => ts === card.ts && text.includes(': succeeded'));
  for (const victim of victims) if (victim !== confirmation) await send(victim);
  const proposals = async () =>
    (await stage.messages('U0ALICE')).filter(({ text }) => text.includes(': proposed')).length;
  // One request by the command, and one by the form.
  await until(
    async () => ((await proposals()) === 2 ? true : undefined),
    () => stage.bot.output(),
  );
  const sent = (await stage.calls('rebootInstance')) - calls;
  return [
    ...(sent === 1 ? [] : [`the intact click was sent ${sent} times`]),
    ...(differences(traces, await tracesOf(stage)).length > 0 ? [] : ['the traces do not show what is done']),
  ];
}

/** The lines of the log about unexpected errors. */
const errorsIn = (output: string): readonly string[] =>
  output
    .split('\n')
    .filter((line) => /"level":[56]0/u.test(line))
    .slice(0, 5);
