import { describe, expect, it } from 'vitest';
import { filterOperators } from '../../../../src/areas/cdn/client/metrics-names.ts';
import { sharedService } from '../open-service.ts';
import { hour, metricsOf, path, sum } from './metrics-items.ts';

const { call } = sharedService();

const ask = metricsOf(call);

const totalOf = async (...filters: { field: string; op: string; values: unknown[] }[]) => {
  const query = { metrics: ['edge_status_2xx'], ...hour, granularity: 'PT1H', filter_by: filters };
  return sum(await ask(query), 'edge_status_2xx');
};
const cname = (op: string, ...values: unknown[]) => ({ field: 'cname', op, values });
const resource = (op: string, ...values: unknown[]) => ({ field: 'resource', op, values });

describe('metrics: filters', () => {
  it.each([
    ['in', 'not_in', resource('in', 1001, 1002), resource('not_in', 1001, 1002)],
    ['eq', 'ne', cname('eq', 'api.shop.example'), cname('ne', 'api.shop.example')],
    ['gt', 'lte', resource('gt', 1002), resource('lte', 1002)],
    ['gte', 'lt', resource('gte', 1002), resource('lt', 1002)],
    ['like', 'not_like', cname('like', 'shop'), cname('not_like', 'shop')],
  ])('%s and %s share the whole between them', async (_one, _other, some, rest) => {
    const [part, remainder, whole] = [await totalOf(some), await totalOf(rest), await totalOf()];
    expect(part).toBeGreaterThan(0);
    expect(remainder).toBeGreaterThan(0);
    expect(part + remainder).toBe(whole);
  });

  it.each([
    ['region', 'eq', 'Latin America'],
    ['isp', 'like', 'Orange'],
  ])('by %s %s decide whose speeds are counted', async (field, op, value) => {
    const query = { metrics: ['edge_download_speed'], ...hour, granularity: 'PT1H' };
    const filtered = await ask({ ...query, filter_by: [{ field, op, values: [value] }] });
    const whole = await ask(query);
    expect(filtered).toHaveLength(whole.length);
    expect(filtered).not.toEqual(whole);
  });

  it('is a substring for like, whole values for eq', async () => {
    expect(await totalOf(cname('like', 'hop.exam'))).toBeGreaterThan(0);
    expect(await totalOf(cname('eq', 'shop.example'))).toBe(0);
  });

  it('all hold at once', async () => {
    const both = await totalOf(resource('eq', 1001), cname('like', 'static'));
    expect(both).toBe(await totalOf(cname('eq', 'static.shop.example')));
  });

  it('that match nothing: every interval, empty', async () => {
    const items = await ask({ metrics: ['edge_status_2xx'], ...hour, filter_by: [resource('eq', 5)] });
    expect([items.length, sum(items, 'edge_status_2xx')]).toEqual([60, 0]);
  });

  it('with every operator', async () => {
    for (const op of filterOperators) expect(await totalOf(resource(op, 1002))).toBeGreaterThanOrEqual(0);
  });
});

describe('metrics: refused queries', () => {
  const good = { metrics: ['edge_status_2xx'], ...hour };
  const speed = { metrics: ['edge_download_speed'], ...hour, granularity: 'PT1H' };
  const filter = { field: 'cname', op: 'eq', values: ['x'] };
  const range = (from: string, to: string) => ({ ...good, from, to });

  it.each([
    ['metrics', {}],
    ['metrics', { ...good, metrics: [] }],
    ['metrics', { ...good, metrics: 'edge_status_2xx' }],
    ['metrics[0]', { ...good, metrics: ['edge_status_999'] }],
    ['from', { ...good, from: undefined }],
    ['from', range('2026-11-18', hour.to)],
    ['from', range('2026-11-18T17:00:00', hour.to)],
    ['from', range('yesterday', hour.to)],
    ['from', range('2026-02-30T00:00:00Z', hour.to)],
    ['from', range('2026-11-18T25:00:00Z', hour.to)],
    ['from', { ...good, from: 1_795_000_000 }],
    ['from', range(hour.to, hour.from)],
    ['from', range(hour.from, hour.from)],
    ['to', range(hour.from, '2026-11-18T18:00:00+99:00')],
    ['granularity', { ...good, granularity: 'PT60S' }],
    ['granularity', { ...good, granularity: 'P1W' }],
    ['granularity', { ...good, granularity: 'P0M' }],
    ['granularity', { ...good, granularity: 'PT0M' }],
    ['granularity', { ...good, granularity: 'hour' }],
    ['granularity', { ...good, granularity: 'P' }],
    ['granularity', range('2026-11-17T00:00:00Z', '2026-11-18T00:00:01Z')],
    ['granularity', { ...speed, granularity: 'PT1M' }],
    ['granularity', { ...speed, granularity: 'PT7M' }],
    ['granularity', { ...speed, granularity: undefined }],
    ['granularity', { ...speed, from: '2026-11-17T00:00:00Z', granularity: 'PT30M' }],
    ['granularity', { ...good, metrics: [...good.metrics, ...speed.metrics], granularity: 'PT1M' }],
    ['filter_by[0].field', { ...good, filter_by: [{ ...filter, field: 'region' }] }],
    [
      'filter_by[0].field',
      {
        ...good,
        metrics: [...good.metrics, ...speed.metrics],
        granularity: 'PT1H',
        filter_by: [{ ...filter, field: 'isp' }],
      },
    ],
    ['group_by[0]', { ...good, group_by: ['colour'] }],
    ['group_by[0]', { ...good, group_by: ['region'] }],
    [
      'group_by[1]',
      {
        ...good,
        metrics: [...good.metrics, ...speed.metrics],
        granularity: 'PT1H',
        group_by: ['cname', 'isp'],
      },
    ],
    ['filter_by[0].op', { ...good, filter_by: [{ ...filter, op: 'is' }] }],
    ['filter_by[0].field', { ...good, filter_by: [{ ...filter, field: 'colour' }] }],
    ['filter_by[1].values', { ...good, filter_by: [filter, { ...filter, values: [] }] }],
    ['filter_by[0].values', { ...good, filter_by: [{ field: 'cname', op: 'eq' }] }],
    ['groupby', { ...good, groupby: ['cname'] }],
  ])('%s: 400 that names it', async (field, body) => {
    const answer = await call('POST', path, { body });
    expect(answer.status).toBe(400);
    const { message, ...rest } = answer.body as { message: string };
    expect(rest).toEqual({ status: 400 });
    expect(message.split('; ').map((each) => each.split(':')[0])).toContain(field);
  });

  it('at most 1440 points are accepted, or 72 with speeds', async () => {
    const day = range('2026-11-17T00:00:00Z', '2026-11-18T00:00:00Z');
    expect(await ask(day)).toHaveLength(1440);
    const sixHours = range('2026-11-17T00:00:00Z', '2026-11-17T06:00:00Z');
    expect(await ask({ ...sixHours, metrics: speed.metrics, granularity: 'PT5M' })).toHaveLength(72);
  });
});
