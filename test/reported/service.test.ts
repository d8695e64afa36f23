import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { operation } from '../../src/bellhop/bellhop.ts';
import { targetOfArea } from '../../src/command/inventory.ts';
import { parse } from '../../src/command/grammar/grammar.ts';
import { readInput } from '../../src/command/grammar/check-input.ts';
import { createRegistry } from '../../src/command/grammar/registry.ts';
import { boundReport } from '../../src/config/own/bound-report.ts';
import { rescue } from '../../src/model/values/errors.ts';
import type { Http } from '../../src/model/operation.ts';
import { createServiceClient } from '../areas/service-client.ts';
import { readServiceReason } from '../../src/service/errors/service-failure.ts';
import { createHttp } from '../../src/service/http/any-http.ts';
import type { CallRecord } from '../../src/service/http/transport.ts';
import { failure } from '../service/test-transport.ts';
import { openStage } from '../operations/stage.ts';
import { answer, type Behaviour, startFaultyServer } from '../service/faulty-server.ts';
import { inputOf, serve } from './service-input.ts';

const anyHttp = (url: string): Http => {
  const { httpFor, close } = createHttp({
    production: false,
    mask: (text) => text,
    logger: { warn: () => undefined },
    afterCall: () => undefined,
  });
  onTestFinished(close);
  const caller = {
    operation: 'jobs.cancel',
    correlationId: 'c-1',
    signal: new AbortController().signal,
    maySend: () => true,
    timeoutMs: 10_000,
  };
  return httpFor(caller)(url);
};

describe('an integer beyond 2^53', () => {
  it('comes back in the path and the body of what your own operation sends', async () => {
    const server = await serve(inputOf('snowflake-job'));
    const api = anyHttp(server.url);
    const job = z.object({ id: z.bigint(), parent: z.bigint(), shard: z.number() });
    const { id, parent, shard } = await api.get('/jobs/next', job);
    await api.send('DELETE', `/jobs/${id}`, { json: { job: id, parents: [parent], shard } });
    expect(server.seen.map(({ url, body }) => `${url} ${body}`.trim())).toEqual([
      '/jobs/next',
      '/jobs/9007199254740993 {"job":9007199254740993,"parents":[-9007199254740993],"shard":4}',
    ]);
  });

  it('is refused by the name of its field where an operation wants a number', async () => {
    const server = await serve(inputOf('snowflake-job'));
    const asked = anyHttp(server.url).get('/jobs/next', z.object({ id: z.number() }));
    await expect(asked).rejects.toThrow('id: Invalid input: expected number, received bigint');
  });

  it('is exact in an answer, and in a chart', () => {
    const id = 9007199254740993n;
    const { facts, tables, charts, csv } = boundReport({
      title: 'Job',
      facts: [{ label: 'Id', value: id }],
      tables: [{ caption: 'Jobs', columns: ['id'], rows: [[id]] }],
      charts: [
        {
          kind: 'line',
          title: 'c',
          unit: '',
          merge: 'sum',
          labels: ['1'],
          series: [{ name: 's', values: [id] }],
        },
      ],
      csv: { fileName: 'jobs.csv', columns: ['id'], rows: [[id]] },
    });
    expect([facts?.[0]?.value, tables?.[0]?.rows, csv?.rows]).toEqual([
      String(id),
      [[String(id)]],
      [[String(id)]],
    ]);
    expect(charts?.[0]?.series[0]?.values).toEqual([Number(id)]);
  });

  it('is the exact limit of a storage event, as a number or as text', async () => {
    const { url } = await serve(inputOf('storage-events-exabytes'));
    const stage = await openStage({ serviceUrl: url });
    const { tables } = await stage.report('/storage events');
    expect(tables?.flatMap(({ rows }) => rows.map((row) => row[2]))).toEqual([
      '9,007,199,254,740,993 files',
      '1,152,921,504,606,846,977 bytes (1,152.9 PB)',
      '18,446,744,073,709,551,615 bytes (18,446.7 PB)',
    ]);
  });

  const jobs = createRegistry(
    [
      operation({
        name: 'jobs.show',
        summary: 'Show a job.',
        risk: 'read',
        input: z.strictObject({ id: z.number().describe('The id.').meta({ positional: true }) }),
        examples: [],
        target: (_input, inventory) => targetOfArea(inventory, 'jobs', {}),
        run: () => Promise.resolve({}),
        report: () => ({ title: 'job' }),
      }),
    ],
    [],
  );
  it.each([
    ['9007199254740993', '<id> has more digits than a number can hold exactly.'],
    ['-9007199254740993.0', '<id> has more digits than a number can hold exactly.'],
    ['9.007199254740993e15', '<id> has more digits than a number can hold exactly.'],
    ['12345678901234567.5', '<id> has more digits than a number can hold exactly.'],
    ['1e400', '<id> has more digits than a number can hold exactly.'],
    ['9007199254740992', 9007199254740992],
    ['1.50', 1.5],
    ['007', 7],
  ])('typed as %s ends as %s', (typed, expected) => {
    const parsed = parse(jobs, 'jobs', `show -- ${typed}`);
    if (parsed.kind === 'help') throw new Error('help');
    const came = rescue(
      () => readInput(parsed.entry, parsed.values)['id'],
      ({ message }) => message,
    );
    expect(came).toBe(expected);
  });
});

