import { describe, expect, it } from 'vitest';
import { metricNames, metricUnits } from '../../../../src/areas/cdn/client/metrics-names.ts';
import { openService, sharedService } from '../open-service.ts';
import { hour, metricsOf, path, sum } from './metrics-items.ts';

const { call } = sharedService();
const week = { from: '2026-11-10T00:00:00+0000', to: '2026-11-17T00:00:00+0000' };

const ask = metricsOf(call);

describe('metrics: the items', () => {
  it.each([
    ['PT1M', 60, 60],
    ['PT5M', 12, 300],
    ['PT25M', 3, 1500],
    ['PT1H', 1, 3600],
    ['PT45M', 2, 2700],
    ['P1D', 1, 86_400],

    [undefined, 60, 60],
  ])('at %s there is one for every interval, ascending', async (granularity, points, seconds) => {
    const items = await ask({ metrics: ['edge_status_2xx'], ...hour, granularity });
    const first = Date.parse(hour.from) / 1000;
    expect(items.map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: points }, (_, index) => first + index * seconds),
    );
  });

  it('at P1M there is one for every month of the calendar', async () => {
    const year = { from: '2026-01-01T00:00:00Z', to: '2026-05-15T00:00:00Z' };
    const items = await ask({ metrics: ['edge_status_2xx'], ...year, granularity: 'P1M' });
    const months = [0, 1, 2, 3, 4].map((month) => Date.UTC(2026, month) / 1000);
    expect(items.map(({ timestamp }) => timestamp)).toEqual(months);
    const days = await ask({ metrics: ['edge_status_2xx'], ...year, granularity: 'P1D' });
    expect(sum(items, 'edge_status_2xx')).toBe(sum(days, 'edge_status_2xx'));
  });

  it.each([
    ['2026-11-18T18:00:00Z', 'Z'],
    ['2026-11-18T20:00:00+0200', 'offset without colon'],
    ['2026-11-18T20:00:00+02:00', 'offset with colon'],
    ['2026-11-18T18:00:00.000Z', 'fraction'],
    ['2026-11-18T13:30:00.5-04:30', 'fraction and offset'],
  ])('from %s (%s) starts at that moment', async (from) => {
    const [first] = await ask({ metrics: ['edge_status_2xx'], from, to: '2026-11-18T19:00:00Z' });
    expect(first?.timestamp).toBe(Date.UTC(2026, 10, 18, 18) / 1000);
  });

  it('carry every known metric in its own form', async () => {
    const items = await ask({ metrics: metricNames, ...hour, granularity: 'PT20M' });
    expect(items).toHaveLength(3);
    const forms = Object.fromEntries(
      Object.entries(metricUnits).map(([name, unit]) => [
        name,
        unit === 'shares' ? '8 shares' : unit === 'requests' || unit === 'bytes' ? 'integer' : 'number',
      ]),
    );
    const formOf = (name: string, value: unknown): string => {
      if (typeof value !== 'number') return `${String(Object.keys(Object(value) as object).length)} shares`;
      return forms[name] === 'integer' && Number.isInteger(value) ? 'integer' : 'number';
    };
    for (const { timestamp: _start, ...values } of items) {
      const seen = Object.entries(values).map(([name, value]) => [name, formOf(name, value)] as const);
      expect(Object.fromEntries(seen)).toEqual(forms);
    }
  });

  it('carry the groups under their keys: a resource as an integer', async () => {
    const items = await ask({
      metrics: ['edge_status_2xx'],
      ...hour,
      granularity: 'PT30M',
      group_by: ['resource', 'cname'],
    });
    expect(items).toHaveLength(10);
    const times = items.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(
      items.every(({ resource, cname }) => Number.isInteger(resource) && typeof cname === 'string'),
    ).toBe(true);
    const resources = new Set(items.map(({ resource }) => resource));
    expect(resources.size).toBeGreaterThan(2);
  });

  it('group speeds by region and provider', async () => {
    const metrics = ['edge_download_speed', 'origin_download_speed'];
    const items = await ask({ metrics, ...hour, granularity: 'PT1H', group_by: ['region', 'isp'] });
    expect(new Set(items.map(({ region }) => region)).size).toBeGreaterThan(2);
    expect(new Set(items.map(({ isp }) => isp)).size).toBeGreaterThan(4);
  });
});

