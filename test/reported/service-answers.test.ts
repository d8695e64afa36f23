import { describe, expect, it } from 'vitest';

import { tasksOn, web1 } from '../areas/cloud/lost-change.ts';
import { metricsFrom } from '../areas/cdn/metrics/metrics-service.ts';
import { openStage } from '../operations/stage.ts';
import { inputOf, serve } from './service-input.ts';

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

describe('the error of a task', () => {
  it.each([
    ['No host has room', 'No host has room'],
    [{ message: 'No valid host was found', code: 500 }, 'No valid host was found'],
    [{ exception_class: 'QuotaError', detail: { message: 'Quota exceeded' } }, 'Quota exceeded'],
    [{ cores: ['limit is 20'], ram: ['limit is 64'] }, 'cores: limit is 20; ram: limit is 64'],
    [['step 3 failed', { reason: 'volume is busy' }], 'step 3 failed, volume is busy'],
    [{ error: { reason: 'volume is busy' } }, 'volume is busy'],
    [409, '409'],
    [{}, undefined],
    [null, undefined],
  ])('is its words: %j', async (error, words) => {
    const stage = await tasksOn();
    const stopping = { id: web1.instance_id, status: 'ACTIVE', task_state: 'powering-off', task_id: 't-1' };
    await stage.serve('stopInstance', { count: 1, results: [stopping] });
    const task = { id: 't-1', state: 'ERROR', task_type: 'stop_vm', data: web1, error };
    await stage.control('PUT', 'faults/readTask', { body: task });
    const { state, outcome } = await stage.change('/cloud stop web-1');
    expect(state).toBe('failed');
    expect(outcome?.error?.message).toMatch(
      words === undefined ? /The service does not say why\.$/u : new RegExp(`ended in ERROR: ${words}$`, 'u'),
    );
  });
});
