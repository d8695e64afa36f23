import type { ServerResponse } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { requestStub } from '../../../src/features/publication/forward.ts';
import { BellhopError } from '../../../src/model/values/errors.ts';
import { until } from '../../until.ts';
import { type Arrival, startCollector } from '../../collector.ts';
import { openForwarder, upTo } from './open-forwarder.ts';

const second = 1000;
const minute = 60 * second;

const isStub = (event: object): boolean => JSON.stringify(event).includes('stub: the collector');

/** Answers 400 to these entries, but not to their stubs. */
const rejecting =
  (...rejected: readonly number[]) =>
  ({ events, numbers }: Arrival): number =>
    numbers.some((number) => rejected.includes(number)) && !events.some(isStub) ? 400 : 200;

describe('a collector that does not take a batch', () => {
  it('gets it again after a pause that grows, and all that followed, once it is back', async () => {
    const { collector, clock, record, round, messages, ...set } = await openForwarder();
    await collector.close();
    await record(2);
    for (let left = 60; left > 0; left -= 1) {
      await round();
      await clock.advance(second);
    }
    expect(set.results.length).toBeGreaterThan(3);
    expect(set.results.length).toBeLessThan(11);
    expect(messages()).toEqual([
      'info: forwarding of audit entries started',
      'warn: audit entries were not forwarded; retrying',
    ]);
    await record(1);
    await collector.open();
    await clock.advance(minute);
    await round();
    expect(collector.taken).toEqual([1, 2, 3]);
    expect(messages().at(-1)).toBe('info: audit entries are forwarded again');
  });

  it('is left alone for as long as it asks, whatever is sealed in the meantime', async () => {
    const { collector, clock, record, round } = await openForwarder();
    collector.answer(() => (response) => void response.writeHead(429, { 'retry-after': '120' }).end());
    await record(1);
    await round();
    collector.answer(() => 200);
    await record(1);
    await clock.advance(2 * minute - 1);
    await round();
    expect(collector.taken).toEqual([]);
    await clock.advance(1);
    await round();
    expect(collector.taken).toEqual([1, 2]);
  });

  it('is not waited for for ever, however much it asks for', async () => {
    const { collector, clock, record, round } = await openForwarder();
    collector.answer(() => (response) => void response.writeHead(503, { 'retry-after': '9999999' }).end());
    await record(1);
    await round();
    collector.answer(() => 200);
    await clock.advance(10 * minute - 1);
    await round();
    expect(collector.taken).toEqual([]);
    await clock.advance(1);
    await round();
    expect(collector.taken).toEqual([1]);
  });

  it('because it is large gets smaller ones, and larger ones again', async () => {
    const { collector, record, round, results, messages } = await openForwarder();
    collector.answer(({ numbers }) => (numbers.length > 10 && Number(numbers[0]) < 30 ? 413 : 200));
    await record(100);
    await round();
    expect(collector.taken).toEqual(upTo(100));
    expect(results).toContain('rejected');
    expect(messages()).toEqual(['info: forwarding of audit entries started']);
    expect(collector.arrivals.at(-1)?.numbers.length).toBeGreaterThan(10);
  });

  it('because of one entry gets all entries before it, and no later entry is skipped', async () => {
    const set = await openForwarder();
    const { collector, clock, record, round, logged } = set;
    collector.answer(({ numbers }) => (numbers.includes(7) ? 400 : 200));
    await record(20);
    for (let left = 5; left > 0; left -= 1) {
      await round();
      await clock.advance(10 * minute);
    }
    expect(collector.taken).toEqual(upTo(6));
    expect(logged.at(-1)).toEqual({
      level: 'error',
      message: 'the collector rejects an audit entry; all later ones wait',
      details: {
        to: new URL(collector.url).host,
        problem: 'answered 400 to entry 7, sent alone',
        answer: '',
        entry: 7,
      },
    });
    await round();
    expect(set.seen).toMatchObject({ sent: 6, newest: 20, problem: 'answered 400 to entry 7, sent alone' });
    collector.answer(() => 200);
    await clock.advance(10 * minute);
    await round();
    expect(collector.taken).toEqual(upTo(20));
  });

  it('because of entries gets stubs in their place after a day, and everything else', async () => {
    const set = await openForwarder();
    const { collector, clock, record, round, results, logged } = set;
    collector.answer(rejecting(3, 4, 9));
    await record(12, 'the content that is rejected');
    for (let left = 23; left > 0; left -= 1) {
      await round();
      await clock.advance(60 * minute);
    }
    expect(collector.taken).toEqual(upTo(2));
    await clock.advance(2 * 60 * minute);
    for (let left = 5; left > 0; left -= 1) {
      await round();
      await clock.advance(10 * minute);
    }
    expect(collector.taken).toEqual(upTo(12));
    expect(results.filter((result) => result === 'stub')).toHaveLength(3);
    expect(set.seen).toMatchObject({ sent: 12, problem: undefined });
    expect(logged.filter(({ message }) => message.startsWith('a stub'))).toMatchObject(
      [3, 4, 9].map((entry) => ({ level: 'error', details: { entry } })),
    );
    const stubs = collector.arrivals.flatMap(({ events }) => events).filter(isStub);
    expect(stubs).toHaveLength(3);
    expect(JSON.stringify(stubs)).not.toContain('the content');
    const leaf = (await set.store.auditFrom(2, 1))[0];
    expect(stubs[0]).toMatchObject({ metadata: { sequence: 3, uid: leaf?.hash } });
    expect(JSON.stringify(stubs[0])).toContain('answered 400 to entry 3, sent alone');
  });

  it('because of one entry gets its stub at once, if an operator says so; other entries are not touched', async () => {
    const { collector, record, round, store, settings, clock } = await openForwarder();
    collector.answer(rejecting(3));
    await record(5);
    const to = settings;
    if (!to) throw new Error('nothing is forwarded');
    expect(await requestStub(store, to, 3, clock.now())).toEqual({ rejected: undefined });
    await round();
    expect(await requestStub(store, to, 4, clock.now())).toEqual({ rejected: 3 });
    await round();
    expect(collector.taken).toEqual(upTo(2));
    expect(await requestStub(store, to, 3, clock.now())).toBeUndefined();
    await round();
    expect(collector.taken).toEqual(upTo(5));
  });

  it('nor a stub gets the entry, once it takes it', async () => {
    const { collector, clock, record, round, results } = await openForwarder();
    collector.answer(() => 400);
    await record(2);
    for (let left = 30; left > 0; left -= 1) {
      await round();
      await clock.advance(60 * minute);
    }
    expect(collector.taken).toEqual([]);
    collector.answer(() => 200);
    await round();
    expect(collector.taken).toEqual([1, 2]);
    expect(results).not.toContain('stub');
  });

  it.each([401, 403])('but the token is reported once, with the setting: %s', async (status) => {
    const { collector, clock, record, round, messages, logged } = await openForwarder();
    collector.answer(() => status);
    await record(1);
    for (let left = 3; left > 0; left -= 1) {
      await round();
      await clock.advance(10 * minute);
    }
    expect(collector.arrivals).toHaveLength(3);
    expect(messages().slice(1)).toEqual(['error: the token for forwarding audit entries is not accepted']);
    expect(logged.at(-1)?.details).toMatchObject({ setting: 'audit.forward.token: secret:siem' });
    collector.answer(() => 200);
    await round();
    expect(messages().at(-1)).toBe('info: audit entries are forwarded again');
    expect(JSON.stringify(logged)).not.toContain('s3cret');
  });

  it.each<[what: string, token: () => string, problem: string]>([
    ['has no value', missing, "can't be called: There is no secret “siem”."],
    ['is not a token', () => 'päss', "can't be called: secret:siem can't be sent. It must be a token,"],
    [
      'would be two headers',
      () => 'a\nx-b: c',
      "can't be called: secret:siem can't be sent. It must be a token,",
    ],
  ])('because the token %s is not asked', async (_, token, problem) => {
    const set = await openForwarder();
    set.token = token;
    await set.record(1);
    await set.round();
    await set.round();
    expect(set.collector.arrivals).toEqual([]);
    expect(set.seen).toMatchObject({ problem: expect.stringContaining(problem) as string });
  });
});