describe('metrics: the numbers', () => {
  it('are the same for the same question, in another service too', async () => {
    const query = {
      metrics: ['edge_status_2xx', 'edge_bandwidth', 'edge_hit_ratio'],
      ...week,
      granularity: 'PT1H',
      group_by: ['cname'],
    };
    const once = await ask(query);
    expect(await ask(query)).toEqual(once);
    const other = await openService({ clockSpeed: 3 });
    expect((await other.call('POST', path, { body: query })).body).toEqual({ data: once });
  });

  it('are 20 to 60 million 2xx a day for each site', async () => {
    for (const key of ['cname', 'resource']) {
      const items = await ask({ metrics: ['edge_status_2xx'], ...week, granularity: 'P1D', group_by: [key] });
      for (const item of items) {
        expect(item['edge_status_2xx']).toBeGreaterThan(20_000_000);
        expect(item['edge_status_2xx']).toBeLessThan(60_000_000);
      }
    }
  });

  it('follow the day: the evening has more than twice the traffic of the night', async () => {
    const items = await ask({ metrics: ['edge_status_2xx'], ...week, granularity: 'PT1H' });
    const counts = items.slice(0, 24).map((item) => Number(item['edge_status_2xx']));
    expect(Math.max(...counts)).toBeGreaterThan(2 * Math.min(...counts));
    expect(counts.indexOf(Math.max(...counts))).toBeGreaterThan(15);
  });

  it('have a spike of 5xx in the last hours', async () => {
    const last = { from: '2026-11-20T05:00:00Z', to: '2026-11-20T12:00:00Z' };
    const items = await ask({ metrics: ['edge_status_5xx'], ...last, granularity: 'PT10M' });
    const counts = items.map((item) => Number(item['edge_status_5xx'])).toSorted((one, other) => one - other);
    expect(counts.at(-1)).toBeGreaterThan(10 * (counts[Math.floor(counts.length / 2)] ?? 0));
  });

  it('are 0 for time that has not passed yet', async () => {
    const items = await ask({
      metrics: ['edge_status_2xx'],
      from: '2026-11-20T11:00:00Z',
      to: '2026-11-20T14:00:00Z',
      granularity: 'PT1H',
    });
    expect(items.map((item) => Number(item['edge_status_2xx']) > 0)).toEqual([true, false, false]);
  });

  it.each(['edge_status_2xx', 'edge_status_5xx', 'edge_requests_total', 'edge_hit_bytes'])(
    'of %s add up the same in every granularity',
    async (metric) => {
      const totals = [];
      for (const granularity of ['PT10M', 'PT1H', 'PT7H', 'P1D', 'P7D']) {
        totals.push(sum(await ask({ metrics: [metric], ...week, granularity }), metric));
      }
      expect(totals[0]).toBeGreaterThan(0);
      expect(new Set(totals).size).toBe(1);
    },
  );

  it.each(['edge_status_404', 'edge_status_5xx', 'origin_status_2xx'])(
    'of %s add up over groups',
    async (metric) => {
      const query = { metrics: [metric], ...week, granularity: 'P1D' };
      const whole = await ask(query);
      for (const keys of [['cname'], ['resource'], ['resource', 'cname']]) {
        const grouped = await ask({ ...query, group_by: keys });
        for (const { timestamp, [metric]: total } of whole) {
          const parts = grouped.filter((item) => item.timestamp === timestamp);
          expect(sum(parts, metric)).toBe(total);
        }
      }
    },
  );

  it('of the single statuses are within those of their class', async () => {
    const names = ['500', '501', '502', '503', '504', '505'].map((status) => `edge_status_${status}`);
    const [item] = await ask({ metrics: ['edge_status_5xx', ...names], ...week, granularity: 'P7D' });
    const singles = names.reduce((total, name) => total + Number(item?.[name]), 0);
    expect(singles).toBeGreaterThan(0);
    expect(singles).toBeLessThanOrEqual(Number(item?.['edge_status_5xx']));
  });

  it.each(['edge_download_speed', 'origin_download_speed'])('of %s add up to exactly 1', async (metric) => {
    const items = await ask({
      metrics: [metric],
      ...week,
      granularity: 'PT6H',
      group_by: ['region', 'cname'],
    });
    for (const item of items) {
      const shares = Object.values(Object(item[metric]) as Record<string, string>);
      const parts = shares.map((share) => Math.round(Number(share) * 10_000));
      expect(parts.reduce((total, part) => total + part, 0)).toBe(10_000);
      expect(shares.every((share) => /^[01]\.\d{4}$/.test(share))).toBe(true);
    }
  });
});
