import type { ServerResponse } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import type { ForwardSettings } from '../../../src/core/model/rulebook.ts';
import { BellhopError } from '../../../src/core/model/errors.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';
import { sealAll } from '../../store/contract/opened.ts';
import { aDraft } from '../../store/sample-request.ts';
import { until } from '../../until.ts';
import { startCollector } from './collector.ts';
import { setForwardStage } from './forward-stage.ts';

const second = 1000;
const minute = 60 * second;

async function stage(settings: Partial<ForwardSettings> = {}) {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const store = await openStore({ dataDir: temporaryFolder() });
  onTestFinished(() => store.close());
  const set = setForwardStage(collector.url, settings);
  const record = async (count: number, note?: string): Promise<void> => {
    await store.record(Array.from({ length: count }, () => aDraft({ note })));
    await sealAll(store);
  };
  return Object.assign(set, { collector, store, record, ...set.replica(store) });
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('what a collector gets', () => {
  it('is JSON lines with the token, the numbers in front, and the query of the address', async () => {
    const { collector, record, round } = await stage();
    await record(3);
    await round();
    expect(collector.arrivals).toMatchObject([
      {
        path: '/in?source=bellhop',
        authorization: 'Bearer s3cret-of-the-siem',
        contentType: 'application/x-ndjson',
        range: '1-3',
        numbers: [1, 2, 3],
      },
    ]);
    expect(new Set(collector.arrivals[0]?.events.map(({ metadata }) => metadata.uid)).size).toBe(3);
  });

  it('is the token with its own scheme, where it brings one along', async () => {
    const set = await stage();
    set.token = () => 'Splunk 1234-5678\n';
    await set.record(1);
    await set.round();
    expect(set.collector.arrivals).toMatchObject([{ authorization: 'Splunk 1234-5678' }]);
  });

  it('is in batches that proxies take as they come', async () => {
    const { collector, record, round } = await stage();
    await record(60, 'x'.repeat(20_000));
    await round();
    expect(collector.taken).toEqual(upTo(60));
    expect(Math.max(...collector.arrivals.map(({ bytes }) => bytes))).toBeLessThan(1_000_000);
    expect(collector.arrivals.length).toBeGreaterThan(2);
  });

  it('is what follows, no entry twice, and nothing where nothing is new', async () => {
    const { collector, record, round } = await stage();
    await round();
    await record(2);
    await round();
    await round();
    await record(1);
    await round();
    expect(collector.arrivals.map(({ range }) => range)).toEqual(['1-2', '3-3']);
  });
});

describe('where it begins', () => {
  it.each<[from: number | 'now', taken: readonly number[]]>([
    [1, [1, 2, 3]],
    [2, [2, 3]],
    [3, [3]],
    [4, []],
    ['now', [3]],
  ])('is said by from: %s', async (from, taken) => {
    const { collector, record, round } = await stage({ from });
    await record(2);
    await round();
    await record(1);
    await round();
    expect(collector.taken).toEqual(taken);
  });

  it('is its own for another address, and one that had begun goes on where it was', async () => {
    const set = await stage();
    const other = await startCollector();
    onTestFinished(() => other.close());
    const first = set.settings;
    await set.record(2);
    await set.round();
    set.settings = { url: other.url, token: 'secret:siem', from: 2, contentType: 'application/json' };
    await set.round();
    set.settings = first;
    await set.record(1);
    await set.round();
    expect([set.collector.taken, other.taken]).toEqual([[1, 2, 3], [2]]);
    expect(other.arrivals[0]?.contentType).toBe('application/json');
  });

  it('is told anew by another from, for the same collector', async () => {
    const set = await stage();
    await set.record(3);
    await set.round();
    set.settings = set.settings && { ...set.settings, from: 2 };
    await set.round();
    expect(set.collector.taken).toEqual([1, 2, 3, 2, 3]);
  });

  it('is nowhere without settings', async () => {
    const set = await stage();
    set.settings = undefined;
    await set.record(1);
    await set.round();
    expect([set.collector.arrivals, set.seen]).toEqual([[], 'off']);
  });
});

describe('a collector that does not take a batch', () => {
  it('gets it again after a pause that grows, and all that followed, once it is back', async () => {
    const { collector, clock, record, round, messages, ...set } = await stage();
    await collector.close();
    await record(2);
    for (let left = 60; left > 0; left -= 1) {
      await round();
      await clock.advance(second);
    }
    expect(set.results.length).toBeGreaterThan(3);
    expect(set.results.length).toBeLessThan(9);
    expect(messages()).toEqual([
      'info: audit entries are forwarded from now on',
      'warn: audit entries were not forwarded; they are sent again',
    ]);
    await record(1);
    await collector.open();
    await clock.advance(minute);
    await round();
    expect(collector.taken).toEqual([1, 2, 3]);
    expect(messages().at(-1)).toBe('info: audit entries are forwarded again');
  });

  it('is left alone for as long as it asks', async () => {
    const { collector, clock, record, round } = await stage();
    collector.answer(() => (response) => void response.writeHead(429, { 'retry-after': '120' }).end());
    await record(1);
    await round();
    collector.answer(() => 200);
    await clock.advance(2 * minute - 1);
    await round();
    expect(collector.taken).toEqual([]);
    await clock.advance(1);
    await round();
    expect(collector.taken).toEqual([1]);
  });

  it('is not waited for for ever, however much it asks for', async () => {
    const { collector, clock, record, round } = await stage();
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
    const { collector, record, round, results, messages } = await stage();
    collector.answer(({ numbers }) => (numbers.length > 10 && Number(numbers[0]) < 30 ? 413 : 200));
    await record(100);
    await round();
    expect(collector.taken).toEqual(upTo(100));
    expect(results).toContain('rejected');
    expect(messages()).toEqual(['info: audit entries are forwarded from now on']);
    expect(collector.arrivals.at(-1)?.numbers.length).toBeGreaterThan(10);
  });

  it('because of one entry gets all before it, and nothing after it is left out', async () => {
    const set = await stage();
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
      message: 'an audit entry is refused, and all after it wait',
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

  it.each([401, 403])('but the token is told of once, with the setting: %s', async (status) => {
    const { collector, clock, record, round, messages, logged } = await stage();
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
    ['has no value', missing, 'cannot be asked: There is no secret “siem”.'],
    ['is none', () => 'päss', 'cannot be asked: secret:siem cannot be sent: it is to be a token,'],
    [
      'would be two headers',
      () => 'a\nx-b: c',
      'cannot be asked: secret:siem cannot be sent: it is to be a token,',
    ],
  ])('because the token %s is not asked', async (_, token, problem) => {
    const set = await stage();
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
    const set = await stage();
    const elsewhere = await startCollector();
    onTestFinished(() => elsewhere.close());
    set.collector.answer(() => (response) => void response.writeHead(307, { location: elsewhere.url }).end());
    await set.record(1);
    await set.round();
    await set.round();
    expect(elsewhere.arrivals).toEqual([]);
    expect(set.seen).toMatchObject({ sent: 0, problem: 'answered 307, a redirect, which is not followed' });
  });

  it.each<[what: string, status: number, result: string]>([
    ['took it', 200, 'accepted'],
    ['did not', 500, 'failed'],
  ])(
    'that never ends its answer is believed that it %s, and no more of it is read',
    async (_, status, result) => {
      const { collector, record, round, results } = await stage();
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
    [
      'has headers without an end',
      ({ socket }) => void socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(99_000)}`),
    ],
  ])('that %s has not taken anything', async (_, answer) => {
    const { collector, clock, record, round, results } = await stage();
    collector.answer(() => answer);
    await record(1);
    await round();
    expect(results).toEqual(['failed']);
    collector.answer(() => 200);
    await clock.advance(minute);
    await round();
    expect(collector.taken).toEqual([1]);
  });

  it('that does not answer is given up after half a minute, and gets the batch again', async () => {
    const { collector, clock, record, round, ...set } = await stage();
    collector.answer(() => () => undefined);
    await record(1);
    const slow = round();
    await until(() => collector.arrivals.length === 1);
    await clock.advance(30 * second);
    await slow;
    expect(set.results).toEqual(['failed']);
    collector.answer(() => 200);
    await clock.advance(minute);
    await round();
    expect(collector.taken).toEqual([1]);
  });
});

/** Until its reader goes away. */
function flood(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('y'.repeat(16_384)));
  };
  response.on('drain', more).on('error', () => undefined);
  more();
}

describe('a stop', () => {
  it('waits for the batch that is on its way', async () => {
    const { collector, store, record, round, close, replica } = await stage();
    const held = Promise.withResolvers<ServerResponse>();
    collector.answer(() => (response) => held.resolve(response));
    await record(1);
    const sending = round();
    const response = await held.promise;
    const closing = close();
    response.writeHead(200).end();
    await Promise.all([sending, closing]);
    await replica(store).round();
    expect(collector.arrivals).toHaveLength(1);
  });

  it('waits for two seconds at most, and leaves the rest to whoever starts next', async () => {
    const set = await stage();
    set.collector.answer(() => () => undefined);
    await set.record(1);
    const sending = set.round();
    await until(() => set.collector.arrivals.length === 1);
    const closing = set.close();
    await set.clock.advance(2 * second);
    await Promise.all([sending, closing]);
    await set.round();
    set.collector.answer(() => 200);
    await set.replica(set.store).round();
    expect(set.collector.taken).toEqual([1]);
    expect(set.messages()).toEqual(['info: audit entries are forwarded from now on']);
  });
});
