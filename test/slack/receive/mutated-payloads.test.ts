import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runs } from '../limits-hold.ts';
import * as samples from './payload-samples.ts';
import { receivingApp, type ReceivingApp, sign, signedHeaders } from './receiving-app.ts';

const numRuns = 400;

let bot: ReceivingApp;
const worked: string[] = [];
beforeAll(async () => {
  bot = await receivingApp();
  bot.app.command(/^\//u, () => record('command'));
  bot.app.action(/^/u, () => record('action'));
  bot.app.view(/^/u, async ({ ack }) => {
    await ack();
    await record('view');
  });
  bot.app.options(/^/u, async ({ ack }) => {
    await ack({ options: [] });
    await record('options');
  });
  bot.app.event('app_home_opened', () => record('event'));
  bot.app.event('app_mention', () => record('mention'));
  bot.app.shortcut(/^/u, () => record('shortcut'));
});
afterAll(() => bot.receiver.close());

function record(kind: string): Promise<void> {
  worked.push(kind);
  return Promise.resolve();
}

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    [],
    {},
    '<!channel>',
    'x'.repeat(5_000),
    '-eyJ'.repeat(25_000),
    '<@UA|'.repeat(20_000),
    '\u0000',
    '\uD83D',
    '__proto__',
  ),
);

/** Sets or removes the value at the path. */
function mutate(payload: object, path: readonly number[], value: unknown, takeAway: boolean): object {
  const copy = structuredClone(payload) as Record<string, unknown>;
  let node = copy;
  for (const [depth, step] of path.entries()) {
    const keys = Object.keys(node);
    const key = keys[step % Math.max(1, keys.length)];
    if (key === undefined) break;
    const next = node[key];
    if (depth < path.length - 1 && typeof next === 'object' && next !== null) {
      node = next as Record<string, unknown>;
      continue;
    }
    if (takeAway) delete node[key];
    else node[key] = value;
    break;
  }
  return copy;
}

const interactions = [samples.click, samples.shortcut, samples.submission, samples.suggestion];
const changed = (of: readonly object[]) =>
  fc
    .tuple(fc.constantFrom(...of), fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }), json, fc.boolean())
    .map(([payload, path, value, takeAway]) => mutate(payload, path, value, takeAway));

/** Not with `String`, because an object may have a `toString` that is not a function. */
const formText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const form = 'application/x-www-form-urlencoded';
const body = fc.oneof(
  changed(interactions).map((payload) => ({ type: form, body: samples.interactionBody(payload) })),
  changed([samples.event, samples.mention]).map((payload) => ({
    type: 'application/json',
    body: JSON.stringify(payload),
  })),
  changed([samples.command]).map((fields) => ({
    type: form,
    body: samples.commandBody(
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, formText(value)])),
    ),
  })),
  fc.tuple(json, fc.boolean()).map(([value, wrapped]) => ({
    type: wrapped ? form : 'application/json',
    body: wrapped
      ? `payload=${encodeURIComponent(JSON.stringify(value) ?? '')}`
      : (JSON.stringify(value) ?? ''),
  })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ type: form, body: Buffer.from(bytes) })),
);

describe('mutated payloads', () => {
  test('signed, never bring a 5xx, a crash or a hanging request', async () => {
    await fc.assert(
      fc.asyncProperty(body, async ({ type, body: sent }) => {
        const headers = { ...signedHeaders(sent, bot.clock.now()), 'content-type': type };
        const { status } = await bot.post(sent, headers);
        expect([200, 400]).toContain(status);
      }),
      runs(numRuns),
    );
    expect(await bot.drained()).toBe(true);
    expect((await bot.post(samples.commandBody())).status).toBe(200);
  });

  test('unsigned, get 401 and do nothing', async () => {
    await bot.drained();
    const before = worked.length;
    await fc.assert(
      fc.asyncProperty(body, async ({ type, body: sent }) => {
        const signed = signedHeaders(sent, bot.clock.now());
        const forged = sign(sent, signed['x-slack-request-timestamp'] ?? '', 'another secret');
        const headers = { ...signed, 'x-slack-signature': forged, 'content-type': type };
        expect((await bot.post(sent, headers)).status).toBe(401);
      }),
      runs(numRuns),
    );
    await bot.drained();
    expect(worked.length).toBe(before);
  });

  test('were worked on where they could be read', () => {
    expect(new Set(worked)).toEqual(
      new Set(['command', 'action', 'view', 'options', 'event', 'mention', 'shortcut']),
    );
  });
});
