import { describe, expect, test } from 'vitest';

import { ServiceError } from '../../../src/core/model/errors.ts';
import { renderReport } from '../../../src/slack/render/report/report.ts';
import { reportText } from '../report-text.ts';
import { isEarlier, metricsFrom, minutes, type Query } from './metrics-service.ts';

const options = { shareable: true, modern: true, now: 0, notices: [], words: '/cdn metrics 5xx' };

describe('what is sent', () => {
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
      from: '2026-11-20T00:00:00+0000',
      to: '2026-11-21T00:00:00+0000',
      granularity: 'PT1H',
      filter_by: [
        { field: 'resource', op: 'in', values: [7, 8] },
        { field: 'cname', op: 'not_in', values: ['a, b.example', 'c.example'] },
        { field: 'resource', op: 'gte', values: [5] },
      ],
    };
    const before = { ...asked, from: '2026-11-19T00:00:00+0000', to: '2026-11-20T00:00:00+0000' };
    expect(service.queries).toHaveLength(3);
    expect(service.queries).toEqual(
      expect.arrayContaining([asked, before, { ...asked, group_by: ['cname'] }]),
    );
  });

  test.each([
    ['Europe/Berlin', 'today', '2026-11-20T23:00:00+0000'],
    ['America/New_York', 'today', '2026-11-20T05:00:00+0000'],
    ['Asia/Kolkata', '2026-11-01 09:30', '2026-11-01T04:00:00+0000'],
    ['Asia/Kolkata', '2026-11-01 09:30Z', '2026-11-01T09:30:00+0000'],
    ['Asia/Kolkata', '2026-11-01T09:30-0800', '2026-11-01T17:30:00+0000'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00+0000'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00+0000'],
    ['No/Where', 'yesterday', '2026-11-20T00:00:00+0000'],
  ])('means, to somebody in %s, by %s the moment %s', async (zone, from, sent) => {
    const service = await metricsFrom(() => [], zone);
    const { notes } = await service.ask({ from, every: '1d' });
    expect(service.queries.map((query) => query.from)).toContain(sent);
    expect(notes.some((note) => note.includes('No/Where'))).toBe(zone === 'No/Where');
  });

  test('names times in the zone of whoever asks', async () => {
    const service = await metricsFrom(
      (query) => minutes(query, 60, (minute) => ({ edge_status_5xx: minute === 17 ? 9 : 1 })),
      'Asia/Kolkata',
    );
    const { headline, facts, charts } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toContain('peak 9 in 1m at 07:47 UTC+5:30');
    expect(facts[0]?.value).toBe('2026-11-21 07:30 UTC+5:30 to 2026-11-21 08:30 UTC+5:30 (1h)');
    expect(charts[0]?.labels.slice(0, 2)).toEqual(['07:30', '07:31']);
  });
});

describe('the range before', () => {
  const values = { edge_status_5xx: 3 };

  test.each([
    [400, /^No comparison with the range before: no metrics today\..*400/u],
    ['hang', /^No comparison with the range before: .*no answer/iu],
  ] as const)('is left out where it gives %s, and a note says so', async (given, note) => {
    const service = await metricsFrom((query) =>
      isEarlier(query) ? given : minutes(query, 60, () => values),
    );
    const { headline, notes } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe('5xx now: 0.05 requests/s (3 in 1m)');
    expect(notes).toEqual([expect.stringMatching(note)]);
  });

  test('is not asked for where this one is not over', async () => {
    const service = await metricsFrom((query) => minutes(query, 60, () => values));
    const { notes } = await service.ask({
      names: ['5xx'],
      from: '02:00',
      to: '2026-11-21T04:00Z',
      every: '1m',
    });
    expect(service.queries.filter(({ group_by }) => !group_by)).toHaveLength(1);
    expect(notes).toEqual([
      'No comparison with the range before: this one is not over.',
      'The range ends in the future: what has not happened counts as nothing.',
    ]);
  });

  test.each([
    [0, 0, '5xx now: none, none in the hour before either'],
    [0, 2, '5xx now: 2 % of requests (2 in 1m), none in the hour before'],
    [1, 2, '5xx now: 2 % of requests (2 in 1m), up from 1 % in the hour before'],
    [2, 1, '5xx now: 1 % of requests (1 in 1m), down from 2 % in the hour before'],
    [5, 5, '5xx now: 5 % of requests (5 in 1m), as in the hour before'],
    [2, 0, '5xx now: none, down from 2 % in the hour before'],
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
  /** So many errors a minute of how many requests. */
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
      '5xx now: 0.581 % of requests (61 in 1m), as in the hour before; bad.example stands out: 8 %',
    );
  });

  test('have their rates beside the counts, worst first', async () => {
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

  test('are compared in the interval that is told of, not over an hour in which all was well', async () => {
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
    expect(headline).toMatch(/^5xx now: 25 % of requests .*; bad\.example stands out: 50 %$/u);
  });

  test('are not named where there is one', async () => {
    const service = await metricsFrom(answering(['big.example']));
    const { headline } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).not.toContain('big.example');
  });

  test('are left out where they cannot be had, and a note says so', async () => {
    const service = await metricsFrom((query) =>
      query.group_by ? 400 : minutes(query, 60, () => counted(['big.example'])),
    );
    const { headline, notes } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe('5xx now: 0.2 % of requests (20 in 1m), as in the hour before');
    expect(notes).toEqual([expect.stringMatching(/^Which host stands out is not known: no metrics today/u)]);
  });
});

