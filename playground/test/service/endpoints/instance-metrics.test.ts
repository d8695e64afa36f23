import { describe, expect, it } from 'vitest';
import { instanceMetrics } from '../../../../src/service/schemas/instance-metrics.ts';
import { openService, sharedService, web1 } from '../open-service.ts';

const lastHour = { time_interval: 1, time_unit: 'hour' };
const path = `${web1}/metrics`;

describe('the measurements of an instance', () => {
  it.each([
    [{ time_interval: 1, time_unit: 'hour' }, 60, '2026-11-20T11:01:00Z'],
    [{ time_interval: 24, time_unit: 'hour' }, 288, '2026-11-19T12:05:00Z'],
    [{ time_interval: 30, time_unit: 'day' }, 720, '2026-10-21T13:00:00Z'],
  ])('of %o are %d, up to now', async (body, count, first) => {
    const { call } = await openService();
    const { results, ...rest } = instanceMetrics.parse((await call('POST', path, { body })).body);
    expect(rest.count).toBe(count);
    expect(results).toHaveLength(count);
    expect([results[0]?.time, results.at(-1)?.time]).toEqual([first, '2026-11-20T12:00:00Z']);
  });

  it('have every field, and stay what they were', async () => {
    const { call, pass } = await openService();
    const before = instanceMetrics.parse((await call('POST', path, { body: lastHour })).body).results;
    for (const one of before) {
      expect(one.cpu_util).toBeGreaterThan(0);
      expect(one.cpu_util).toBeLessThanOrEqual(100);
      expect(one.disks?.map((disk) => disk.disk_name)).toEqual(['vda', 'vdb']);
    }
    pass(60_000);
    const after = instanceMetrics.parse((await call('POST', path, { body: lastHour })).body).results;
    expect(after.slice(0, -1)).toEqual(before.slice(1));
  });

  it('end where it is stopped', async () => {
    const { call, pass } = await openService();
    await call('POST', `${web1}/stop`);
    pass(3000);
    expect((await call('POST', path, { body: lastHour })).body).toEqual({ count: 0, results: [] });
  });

  it('are not there without the extension', async () => {
    const { call } = await openService({ extensions: [] });
    expect((await call('POST', path, { body: lastHour })).status).toBe(404);
  });
});

describe('the measurements of an instance: what is refused', () => {
  const { call } = sharedService();

  it.each([
    ['time_interval', { time_unit: 'hour' }],
    ['time_interval', { time_interval: 0, time_unit: 'hour' }],
    ['time_interval', { time_interval: 1.5, time_unit: 'hour' }],
    ['time_interval', { time_interval: 721, time_unit: 'hour' }],
    ['time_interval', { time_interval: 31, time_unit: 'day' }],
    ['time_unit', { time_interval: 1, time_unit: 'week' }],
    ['metrics', { ...lastHour, metrics: [] }],
  ])('%s: 400 that names the field', async (field, body) => {
    expect(await call('POST', path, { body })).toMatchObject({
      status: 400,
      body: { exception_class: 'ValidationError', message: expect.stringContaining(`${field}: `) as string },
    });
  });

  it('an instance that is not there: 404', async () => {
    expect((await call('POST', `${web1}x/metrics`, { body: lastHour })).status).toBe(404);
  });
});
