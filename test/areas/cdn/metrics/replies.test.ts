import { describe, expect, test } from 'vitest';

import { renderReport } from '../../../../src/slack/render/report.ts';
import { reportText } from '../../../operations/report-text.ts';
import { metricsFrom, minutes } from './metrics-service.ts';

const options = { shareable: true, modern: true, now: 0, disclaimers: [], words: '/cdn metrics 5xx' };

describe('the service’s answer', () => {
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
      5xx now: 0.0167 requests/s (1 in 1m), same as in the hour before the range
      - Range: 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h)
      - Intervals: 60 × 1m
      [line chart: 5xx, requests, 60 points]
      [line chart: quic_share, , 60 points]
      [line chart: tls_versions, , 60 points]
      Counts are totals, and other metrics are averages:
        | Metric | Total / average | Rate | Change of total / average | Lowest | Highest | Highest at
        | 5xx | 60 | 0.0167 requests/s | ±0 % | 1 | 1 | 02:00 UTC
        | quic_share | 0.295 |  | ±0 % | 0 | 0.59 | 02:59 UTC
      tls_versions by part, average over time:
        | Part | Average | Change | Lowest | Highest
        | 1.2 | 0.25 | ±0 % | 0.25 | 0.25
        | 1.3 | 0.75 | ±0 % | 0.75 | 0.75
      (The service also sent “quic_share”, which Bellhop does not know. It is shown unchanged.)
      (The service also sent “tls_versions”, which Bellhop does not know. It is shown unchanged.)
      [cdn-metrics.csv: 60 rows of time,edge_status_5xx,quic_share,tls_versions 1.2,tls_versions 1.3]"
    `);
  });

  test('can be of any time', async () => {
    const service = await metricsFrom(() =>
      [1e15, -1e15, 0].map((timestamp) => ({ timestamp, edge_status_5xx: timestamp === 0 ? 1 : 9 })),
    );
    const { headline, charts, notes, csv } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(headline).toBe('The service sent no values for this range.');
    expect(notes).toEqual(['The service also sent 3 rows outside the range, which do not count.']);
    expect([charts, csv?.rows]).toEqual([[], []]);
  });

  test('can end after the range', async () => {
    const service = await metricsFrom((query) => [
      ...minutes(query, 2, () => ({ edge_status_5xx: 1 })),
      { timestamp: Date.parse(query.to) / 1000, edge_status_5xx: 9 },
    ]);
    const { tables, notes } = await service.ask({ names: ['5xx'], every: '1m' });
    expect(tables?.[0]?.rows[0]?.slice(0, 2)).toEqual(['5xx', '2']);
    expect(notes).toEqual(['The service also sent 1 row outside the range, which does not count.']);
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
    expect(said).toContain('5xx | too large | too large | not comparable');
  });

  test('can be nothing', async () => {
    const service = await metricsFrom(() => []);
    expect(reportText(await service.ask({ names: ['5xx', 'speed'], by: ['cname'] }))).toMatchInlineSnapshot(`
      "# CDN metrics: 5xx, speed
      The service sent no values for this range.
      - Range: 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h)
      - Intervals: 12 × 5m
      - By: cname
      Counts are totals, and other metrics are averages:
        | Metric | Total / average | Rate | Change of total / average | Lowest | Highest | Highest at
        | 5xx | not sent |  |  |  |  | 
      [cdn-metrics.csv: 0 rows of time,cname,edge_status_5xx]"
    `);
  });

  test('can lack values, whole intervals and groups: a count is zero only in an interval that came', async () => {
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
      { name: 'no cname', values: [0, null, null, null] },
    ]);
    expect(report.tables.map(({ rows }) => rows)).toEqual([
      [
        ['5xx', '15', '0.0625 requests/s', '±0 %', '0', '5', '02:00 UTC'],
        ['2xx', 'not sent', '', '', '', '', ''],
      ],
      [
        ['a', 15, 0.0625, '', ''],
        ['', 0, 0, '', ''],
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
      'hit_ratio now: 0 %, down from 33.3 % in the 1h 30m before the range. Lowest 0 % at 01:30 UTC',
    );
    expect(notes).toEqual([
      'The last interval is only 30m long.',
      'Speeds, ratios and rates are averages over time, not weighted by traffic.',
    ]);
  });

  test.each([
    [['5xx'], ['01:30']],
    [['hit_ratio'], ['01:30', '02:30']],
  ])('of %s, a short last interval does not count as a drop', async (names, labels) => {
    const service = await metricsFrom((query) =>
      minutes(query, 61, () => ({ edge_status_5xx: 60, edge_hit_ratio: 0.5 })).filter(
        (_, minute) => minute % 60 === 0,
      ),
    );
    const { charts, notes } = await service.ask({ names, from: '01:30', every: '1h' });
    const asked = charts.find(({ title }) => title === names.join());
    expect(asked?.labels).toEqual(labels);
    expect(notes.join()).toContain('The last interval is only 30m');
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
    expect(report.facts[1]?.value).toBe('3 × 1 month');
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
    expect(message).toContain('3 values, added up.');
    expect(message).toContain('"value":6}');
    expect(message).toContain('3 values, averaged.');
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

  test('cannot wake anyone or break out of the message', async () => {
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
    expect(report.headline).toContain(`Most: ${hostile}`);
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