describe('what comes', () => {
  test('is shown even where Bellhop does not know the metric', async () => {
    const service = await metricsFrom((query) =>
      minutes(query, 60, (minute) => ({
        edge_status_5xx: 1,
        quic_share: minute / 100,
        tls_versions: { '1.2': '0.25', '1.3': '0.75' },
      })),
    );
    expect(reportText(await service.ask({ names: ['5xx'], every: '1m' }))).toMatchInlineSnapshot(`
      "# CDN metrics: 5xx
      5xx now: 0.0167 requests/s (1 in 1m), as in the hour before
      - Range: 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h)
      - Intervals: 60 of 1m
      [line chart: 5xx, requests, 60 points]
      [line chart: quic_share, , 60 points]
      [line chart: tls_versions, , 60 points]
      Totals for counts, averages for everything else:
        | Metric | In all | Rate | Change | Lowest | Highest | Highest at
        | edge_status_5xx | 60 | 0.0167 requests/s | ±0 % | 1 | 1 | 02:00 UTC
        | quic_share | 0.295 |  | ±0 % | 0 | 0.59 | 02:59 UTC
      tls_versions: its parts, averaged over time:
        | Part | Average | Change | Lowest | Highest
        | 1.2 | 0.25 | ±0 % | 0.25 | 0.25
        | 1.3 | 0.75 | ±0 % | 0.75 | 0.75
      (The service also sent “quic_share”, which Bellhop does not know: shown as it came.)
      (The service also sent “tls_versions”, which Bellhop does not know: shown as it came.)
      [cdn-metrics.csv: 60 rows of time,edge_status_5xx,quic_share,tls_versions 1.2,tls_versions 1.3]"
    `);
  });

  test('can be of any time', async () => {
    const service = await metricsFrom(() =>
      [1e15, -1e15, 0].map((timestamp) => ({ timestamp, edge_status_5xx: timestamp === 0 ? 1 : 9 })),
    );
    const { headline, charts, csv } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe(
      '5xx now: 0.0167 requests/s (1 in 1m), down from 0.158 requests/s in the hour before; peak 9 in 1m at -1000000000000000000',
    );
    expect(charts[0]?.labels).toEqual(['-1000000000000000000', '1 Jan 00:00', '1000000000000000000']);
    expect(csv?.rows.map(([time]) => time)).toEqual([
      '-1000000000000000',
      '1970-01-01T00:00:00Z',
      '1000000000000000',
    ]);
  });

  test('can be larger than numbers go', async () => {
    const service = await metricsFrom((query) =>
      minutes(query, 3, (minute) => ({
        cname: `c${minute}`,
        edge_status_5xx: 1.7e308,
        edge_status_2xx: 1.7e308,
        edge_hit_ratio: minute === 0 ? -1.7e308 : 1.7e308,
      })),
    );
    const said = reportText(await service.ask({ names: ['5xx', '2xx', 'hit_ratio'], by: ['cname'] }));
    expect(said).not.toMatch(/NaN|∞|Infinity/u);
    expect(said).toContain('edge_status_5xx | too large | too large | not comparable');
  });

  test('can be nothing', async () => {
    const service = await metricsFrom(() => []);
    expect(reportText(await service.ask({ names: ['5xx', 'speed'], by: ['cname'] }))).toMatchInlineSnapshot(`
      "# CDN metrics: 5xx, speed
      The service sent no values for this range.
      - Range: 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h)
      - Intervals: 12 of 5m
      - By: cname
      Totals for counts, averages for everything else:
        | Metric | In all | Rate | Change | Lowest | Highest | Highest at
        | edge_status_5xx | not sent |  |  |  |  | 
      [cdn-metrics.csv: 0 rows of time,cname,edge_status_5xx]"
    `);
  });

  test('can lack values, whole intervals and groups: nothing is made up', async () => {
    const service = await metricsFrom((query) =>
      query.group_by
        ? [
            ...minutes(query, 3, () => ({ cname: 'a', edge_status_5xx: 5 })),
            ...minutes(query, 1, () => ({ cname: null, edge_status_5xx: null })),
          ]
        : minutes(query, 4, (minute) => (minute === 1 ? {} : { edge_status_5xx: 5 })),
    );
    const report = await service.ask({ names: ['5xx', '2xx'], by: ['cname'], every: '1m' });
    expect(report.charts[0]?.series).toEqual([
      { name: 'a', values: [5, 5, 5, null] },
      { name: 'no cname', values: [null, null, null, null] },
    ]);
    expect(report.tables.map(({ rows }) => rows)).toEqual([
      [
        ['edge_status_5xx', '15', '0.0833 requests/s', '±0 %', '5', '5', '02:00 UTC'],
        ['edge_status_2xx', 'not sent', '', '', '', '', ''],
      ],
      [
        ['a', 15, 0.0833, '', ''],
        ['', '', '', '', ''],
      ],
    ]);
  });

  test('is averaged by time: a short last interval weighs less', async () => {
    const service = await metricsFrom((query) =>
      minutes(query, 61, (minute) => ({ edge_hit_ratio: minute / 60 })).filter(
        (_, minute) => minute % 60 === 0,
      ),
    );
    const { headline, notes } = await service.ask({ names: ['hit_ratio'], from: '01:30', every: '1h' });
    expect(headline).toBe(
      'hit_ratio now: 0 %, down from 33.3 % in the 1h 30m before; lowest 0 % at 01:30 UTC',
    );
    expect(notes).toEqual([
      'The last interval is shorter than the others: 30m.',
      'Speeds, ratios and rates are averaged over time, not by traffic.',
    ]);
  });

  test.each([
    [['5xx'], ['01:30']],
    [['hit_ratio'], ['01:30', '02:30']],
  ])('of %s, a short last interval is no fall of a count', async (names, labels) => {
    const service = await metricsFrom((query) =>
      minutes(query, 61, () => ({ edge_status_5xx: 60, edge_hit_ratio: 0.5 })).filter(
        (_, minute) => minute % 60 === 0,
      ),
    );
    const { charts, notes } = await service.ask({ names, from: '01:30', every: '1h' });
    const asked = charts.find(({ title }) => title === names.join());
    expect(asked?.labels).toEqual(labels);
    expect(notes.join()).toContain('The last interval is shorter than the others: 30m');
  });

  test('by the month is measured by the calendar', async () => {
    const from = [1, 2, 3].map((month) => Date.UTC(2026, month) / 1000);
    const service = await metricsFrom(() =>
      from.map((timestamp, index) => ({
        timestamp,
        edge_hit_ratio: index === 0 ? 1 : 0,
        edge_status_5xx: 2,
      })),
    );
    const report = await service.ask({
      names: ['5xx', 'hit_ratio'],
      from: '2026-02-01',
      to: '2026-05-01',
      every: 'P1M',
    });
    expect(service.queries[0]?.granularity).toBe('P1M');
    expect(report.facts[1]?.value).toBe('3 of 1 month');
    expect(report.charts[0]?.labels).toEqual(['1 Feb', '1 Mar', '1 Apr']);
    // February is 28 of the 89 days.
    expect(report.tables[0]?.rows[1]?.[1]).toBe('31.5 %');
  });

  test('is merged in Slack as its kind asks, and the message says so', async () => {
    const service = await metricsFrom((query) =>
      minutes(query, 60, () => ({ edge_status_5xx: 2, edge_hit_ratio: 0.5 })),
    );
    const message = JSON.stringify(
      renderReport(await service.ask({ names: ['5xx', 'hit_ratio'], every: '1m' }), options),
    );
    expect(message).toContain('stands for 3 values, added up');
    expect(message).toContain('"value":6}');
    expect(message).toContain('stands for 3 values, averaged');
    expect(message).toContain('"value":50}');
  });

  test.each(['valueOf', 'constructor', 'toString'])(
    'a metric named %s is one like any other',
    async (name) => {
      const service = await metricsFrom((query) =>
        minutes(query, 3, () => ({ edge_status_5xx: 1, [name]: 4 })),
      );
      const report = await service.ask({ names: ['5xx'], every: '1m' });
      expect(report.csv?.columns).toEqual(['time', 'edge_status_5xx', name]);
      expect(report.charts?.map(({ title, unit }) => [title, unit])).toContainEqual([name, '']);
    },
  );

  test('cannot wake anybody or break out of the message', async () => {
    const hostile = '<!channel> *a* `b` |c| ${1} "d"';
    const service = await metricsFrom((query) => [
      ...minutes(query, 3, () => ({ cname: 'b', edge_status_5xx: 0 })),
      ...minutes(query, 3, () => ({
        cname: hostile,
        edge_status_5xx: 1,
        [hostile]: 4,
        ['__proto__']: { x: '1' },
      })),
    ]);
    const report = await service.ask({ names: ['5xx'], by: ['cname'], every: '1m' });
    expect(report.tables[1]?.rows).toEqual([
      [hostile, 3, 0.0167, 4],
      ['b', 0, 0, ''],
    ]);
    expect(report.headline).toContain(`most for ${hostile}`);
    expect(report.csv?.columns).toEqual(['time', 'cname', 'edge_status_5xx', hostile]);
    expect(textOutside(renderReport(report, options))).toContain('&lt;!channel&gt;');
    for (const modern of [true, false])
      for (const page of [0, 1, 2])
        expect(textOutside(renderReport(report, { ...options, modern, page }))).not.toContain('<!channel>');
  });
});

/** The text of a message less what Slack shows as it is: raw cells of tables, names in charts, plain text. */
const textOutside = (message: object): string =>
  JSON.stringify(message, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value && isRaw(String(value.type))
      ? null
      : value,
  );

const isRaw = (type: string): boolean =>
  ['data_table', 'data_visualization', 'plain_text', 'rich_text'].includes(type);
