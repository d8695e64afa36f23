import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { operation } from '../../../src/bellhop/bellhop.ts';
import { targetOfArea } from '../../../src/command/inventory.ts';
import { parse } from '../../../src/command/grammar/grammar.ts';
import { readInput } from '../../../src/command/grammar/check-input.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { boundReport } from '../../../src/config/own/bound-report.ts';
import { rescue } from '../../../src/model/values/errors.ts';
import { openStage } from '../../operations/stage.ts';
import { inputOf, serve } from './service-input.ts';
import { anyHttp } from './any-http.ts';

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
