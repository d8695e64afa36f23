import { describe, expect, test } from 'vitest';

import { ServiceError } from '../../../../src/model/values/errors.ts';
import { isEarlier, metricsFrom, minutes, type Query } from './metrics-service.ts';

const peakAt17 = (query: Parameters<Parameters<typeof metricsFrom>[0]>[0]) =>
  minutes(query, 60, (minute) => ({ edge_status_5xx: minute === 17 ? 9 : 1 }));

describe('the query', () => {
  test('is the interface’s query, the range before without groups', async () => {
    const service = await metricsFrom(() => []);
    await service.ask({
      names: ['5xx', 'speed'],
      from: '2026-11-20',
      to: '2026-11-21',
      every: '1h',
      by: ['cname'],
      resource: ['7', '8'],
      where: ['cname not-in a\\, b.example,c.example', 'resource gte 5'],
    });
    const asked = {
      metrics: ['edge_status_5xx', 'edge_download_speed', 'edge_requests_total'],
      from: '2026-11-20T00:00:00+00:00',
      to: '2026-11-21T00:00:00+00:00',
      granularity: 'PT1H',
      filter_by: [
        { field: 'resource', op: 'in', values: [7, 8] },
        { field: 'cname', op: 'not_in', values: ['a, b.example', 'c.example'] },
        { field: 'resource', op: 'gte', values: [5] },
      ],
    };
    const before = { ...asked, from: '2026-11-19T00:00:00+00:00', to: '2026-11-20T00:00:00+00:00' };
    expect(service.queries).toHaveLength(3);
    expect(service.queries).toEqual(
      expect.arrayContaining([asked, before, { ...asked, group_by: ['cname'] }]),
    );
  });

  test.each([
    ['Europe/Berlin', 'today', '2026-11-20T23:00:00+00:00'],
    ['America/New_York', 'today', '2026-11-20T05:00:00+00:00'],
    ['Asia/Kolkata', '2026-11-01 09:30', '2026-11-01T04:00:00+00:00'],
    ['Asia/Kolkata', '2026-11-01 09:30Z', '2026-11-01T09:30:00+00:00'],
    ['Asia/Kolkata', '2026-11-01T09:30-0800', '2026-11-01T17:30:00+00:00'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00+00:00'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00+00:00'],
    ['No/Where', 'yesterday', '2026-11-20T00:00:00+00:00'],
  ])('means, to someone in %s, by %s the moment %s', async (zone, from, sent) => {
    const service = await metricsFrom(() => [], zone);
    const { notes } = await service.ask({ from, every: '1d' });
    expect(service.queries.map((query) => query.from)).toContain(sent);
    expect(notes.some((note) => note.includes('No/Where'))).toBe(zone === 'No/Where');
  });

  test('names times in the zone of the person who asks, and that zone or UTC at the axis', async () => {
    const unknown = await metricsFrom(peakAt17, 'No/Where');
    expect((await unknown.ask({ names: ['5xx'], every: '1m' })).charts[0]?.axis).toBe('Time in UTC');
    const service = await metricsFrom(peakAt17, 'Asia/Kolkata');
    const { headline, facts, charts } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(charts[0]?.axis).toMatch(/^Time in Asia\/(?:Kolkata|Calcutta)$/u);
    expect(headline).toContain('Peak 9 in 1m at 07:47 UTC+5:30');
    expect(facts[0]?.value).toBe('2026-11-21 07:30 UTC+5:30 to 2026-11-21 08:30 UTC+5:30 (1h)');
    expect(charts[0]?.labels.slice(0, 2)).toEqual(['07:30', '07:31']);
  });
});

