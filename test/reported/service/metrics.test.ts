import { describe, expect, it } from 'vitest';

import { openStage } from '../../operations/stage.ts';
import { inputOf, serve } from './service-input.ts';
import { metricsFrom } from '../../areas/cdn/metrics/metrics-service.ts';

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
      /^5xx at 20 Nov 20:00 UTC: 50 % of requests \(5,000 errors in 1h\).*No data since 20 Nov 21:00 UTC, 6h ago/u,
    ],
    [
      'metrics-late-nulls',
      '/cdn metrics 5xx --last 24h --every 1h',
      /^5xx at 20 Nov 20:00 UTC: 50 % of requests \(5,000 errors in 1h\).*No data since 20 Nov 21:00 UTC, 6h ago/u,
    ],
    ['metrics-one-late', '/cdn metrics 5xx --last 24h --every 1h', /^5xx now: 1 % of requests(?!.*No data)/u],
    ['metrics-null-counts', '/cdn metrics 5xx', /^5xx now: none(?!.*No data)/u],
    ['metrics-no-errors', '/cdn metrics 5xx', /^5xx now: none(?!.*No data)/u],
    ['metrics-null-counts', '/cdn metrics 5xx --from 02:00 --to 03:00 --every 3m', /^5xx now: none/u],
    [
      'metrics-row-at-to',
      '/cdn metrics 5xx --every 20m',
      /^5xx now: 1 % of requests \(10 errors in 20m\).*The service also sent 2 rows outside the range/u,
    ],
  ])('%s: %s', async (file, line, expected) => {
    expect(await headlineOf(file, line)).toMatch(expected);
  });

  it.each(['metrics-null-counts', 'metrics-absent-counts', 'metrics-text-counts'])(
    'count 100 errors in 20,000 requests as 0.5 %%: %s',
    async (file) => {
      const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
      const { tables } = await stage.report('/cdn metrics 5xx');
      expect(tables?.[0]?.rows[0]).toEqual(['5xx', '100', '0.5 %', '', '0', '100', '02:21 UTC']);
    },
  );

  it('count a row outside the range nowhere', async () => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf('metrics-row-at-to'))).url });
    const { tables, csv } = await stage.report('/cdn metrics 5xx --every 20m');
    expect(tables?.[0]?.rows[0]?.[1]).toBe('30');
    expect(csv?.rows).toHaveLength(3);
  });
});

describe('/cdn capacity of countries, some without a code', () => {
  it.each([
    ['Kosovo', '40 Gbit/s in 1 country'],
    ['"other countries"', '900 Gbit/s in 1 country'],
    ['DE kosovo', '14,240 Gbit/s in 2 countries'],
    ['germany de', '14,200 Gbit/s in 1 country'],
  ])('adds up the requested ones: %s', async (typed, headline) => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf('capacity-no-codes'))).url });
    expect((await stage.report(`/cdn capacity ${typed}`)).headline).toBe(headline);
  });
});

/** The local times of a week by days: of the Gcore CDN API, which counts 24 hours from the start. */
const daysOf = async (from: string, to: string, zone: string) => {
  const cdn = await metricsFrom(({ from: start, to: end }) => {
    const first = Date.parse(start) / 1000;
    const count = Math.ceil((Date.parse(end) / 1000 - first) / 86_400);
    return Array.from({ length: count }, (_, day) => ({
      timestamp: first + day * 86_400,
      edge_requests_total: 10,
    }));
  }, zone);
  const { charts } = await cdn.ask({ names: ['edge_requests_total'], from, to, every: '1d' });
  return charts?.[0]?.labels;
};

describe('days of metrics', () => {
  it.each([
    ['2026-10-23', '2026-10-28', 'Europe/Berlin', ['23 Oct', '24 Oct', '25 Oct', '26 Oct', '27 Oct']],
    ['2026-03-27', '2026-04-01', 'Europe/Berlin', ['27 Mar', '28 Mar', '29 Mar', '30 Mar']],
    ['2026-10-30', '2026-11-04', 'America/New_York', ['30 Oct', '31 Oct', '1 Nov', '2 Nov', '3 Nov']],
    ['2026-04-03', '2026-04-07', 'Australia/Lord_Howe', ['3 Apr', '4 Apr', '5 Apr', '6 Apr']],
    ['2026-06-01', '2026-06-04', 'Asia/Tokyo', ['1 Jun', '2 Jun', '3 Jun']],
  ])('from %s to %s in %s are those of the calendar', async (from, to, zone, labels) => {
    expect(await daysOf(from, to, zone)).toEqual(labels);
  });
});