const headlineOf = async (file: string, line: string) => {
  const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
  const { headline = '', notes } = await stage.report(line);
  return [headline, ...notes].join(' | ');
};

describe('metrics', () => {
  it.each([
    [
      'metrics-late',
      '/cdn metrics 5xx --last 24h --every 1h',
      /^5xx at 20 Nov 20:00 UTC: 50 % of requests \(5,000 in 1h\).*No data since 20 Nov 21:00 UTC, 6h ago/u,
    ],
    [
      'metrics-late-nulls',
      '/cdn metrics 5xx --last 24h --every 1h',
      /^5xx at 20 Nov 20:00 UTC: 50 % of requests \(5,000 in 1h\).*No data since 20 Nov 21:00 UTC, 6h ago/u,
    ],
    ['metrics-one-late', '/cdn metrics 5xx --last 24h --every 1h', /^5xx now: 1 % of requests(?!.*No data)/u],
    ['metrics-null-counts', '/cdn metrics 5xx', /^5xx now: none(?!.*No data)/u],
    ['metrics-no-errors', '/cdn metrics 5xx', /^5xx now: none(?!.*No data)/u],
    ['metrics-null-counts', '/cdn metrics 5xx --from 02:00 --to 03:00 --every 3m', /^5xx now: none/u],
    [
      'metrics-row-at-to',
      '/cdn metrics 5xx --every 20m',
      /^5xx now: 1 % of requests \(10 in 20m\).*The service also sent 2 rows outside the range/u,
    ],
  ])('%s: %s', async (file, line, expected) => {
    expect(await headlineOf(file, line)).toMatch(expected);
  });

  it.each(['metrics-null-counts', 'metrics-absent-counts', 'metrics-text-counts'])(
    'count 100 errors in 20,000 requests as 0.5 %%: %s',
    async (file) => {
      const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
      const { tables } = await stage.report('/cdn metrics 5xx');
      expect(tables?.[0]?.rows[0]).toEqual(['edge_status_5xx', '100', '0.5 %', '', '0', '100', '02:21 UTC']);
    },
  );

  it('count a row outside the range nowhere', async () => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf('metrics-row-at-to'))).url });
    const { tables, csv } = await stage.report('/cdn metrics 5xx --every 20m');
    expect(tables?.[0]?.rows[0]?.[1]).toBe('30');
    expect(csv?.rows).toHaveLength(3);
  });
});

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

const encoded =
  (body: Buffer, encoding: string): Behaviour =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);

const clientAnd = async (behaviour: Behaviour, maxBodyBytes = 100_000) => {
  const server = await startFaultyServer(behaviour);
  const client = createServiceClient({
    baseUrl: server.url,
    apiKeys: () => ['key-1'],
    timings: { maxBodyBytes },
  });
  onTestFinished(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, client };
};