function missing(): string {
  throw new BellhopError('configuration', 'There is no secret “siem”.');
}

describe('a hostile collector', () => {
  it('leads nowhere else', async () => {
    const set = await openForwarder();
    const elsewhere = await startCollector();
    onTestFinished(() => elsewhere.close());
    set.collector.answer(() => (response) => void response.writeHead(307, { location: elsewhere.url }).end());
    await set.record(1);
    await set.round();
    await set.round();
    expect(elsewhere.arrivals).toEqual([]);
    expect(set.seen).toMatchObject({ sent: 0, problem: 'answered 307; redirects are not followed' });
  });

  it.each<[what: string, status: number, result: string]>([
    ['took it', 200, 'accepted'],
    ['did not', 500, 'failed'],
  ])(
    'that never ends its answer is believed that it %s, and no more of it is read',
    async (_, status, result) => {
      const { collector, record, round, results } = await openForwarder();
      const closed = Promise.withResolvers<void>();
      collector.answer(() => (response) => {
        response.once('close', () => closed.resolve());
        flood(response.writeHead(status));
      });
      await record(1);
      await round();
      await closed.promise;
      expect(results).toEqual([result]);
    },
  );

  it.each<[what: string, answer: (response: ServerResponse) => void]>([
    ['speaks no HTTP', ({ socket }) => void socket?.end('220 smtp.example.com ready\r\n\r\n')],
    ['hangs up', ({ socket }) => void socket?.destroy()],
    ['has endless headers', ({ socket }) => void socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_000)}`)],
  ])('that %s has not taken anything', async (_, answer) => {
    const { collector, clock, record, round, results } = await openForwarder();
    collector.answer(() => answer);
    await record(1);
    await round();
    expect(results).toEqual(['failed']);
    collector.answer(() => 200);
    await clock.advance(minute);
    await round();
    expect(collector.taken).toEqual([1]);
  });

  it('that does not answer is given up after 25 seconds, and gets the batch again', async () => {
    const { collector, clock, record, round, ...set } = await openForwarder();
    collector.answer(() => () => undefined);
    await record(1);
    const slow = round();
    await until(() => collector.arrivals.length === 1);
    await clock.advance(25 * second);
    await slow;
    expect(set.results).toEqual(['failed']);
    collector.answer(() => 200);
    await clock.advance(minute);
    await round();
    expect(collector.taken).toEqual([1]);
  });
});

/** Writes until the client closes the connection. */
function flood(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('y'.repeat(16_384)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
}