describe('the range before', () => {
  const values = { edge_status_5xx: 3 };

  test.each([
    [400, /^No comparison with the previous range: no metrics today\..*400/u],
    ['hang', /^No comparison with the previous range: .*no answer/iu],
  ] as const)('is omitted if the service gives %s, and a note says so', async (given, note) => {
    const service = await metricsFrom((query) =>
      isEarlier(query) ? given : minutes(query, 60, () => values),
    );
    const { headline, notes } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe('5xx now: 0.05 requests/s (3 in 1m)');
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  test('is not requested while the current interval is not over', async () => {
    const service = await metricsFrom((query) => minutes(query, 60, () => values));
    const { notes } = await service.ask({
      names: ['5xx'],
      from: '02:00',
      to: '2026-11-21T04:00Z',
      every: '1m',
    });
    expect(service.queries.filter(({ group_by }) => !group_by)).toHaveLength(1);
    expect(notes).toEqual([
      'No comparison with the previous range, because this one has not ended.',
      'The range ends in the future; missing values count as zero.',
    ]);
  });

  test.each([
    [0, 0, '5xx now: none, none in the hour before the range either'],
    [0, 2, '5xx now: 2 % of requests (2 errors in 1m), none in the hour before the range'],
    [1, 2, '5xx now: 2 % of requests (2 errors in 1m), up from 1 % in the hour before the range'],
    [2, 1, '5xx now: 1 % of requests (1 error in 1m), down from 2 % in the hour before the range'],
    [5, 5, '5xx now: 5 % of requests (5 errors in 1m), same as in the hour before the range'],
    [2, 0, '5xx now: none, down from 2 % in the hour before the range'],
  ])('with %i a minute, and %i now, reads as it is', async (before, now, says) => {
    const service = await metricsFrom((query) =>
      minutes(query, 60, () => ({
        edge_status_5xx: isEarlier(query) ? before : now,
        edge_requests_total: 100,
      })),
    );
    expect((await service.ask({ names: ['5xx'], every: '1m' })).headline).toBe(says);
  });

  test('does not save an answer that itself cannot be had', async () => {
    const service = await metricsFrom((query) => (isEarlier(query) ? [] : 400));
    await expect(service.ask({ names: ['5xx'], every: '1m' })).rejects.toThrow(ServiceError);
  });
});

describe('the hosts', () => {
  /** By host, the errors in a minute and the requests in it. */
  const hosts = { 'big.example': [20, 10_000], 'bad.example': [40, 500], 'tiny.example': [1, 2] } as const;
  type Host = keyof typeof hosts;
  const counted = (names: readonly Host[]) => ({
    edge_status_5xx: names.reduce((sum, name) => sum + hosts[name][0], 0),
    edge_requests_total: names.reduce((sum, name) => sum + hosts[name][1], 0),
  });
  const answering = (names: readonly Host[]) => (query: Query) =>
    query.group_by
      ? names.flatMap((name) => minutes(query, 60, () => ({ cname: name, ...counted([name]) })))
      : minutes(query, 60, () => counted(names));

  test('are compared by rate, not by count, and one of a few requests is not the worst', async () => {
    const service = await metricsFrom(answering(['big.example', 'bad.example', 'tiny.example']));
    const { headline } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe(
      '5xx now: 0.581 % of requests (61 errors in 1m), same as in the hour before the range. bad.example stands out: 8 %',
    );
  });

  test('have their rates next to the counts, worst first', async () => {
    const service = await metricsFrom(answering(['big.example', 'bad.example', 'tiny.example']));
    const { tables, headline } = await service.ask({ names: ['5xx'], by: ['cname'], every: '1m' });
    expect(headline).toContain('bad.example stands out: 8 %');
    expect(tables[1]).toMatchObject({
      columns: [{ label: 'cname' }, { label: '5xx' }, { label: '5xx, % of requests' }],
      rows: [
        ['bad.example', 2400, 8],
        ['big.example', 1200, 0.2],
        ['tiny.example', 60, 50],
      ],
    });
  });

  test('are compared in the interval that is reported, not over an hour in which all was well', async () => {
    const service = await metricsFrom((query) => {
      const host = (cname: string, late: number) =>
        minutes(query, 60, (minute) => ({
          ...(query.group_by && { cname }),
          edge_status_5xx: minute === 59 ? late : 1,
          edge_requests_total: 1000,
        }));
      return query.group_by ? [...host('bad.example', 500), ...host('good.example', 1)] : host('', 250);
    });
    const { headline } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toMatch(/^5xx now: 25 % of requests .*\. bad\.example stands out: 50 %$/u);
  });

  test('are not named if there is one', async () => {
    const service = await metricsFrom(answering(['big.example']));
    const { headline } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).not.toContain('big.example');
  });

  test('are omitted if they are not available, and a note says so', async () => {
    const service = await metricsFrom((query) =>
      query.group_by ? 400 : minutes(query, 60, () => counted(['big.example'])),
    );
    const { headline, notes } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe(
      '5xx now: 0.2 % of requests (20 errors in 1m), same as in the hour before the range',
    );
    expect(notes).toEqual([
      expect.stringMatching(/^Outliers among hosts could not be determined: no metrics today/u),
    ]);
  });
});