describe('an answer with a content encoding', () => {
  const reply = JSON.stringify({
    count: 1,
    results: [{ id: '6c6aa80f-7836-4dc2-a2ae-125e248be476', status: 'REBOOT' }],
  });
  const web1 = { project: 1, region: 2, id: '6c6aa80f-7836-4dc2-a2ae-125e248be476' };

  it.each([
    ['gzip', gzipSync(reply)],
    ['X-GZIP', gzipSync(reply)],
    ['deflate', deflateSync(reply)],
    ['deflate', deflateRawSync(reply)],
    ['br', brotliCompressSync(reply)],
    ['zstd', zstdCompressSync(reply)],
    ['br, gzip', gzipSync(brotliCompressSync(reply))],
    ['identity', Buffer.from(`\uFEFF${reply}`)],
  ])('of %s is read, although it was not requested', async (encoding, body) => {
    const { server, client } = await clientAnd(encoded(body, encoding));
    const { value } = await client.changeInstance(web1, 'reboot', { correlationId: 'c-1' });
    expect(value.instance?.status).toBe('REBOOT');
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
    const own = await anyHttp(server.url).get('/x', z.object({ count: z.number() }));
    expect(own.count).toBe(1);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(10_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(10_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(10_000_000)))],
  ])('of %s is refused if it is a bomb', async (encoding, body) => {
    const { client } = await clientAnd(encoded(body, encoding));
    const asked = client.changeInstance(web1, 'reboot', { correlationId: 'c-1' });
    await expect(asked).rejects.toThrow(/the response is too large/u);
  });

  it.each([
    ['gzip', Buffer.from('no gzip')],
    ['gzip', gzipSync(reply).subarray(0, 20)],
    ['compress', Buffer.from([0x1f, 0x9d])],
  ])('of %s that cannot be decoded is not JSON', async (encoding, body) => {
    const { client } = await clientAnd(encoded(body, encoding));
    const asked = client.changeInstance(web1, 'reboot', { correlationId: 'c-1' });
    await expect(asked).rejects.toMatchObject({ outcome: 'unknown-outcome', message: /not JSON/u });
  });
});

describe('an answer in another charset', () => {
  const own = JSON.stringify({ message: 'Büro läuft' });
  const latin1 = 'application/json; charset=ISO-8859-1';

  it.each([
    ['Latin-1', latin1, Buffer.from(own, 'latin1')],
    ['UTF-8 that claims to be Latin-1', latin1, Buffer.from(own)],
    ['UTF-16 with a byte order mark', 'application/json', Buffer.from(`\uFEFF${own}`, 'utf16le')],
    ['a charset that does not exist', 'application/json; charset=klingon', Buffer.from(own)],
  ])('is read: %s', async (_, type, body) => {
    const headers = { 'content-type': type };
    const { server } = await clientAnd((response) => response.writeHead(200, headers).end(body));
    const read = await anyHttp(server.url).get('/x', z.object({ message: z.string() }));
    expect(read.message).toBe('Büro läuft');
    const refused = { kind: 'answer', status: 409, headers, body } as const;
    expect(readServiceReason(refused, (text) => text).reason).toBe('Büro läuft');
  });
});

const failureFrom = async (file: string) => {
  const input = inputOf(file);
  const server = await serve(input);
  const records: CallRecord[] = [];
  const client = createServiceClient({
    baseUrl: server.url,
    apiKeys: () => ['key-1'],
    afterCall: (record) => void records.push(record),
  });
  onTestFinished(() => client.close());
  const web1 = { project: 1, region: 2, id: 'web-1' };
  const error = await failure(client.changeInstance(web1, 'reboot', { correlationId: 'c-1' }));
  return { error, key: records[0]?.keyAccepted };
};

