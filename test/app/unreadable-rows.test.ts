import { expect, it } from 'vitest';

import { UnreadableRow } from '../../src/model/values/errors.ts';
import { createMetrics } from '../../src/app/health/metrics.ts';
import { observeUnreadableRows } from '../../src/app/health/observe-store.ts';
import { createReadiness } from '../../src/host/readiness.ts';
import { createDrivenClock } from '../driven-clock.ts';

const broken = (id: string) => new UnreadableRow('requests', id, 'decision', 'is new');

it('an unreadable row is forgotten ten minutes after a list last found it', async () => {
  const clock = createDrivenClock(0);
  const readiness = createReadiness(clock, ['store']);
  readiness.set('store', true);
  const metrics = createMetrics();
  const logged: string[] = [];
  const log = { info() {}, warn() {}, error: (_: object, text: string) => void logged.push(text) };
  const rows = observeUnreadableRows({ clock, log, readiness, metrics });
  const counted = async () =>
    /bellhop_unreadable_rows\{table="requests"\} (\d)/u.exec(await metrics.registry.metrics())?.[1];
  expect(await counted()).toBe('0');

  rows.leftOut(broken('r-1'));
  rows.leftOut(broken('r-2'));
  expect(readiness.parts()['stored rows']?.ok).toBe(false);
  expect(readiness.parts()['stored rows']?.lastError).toContain('r-1');
  expect([readiness.ready(), await counted(), logged.length]).toEqual([true, '2', 2]);
  await clock.advance(9 * 60_000);
  rows.leftOut(broken('r-2'));
  await clock.advance(60_000);
  rows.review();
  expect([await counted(), logged.length]).toEqual(['1', 2]);
  await clock.advance(9 * 60_000);
  rows.review();
  expect([readiness.parts()['stored rows']?.ok, await counted()]).toEqual([true, '0']);
});
