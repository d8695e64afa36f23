import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { shortMetric } from '../../../../src/areas/cdn/metrics/metric.ts';
import { fitChart } from '../../../../src/slack/render/chart.ts';
import { renderReport } from '../../../../src/slack/render/report.ts';
import { beyondLimits } from '../../../slack/within-limits.ts';
import { readDuration } from '../../../../src/text/words.ts';
import { cellWords, reportText } from '../../../operations/report-text.ts';
import { setStage, type ServiceStage } from '../../../operations/stage.ts';

let stage: ServiceStage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.sent());

const sum = (cells: readonly unknown[]) => cells.reduce<number>((total, cell) => total + Number(cell), 0);

describe('an answer', () => {
  test('says what matters in one line, then draws, then counts', async () => {
    expect(reportText(await stage.report('/cdn metrics'))).toMatchInlineSnapshot(`
      "# CDN metrics: 2xx, 3xx, 4xx, 5xx
      5xx now: 0.0521 % of requests (186 errors in 3m), down from 0.0528 % in the hour before the range. Peak 222 in 3m at 02:00 UTC. Highest: img.shop.example, 0.065 %
      - Range: 2026-11-21 02:00 UTC to 2026-11-21 03:00 UTC (1h)
      - Intervals: 20 × 3m
      [line chart: 5xx, requests, 20 points]
      [line chart: 4xx, requests, 20 points]
      [line chart: 2xx, 3xx, requests, 20 points]
      Counts are totals, error rates are shares of requests, and other metrics are averages:
        | Metric | Total / average | Rate | Change of total / average | Lowest | Highest | Highest at
        | 5xx | 3,958 | 0.0521 % | −13.3 % | 173 | 222 | 02:00 UTC
        | 4xx | 115,454 | 1.52 % | −12.1 % | 5,426 | 6,251 | 02:00 UTC
        | 2xx | 6,792,800 | 1,890 requests/s | −12 % | 318,351 | 367,903 | 02:00 UTC
        | 3xx | 686,060 | 191 requests/s | −12 % | 32,170 | 37,165 | 02:00 UTC
      [cdn-metrics.csv: 20 rows of time,edge_status_5xx,edge_status_4xx,edge_status_2xx,edge_status_3xx]"
    `);
  });

  test('of one metric says how it changed and when it was worst', async () => {
    expect(reportText(await stage.report('/cdn metrics 5xx --last 12h'))).toMatchInlineSnapshot(`
      "# CDN metrics: 5xx
      5xx now: 0.0521 % of requests (3,958 errors in 1h), down from 0.423 % in the 12h before the range. Peak 138,003 in 1h at 20 Nov 20:00 UTC. Highest: static.shop.example, 0.0536 %
      - Range: 2026-11-20 15:00 UTC to 2026-11-21 03:00 UTC (12h)
      - Intervals: 12 × 1h
      [line chart: 5xx, requests, 12 points]
      Counts are totals, error rates are shares of requests, and other metrics are averages:
        | Metric | Total / average | Rate | Change of total / average | Lowest | Highest | Highest at
        | 5xx | 198,355 | 0.155 % | −33.8 % | 3,958 | 138,003 | 20 Nov 20:00 UTC
      [cdn-metrics.csv: 12 rows of time,edge_status_5xx]"
    `);
  });

  test('by group says where most of it is', async () => {
    const line =
      '/cdn metrics edge_status_2xx edge_status_5xx --from 2026-11-01 --to 2026-11-07 --every 1d --by cname';
    expect(reportText(await stage.report(line))).toMatchInlineSnapshot(`
      "# CDN metrics: 2xx, 5xx
      5xx: 0.32 % of requests (3,766,241 errors), same as in the 6d before the range. Peak 635,445 in 1d on 1 Nov UTC. Highest: api.shop.example, 0.55 %
      - Range: 2026-11-01 00:00 UTC to 2026-11-07 00:00 UTC (6d)
      - Intervals: 6 × 1d
      - By: cname
      [line chart: 5xx, requests, 6 points]
      [line chart: 2xx, requests, 6 points]
      Counts are totals, error rates are shares of requests, and other metrics are averages:
        | Metric | Total / average | Rate | Change of total / average | Lowest | Highest | Highest at
        | 5xx | 3,766,241 | 0.32 % | ±0 % | 621,872 | 635,445 | 1 Nov UTC
        | 2xx | 1,050,129,047 | 2,030 requests/s | +0.3 % | 165,052,265 | 188,179,433 | 1 Nov UTC
      By cname: 5 groups:
        | cname | 5xx | 5xx, % of requests | 2xx | 2xx, requests/s
        | api.shop.example | 1877808 | 0.55 | 303425671 | 585
        | www.shop.example | 540198 | 0.352 | 136827927 | 264
        | video.media.example | 521430 | 0.252 | 184439005 | 356
        | img.shop.example | 593412 | 0.202 | 261813765 | 505
        | static.shop.example | 233393 | 0.127 | 163622679 | 316
      [cdn-metrics.csv: 30 rows of time,cname,edge_status_5xx,edge_status_2xx]"
    `);
  });

  test('about speed shows shares of buckets, by region too', async () => {
    const line = '/cdn metrics speed --from yesterday --to today --by region';
    expect(reportText(await stage.report(line))).toMatchInlineSnapshot(`
      "# CDN metrics: speed
      speed: 12.6 % of downloads in the speed buckets below 1M on average, same as in the day before the range. Worst 14.5 % at 18:00 UTC. Worst: Latin America, 24.2 %
      - Range: 2026-11-20 00:00 UTC to 2026-11-21 00:00 UTC (1d)
      - Intervals: 12 × 2h
      - By: region
      [line chart: speed: downloads in the speed buckets below 1M, %, 12 points]
      speed by bucket (KB/s), average over time:
        | Speed | Average | Change | Lowest | Highest
        | 0_250k | 0.945 % | ±0 points | 0.68 % | 1.14 %
        | 250k_500k | 1.91 % | ±0 points | 1.42 % | 2.26 %
        | 500k_750k | 4.92 % | ±0 points | 3.85 % | 5.7 %
        | 750k_1M | 4.86 % | ±0 points | 4.11 % | 5.4 %
        | 1M_2M | 12.8 % | ±0 points | 11.6 % | 13.6 %
        … 8 rows
      By region: 5 groups, speed in % per bucket (KB/s):
        | region | 0_250k | 250k_500k | 500k_750k | 750k_1M | 1M_2M | 2M_3M | 3M_4M | 4M+
        | Latin America | 0.948 | 1.91 | 16.4 | 4.88 | 12.9 | 18 | 22.3 | 22.7
        | Asia Pacific | 0.948 | 1.91 | 8.66 | 4.87 | 12.8 | 17.9 | 22.2 | 30.7
        | Eastern Europe | 0.948 | 1.91 | 6.73 | 4.86 | 12.8 | 17.9 | 22.1 | 32.7
        | North America | 0.947 | 1.91 | 2.88 | 4.86 | 12.8 | 17.9 | 22.1 | 36.7
        | Western Europe | 0.947 | 1.91 | 2.88 | 4.86 | 12.8 | 17.9 | 22.1 | 36.7
      (Speeds, ratios and rates are averages over time, not weighted by traffic.)
      [cdn-metrics.csv: 60 rows of time,region,edge_download_speed 0_250k,edge_download_speed 250k_500k,edge_download_speed 500k_750k,edge_download_speed 750k_1M,edge_download_speed 1M_2M,edge_download_speed 2M_3M,edge_download_speed 3M_4M,edge_download_speed 4M+]"
    `);
  });

  test.each(['1m', '15m', '1h', '2h', '6h', '1d', '2d', '7d', '30d', '90d', '365d', '3660d'])(
    'about speed over %s has intervals that the service takes',
    async (last) => {
      const { facts } = await stage.report(`/cdn metrics speed origin_speed 5xx --last ${last}`);
      const [, count, length] = /^(\d+) × (\S+)$/u.exec(facts[1]?.value ?? '') ?? [];
      expect(Number(count)).toBeGreaterThan(0);
      expect(Number(count)).toBeLessThanOrEqual(72);
      expect((readDuration(length ?? '') ?? 1) % 300_000).toBe(0);
    },
  );

  test('about speed names the buckets and their unit as the service does', async () => {
    for (const typed of ['speed', 'speed origin_speed --last 1d', 'speed --by region']) {
      const report = await stage.report(`/cdn metrics ${typed}`);
      const said = JSON.stringify({ ...report, csv: undefined });
      expect(said).toContain('KB/s');
      expect(said).not.toMatch(/bit\/s/u);
    }
    const { charts } = await stage.report('/cdn metrics speed');
    expect(charts[0]?.series.map(({ name }) => name)).toEqual(['0_500k', '500k_1M', '1M_2M', '2M_4M', '4M+']);
  });

  test('has the same unit in the line, the chart and the tables', async () => {
    const { headline, charts, tables } = await stage.report(
      '/cdn metrics origin_bandwidth bandwidth --last 6h --by cname',
    );
    expect(headline).toContain(' Gbit/s');
    expect(charts.map(({ unit }) => unit)).toEqual(['Gbit/s', 'Gbit/s']);
    expect(tables[0]?.rows.map((row) => row.slice(1, 6).map(cellWords).join())).toEqual([
      expect.stringMatching(/ Gbit\/s,.* Gbit\/s,.* Gbit\/s$/u),
      expect.stringMatching(/ Gbit\/s,.* Gbit\/s,.* Gbit\/s$/u),
    ]);
    expect(tables[1]?.columns.map(({ label }) => label)).toEqual([
      'cname',
      'origin_bandwidth, Gbit/s',
      'bandwidth, Gbit/s',
    ]);
  });

  test('about traffic has its units', async () => {
    const line = '/cdn metrics bandwidth requests hit_ratio hit_bytes origin_bandwidth --last 2d';
    expect(reportText(await stage.report(line))).toMatchInlineSnapshot(`
      "# CDN metrics: bandwidth, requests, hit_ratio, hit_bytes, origin_bandwidth
      bandwidth in the last 3h: 3.2 Gbit/s, up from 2.41 Gbit/s in the 2d before the range. Peak 3.9 Gbit/s at 20 Nov 21:00 UTC
      - Range: 2026-11-19 03:00 UTC to 2026-11-21 03:00 UTC (2d)
      - Intervals: 16 × 3h
      [line chart: bandwidth, origin_bandwidth, Gbit/s, 16 points]
      [line chart: requests, requests/s, 16 points]
      [line chart: hit_ratio, %, 16 points]
      [line chart: hit_bytes, TB, 16 points]
      Counts are totals, and other metrics are averages:
        | Metric | Total / average | Rate | Change of total / average | Lowest | Highest | Highest at
        | bandwidth | 2.47 Gbit/s |  | +2.5 % | 1.43 Gbit/s | 3.9 Gbit/s | 20 Nov 21:00 UTC
        | requests | 2,240 requests/s |  | +2.9 % | 1,320 requests/s | 3,410 requests/s | 20 Nov 18:00 UTC
        | hit_ratio | 92.7 % |  | ±0 points | 92.6 % | 92.8 % | 20 Nov 00:00 UTC
        | hit_bytes | 49.4 TB | 2.29 Gbit/s | +2.5 % | 1.79 TB | 4.89 TB | 20 Nov 21:00 UTC
        | origin_bandwidth | 0.18 Gbit/s |  | +2.6 % | 0.105 Gbit/s | 0.283 Gbit/s | 20 Nov 21:00 UTC
      (Speeds, ratios and rates are averages over time, not weighted by traffic.)
      [cdn-metrics.csv: 16 rows of time,edge_bandwidth,edge_requests,edge_hit_ratio,edge_hit_bytes,origin_bandwidth]"
    `);
  });

  test('about a resource without any requests says to check its spelling', async () => {
    const { notes } = await stage.report('/cdn metrics 5xx --resource 123 --last 1h');
    expect(notes).toContain('The service counted nothing for resource eq 123. Check the spelling.');
    const found = await stage.report('/cdn metrics 5xx --last 1h');
    expect(found.notes.join()).not.toContain('counted nothing');
  });

  test('adds up alike in total, by group and in the CSV of all points', async () => {
    const { csv, tables } = await stage.report('/cdn metrics 5xx --last 6h --by cname,resource');
    const [whole, groups] = tables;
    const total = Number(cellWords(whole?.rows[0]?.[1]).replaceAll(',', ''));
    expect(sum(groups?.rows.map((row) => row[2]) ?? [])).toBe(total);
    expect(csv?.columns).toEqual(['time', 'cname', 'resource', 'edge_status_5xx']);
    expect(sum(csv?.rows.map((row) => row[3]) ?? [])).toBe(total);
    expect(total).toBeGreaterThan(1000);
  });

  test('asks for the range, the range before it, and by group or, of errors, by host', async () => {
    await stage.report('/cdn metrics 2xx');
    expect(await stage.sent()).toBe(2);
    await stage.report('/cdn metrics 5xx');
    expect(await stage.sent()).toBe(3);
    await stage.report('/cdn metrics 5xx --by cname');
    expect(await stage.sent()).toBe(3);
  });

  test.each(['5xx', '2xx bandwidth hit_bytes hit_ratio', 'bandwidth --last 7d', '4xx --from 01:07'])(
    'about %s has the numbers of the table in the chart that Slack draws',
    async (typed) => {
      const { charts, tables } = await stage.report(`/cdn metrics ${typed}`);
      for (const [name, , , , lowest, highest] of tables[0]?.rows ?? []) {
        const chart = charts.find(({ title }) => title.split(', ').includes(shortMetric(cellWords(name))));
        const { series = [], notes } = (chart && fitChart(chart)) ?? {};
        const values = series[0]?.values ?? [];
        const drawn = [Math.min(...values), Math.max(...values)].map((value) =>
          [value.toLocaleString('en-US', { maximumFractionDigits: 20 }), chart?.unit]
            .filter((word) => word !== 'requests')
            .join(' '),
        );
        expect([lowest, highest]).toEqual(drawn);
        expect(notes).toEqual([]);
      }
    },
  );

  test('draws the previous range next to it', async () => {
    const [chart] = (await stage.report('/cdn metrics 5xx')).charts;
    const before = await stage.report('/cdn metrics 5xx --from 01:00 --to 02:00');
    expect(chart?.series.map(({ name, earlier = false }) => [name, earlier])).toEqual([
      ['5xx', false],
      ['5xx', true],
    ]);
    expect(chart?.series[1]?.values).toEqual(before.charts[0]?.series[0]?.values);
  });

  test('fits into Slack, with every metric, every group and either kind of blocks', async () => {
    const answer = await stage.report(
      '/cdn metrics 5xx 503 2xx 304 requests requests-total bandwidth hit-ratio hit-bytes speed origin-speed --last 1d --by cname,resource',
    );
    for (const modern of [true, false]) {
      const options = { shareable: true, modern, now: 0, disclaimers: [], words: '/cdn metrics 5xx' };
      const pages = Array.from({ length: 30 }, (_, page) => renderReport(answer, { ...options, page }));
      expect(pages.flatMap((page) => beyondLimits(page))).toEqual([]);
      expect(JSON.stringify(pages)).toContain('Full CSV');
    }
  });
});
