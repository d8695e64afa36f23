import { describe, expect, it, onTestFinished } from 'vitest';

import { createServiceClient } from '../../areas/service-client.ts';
import { openStage } from '../../operations/stage.ts';
import { answer, type Behaviour, startFaultyServer } from '../../service/faulty-server.ts';
import { inputOf, serve } from './service-input.ts';

const titleOf = async (file: string) => {
  const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
  return (await stage.report('/cloud whois 203.0.113.7')).title;
};

describe('addresses', () => {
  it.each([
    ['floating-ip-of-port', '203.0.113.7 is assigned to 10.0.3.7'],
    ['floating-ip-of-bare-port', '203.0.113.7 is assigned to port b0d7f1c2-1111-4000-8000-000000000002'],
    ['floating-ip-free', '203.0.113.7 is not assigned to anything'],
  ])('%s: %s', async (file, expected) => {
    expect(await titleOf(file)).toBe(expected);
  });

  it.each([
    ['instance-openstack-addresses', '203.0.113.7\n10.0.0.5'],
    ['instance-nova-addresses', '2001:db8::7\n192.0.2.9\n10.0.0.6'],
    ['instance-listed-addresses', '10.0.0.5\n203.0.113.7'],
  ])('%s has all addresses once', async (file, expected) => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
    const { facts } = await stage.report('/cloud show web-1');
    expect(facts?.find(({ label }) => label === 'Addresses')?.value).toBe(expected);
  });
});

/** Such as the floating IPs of the Gcore Cloud API behind a gateway that caps `limit`. */
const pages =
  (all: number, most: number, count: number | null = all): Behaviour =>
  (response, request) => {
    const { searchParams } = new URL(request.url ?? '', 'http://service');
    const offset = Number(searchParams.get('offset'));
    const results = Array.from({ length: Math.max(0, Math.min(most, all - offset)) }, (_, index) => ({
      id: `ip-${offset + index}`,
      floating_ip_address: `10.1.${Math.floor((offset + index) / 250)}.${(offset + index) % 250}`,
    }));
    answer(200, JSON.stringify({ count, results }))(response, request);
  };

describe('a list that the service cuts at 100 entries a page', () => {
  it.each([
    [200, 100, '10.1.0.199 is not assigned to anything', 2],
    [1001, 1000, '10.1.0.199 is not assigned to anything', 2],
    [150, 70, '10.1.0.149 is not assigned to anything', 3],
    [20_000, 20, '10.1.79.249 was not found, but the search is incomplete', 100],
  ])('of %i, %i a page: %s', async (count, most, expected, calls) => {
    const server = await startFaultyServer(pages(count, most));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const stage = await openStage({ serviceUrl: server.url });
    const { title } = await stage.report(`/cloud whois ${expected.split(' ', 1).join('')}`);
    expect([title, server.seen.length]).toEqual([expected, calls]);
  });

  it.each<[what: string, behaviour: Behaviour, title: RegExp, calls: number]>([
    ['is read on', pages(200, 100, null), /^10\.1\.0\.199 is not assigned to anything$/u, 3],
    ['ends with an empty page', pages(100, 1000, null), /^10\.1\.0\.199 is not a floating IP/u, 2],
    [
      'ends if the service knows no offset',
      answer(200, '{"results": [{"id": "ip-1"}]}'),
      /is not a floating IP/u,
      2,
    ],
  ])('without a count %s', async (_, behaviour, expected, calls) => {
    const server = await startFaultyServer(behaviour);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const stage = await openStage({ serviceUrl: server.url });
    const { title } = await stage.report('/cloud whois 10.1.0.199');
    expect(title).toMatch(expected);
    expect(server.seen).toHaveLength(calls);
  });

  it('without a count is not read for ever, and says that there is more', async () => {
    const server = await startFaultyServer(pages(20_000, 1000, null));
    onTestFinished(() => server[Symbol.asyncDispose]());
    const stage = await openStage({ serviceUrl: server.url });
    const { notes } = await stage.report('/cloud whois 192.0.2.1');
    expect(notes).toContain("Only 10,000 of the service's more than 10,000 floating IPs were searched.");
    expect(server.seen).toHaveLength(10);
  });
});

describe('none', () => {
  it.each(['null', '[]', undefined])('is what %s says to a query for a list', async (body) => {
    const server = await serve({ status: body === undefined ? 204 : 200, headers: {}, body: body ?? '' });
    const client = createServiceClient({ baseUrl: server.url, apiKeys: () => ['key-1'] });
    onTestFinished(() => client.close());
    const [call, region] = [{ correlationId: 'c-1' }, { project: 1, region: 2 }];
    const query = {
      metrics: ['edge_requests_total'],
      from: '2026-11-21T02:00:00Z',
      to: '2026-11-21T03:00:00Z',
    };
    const came = await Promise.all([
      client.listFloatingIps(region, call),
      client.listHeldFloatingIps(region, call),
      client.listInstances(region, call),
      client.listCapacity(call),
      client.listPurges({}, call),
      client.listStorageEvents(call),
      client.queryMetrics(query, call),
    ]);
    const empty = { count: 0, results: [] };
    expect(came.map(({ value }) => value)).toEqual([empty, empty, empty, [], [], {}, { series: [] }]);
    expect(came.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('is what null says at any depth of grouped metrics', async () => {
    const server = await serve(inputOf('metrics-null-group'));
    const client = createServiceClient({ baseUrl: server.url, apiKeys: () => ['key-1'] });
    onTestFinished(() => client.close());
    const range = { from: '2026-11-21T02:00:00Z', to: '2026-11-21T03:00:00Z' };
    const query = { metrics: ['edge_requests_total'], ...range, group_by: ['cname'] };
    const { value, problems } = await client.queryMetrics(query, { correlationId: 'c-1' });
    expect([value.series.map(({ group }) => group['cname']), problems]).toEqual([['a.example.com'], []]);
  });
});
