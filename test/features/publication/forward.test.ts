import type { ServerResponse } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { until } from '../../until.ts';
import { startCollector } from '../../collector.ts';
import { openForwarder, upTo } from './open-forwarder.ts';

const second = 1000;

describe('what a collector gets', () => {
  it('is JSON lines with the token, the numbers in front, and the query of the address', async () => {
    const { collector, record, round } = await openForwarder();
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
    const set = await openForwarder();
    set.token = () => 'Splunk 1234-5678\n';
    await set.record(1);
    await set.round();
    expect(set.collector.arrivals).toMatchObject([{ authorization: 'Splunk 1234-5678' }]);
  });

  it('is in batches that proxies take as they come', async () => {
    const { collector, record, round } = await openForwarder();
    await record(60, 'x'.repeat(20_000));
    await round();
    expect(collector.taken).toEqual(upTo(60));
    expect(Math.max(...collector.arrivals.map(({ bytes }) => bytes))).toBeLessThan(1_000_000);
    expect(collector.arrivals.length).toBeGreaterThan(2);
  });

  it('is what follows, no entry twice, and nothing where nothing is new', async () => {
    const { collector, record, round } = await openForwarder();
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
    const { collector, record, round } = await openForwarder({ from });
    await record(2);
    await round();
    await record(1);
    await round();
    expect(collector.taken).toEqual(taken);
  });

  it('is its own for another address, and one that had begun continues where it was', async () => {
    const set = await openForwarder();
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

  it('starts over with another `from`, for the same collector', async () => {
    const set = await openForwarder();
    await set.record(3);
    await set.round();
    set.settings = set.settings && { ...set.settings, from: 2 };
    await set.round();
    expect(set.collector.taken).toEqual([1, 2, 3, 2, 3]);
  });

  it('keeps its position, even after a replica with different rules dropped the due row', async () => {
    const set = await openForwarder();
    await set.round();
    await set.record(2);
    const { settings } = set;
    set.settings = undefined;
    await set.round();
    set.settings = settings;
    await set.clock.advance(60 * second);
    await set.round();
    expect(set.collector.taken).toEqual([1, 2]);
  });

  it('is nowhere without settings', async () => {
    const set = await openForwarder();
    set.settings = undefined;
    await set.record(1);
    await set.round();
    expect([set.collector.arrivals, set.seen]).toEqual([[], 'off']);
  });
});

describe('a stop', () => {
  it('waits for the batch that is on its way', async () => {
    const set = await openForwarder();
    const { collector, store, record, round, replica } = set;
    const held = Promise.withResolvers<ServerResponse>();
    collector.answer(() => (response) => held.resolve(response));
    await record(1);
    const sending = round();
    const response = await held.promise;
    const closing = set.close();
    response.writeHead(200).end();
    await Promise.all([sending, closing]);
    await replica(store).round();
    expect(collector.arrivals).toHaveLength(1);
  });

  it('waits for two seconds at most, and leaves the rest to the person who starts next', async () => {
    const set = await openForwarder();
    set.collector.answer(() => () => undefined);
    await set.record(1);
    const sending = set.round();
    await until(() => set.collector.arrivals.length === 1);
    const closing = set.close();
    await set.clock.advance(2 * second);
    await Promise.all([sending, closing]);
    await set.round();
    set.collector.answer(() => 200);
    await set.clock.advance(second);
    await set.replica(set.store).round();
    expect(set.collector.taken).toEqual([1]);
    expect(set.messages()).toEqual(['info: forwarding of audit entries started']);
  });
});