describe('an error of the service', () => {
  it.each([
    ['refused-region', /^The region has reached its limit of running instances\. .* with 403 \w+\.$/u, true],
    [
      'refused-page',
      /^Attention Required! \| Cloudflare\. .* This is a web page, .*\. Check the proxies/u,
      undefined,
    ],
    ['refused-nginx', /^401 Authorization Required\. .* This is a web page/u, undefined],
    ['refused-bare', /^The service answered .* with 403 \w+\. API_KEY may be read-only/u, false],
    ['refused-empty', /API_KEY may be read-only/u, false],
    [
      'conflicting-request',
      /^Cannot 'reboot' instance 6c6aa80f while it is in task_state rebooting\. The/u,
      true,
    ],
    ['problem-details', /^Another task holds the instance\. The/u, true],
    [
      'problem-errors',
      /^Your request is not valid\.; #\/age: must be a positive integer, #\/profile\/color: must be 'green'/u,
      true,
    ],
    ['fastapi-detail', /^body, name: Field required\. The/u, true],
    ['neutron-error', /^Unable to complete operation: the IP address is in use\. The/u, true],
    ['google-error', /^The resource is not ready\. The/u, true],
    ['refused-code-only', /^The service answered .* with 403 \w+\. API_KEY may be read-only/u, false],
    ['refused-named', /^The service answered .* with 403 \w+\. API_KEY may be read-only/u, false],
    ['refused-xhtml', /^Request Rejected\. .* This is a web page/u, undefined],
    ['refused-heading', /^Blocked by policy\. .* This is a web page/u, undefined],
    ['refused-xml', /^The bucket policy denies it\. .* with 403 \w+\.$/u, true],
    ['list-of-errors', /^Session is locked\. The/u, true],
    ['capital-message', /^Message: User is not authorized to access this resource\. The/u, true],
    [
      'invalid-params',
      /^Your request parameters didn't validate\.; age: must be a positive integer\. The/u,
      true,
    ],
    ['soap-fault', /^The quota of the project is used up\. The/u, true],
  ])('%s gives its reason', async (file, message, key) => {
    const seen = await failureFrom(file);
    expect(seen.error.message).toMatch(message);
    expect([seen.error.outcome, seen.key]).toEqual(['rejected', key]);
  });

  it('is refused by name or read, whatever JSON it is', () => {
    const members = { maxDepth: 4, noNullPrototype: true } as const;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(members),
          fc
            .record(
              {
                type: fc.webUrl(),
                title: fc.string(),
                status: fc.nat(),
                detail: fc.string(),
                instance: fc.string(),
              },
              { requiredKeys: [] },
            )
            .map((problem) => JSON.stringify(problem)),
        ),
        (body) => {
          const answered = { kind: 'answer', status: 409, headers: {}, body: Buffer.from(body) } as const;
          const { reason } = readServiceReason(answered, (text) => text);
          expect(reason ?? '').not.toMatch(/undefined|\[object|NaN/u);
          const problem: unknown = JSON.parse(body);
          const { data } = z
            .object({ detail: z.string().regex(/^\w{3,20}$/u), message: z.undefined() })
            .safeParse(problem);
          expect(reason ?? '').toContain(data?.detail ?? '');
        },
      ),
    );
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

describe('an answer to a change', () => {
  it('about another instance under an older field name is not a success', async () => {
    const server = await serve(inputOf('reboot-older-field'));
    const client = createServiceClient({ baseUrl: server.url, apiKeys: () => ['key-1'] });
    onTestFinished(() => client.close());
    const call = { correlationId: 'c-1' };
    const web1 = { project: 1, region: 2, id: '6c6aa80f-7836-4dc2-a2ae-125e248be476' };
    const error = await failure(client.changeInstance(web1, 'reboot', call));
    expect([error.outcome, error.message]).toEqual([
      'unknown-outcome',
      expect.stringContaining('about another instance'),
    ]);
    const db9 = { ...web1, id: '11111111222243338444555555555555' };
    expect((await client.changeInstance(db9, 'reboot', call)).value.instance?.status).toBe('REBOOT');
  });

  it.each([
    ['event-small-uuid', 'Event posted: reaching_used_space', 'good'],
    ['event-uuid-in-braces', 'Event posted: reaching_used_space', 'good'],
    ['event-other-limit', 'Event posted, but with another limit: reaching_used_space', 'unsure'],
  ])('of a storage event, %s, is read', async (file, title, tone) => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
    const uuid = file.includes('uuid') ? ' --uuid 3F2B1C9E-8A4D-4E5F-9C7B-0A1B2C3D4E5F' : '';
    const ended = await stage.change(
      `/storage post reaching_used_space --bucket media --storage main --bytes 10GB${uuid}`,
    );
    expect([ended.state, ended.outcome?.report?.title, ended.outcome?.report?.tone]).toEqual([
      'succeeded',
      title,
      tone,
    ]);
  });
});
