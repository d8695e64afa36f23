import { expect, it } from 'vitest';

import { createMetrics } from '../../src/app/health/metrics.ts';
import { forwardPart, observeForwarding } from '../../src/app/health/observe-store.ts';
import { createReadiness } from '../../src/app/health/readiness.ts';
import { createDrivenClock } from '../driven-clock.ts';

it('the health of forwarding shows the collector’s position and its last error, and nothing that is unknown', async () => {
  const clock = createDrivenClock();
  const readiness = createReadiness(clock, []);
  const metrics = createMetrics();
  const health = observeForwarding({ clock, readiness, metrics });
  const told = async () => {
    const lines = (await metrics.registry.metrics()).split('\n');
    const part = readiness.parts()[forwardPart];
    return {
      gauges: lines.filter((line) => /^bellhop_\S*unforwarded\S* /u.test(line)),
      part: part && (part.ok ? 'well' : part.lastError),
      now: health.now(),
    };
  };

  health.seen('off');
  expect(await told()).toEqual({ gauges: [], part: undefined, now: undefined });
  const behind = { sent: 4, newest: 9, oldestAt: clock.now() - 90_000, problem: 'answered 503' };
  health.seen(behind);
  const gauges = ['bellhop_audit_unforwarded_entries 5', 'bellhop_oldest_unforwarded_audit_entry_seconds 90'];
  const part = 'the collector answered 503';
  expect(await told()).toEqual({ gauges, part, now: behind });
  health.seen('unknown');
  expect(await told()).toEqual({ gauges: [], part, now: undefined });
  health.seen({ sent: 9, newest: 9, oldestAt: undefined, problem: undefined });
  expect(await told()).toMatchObject({
    gauges: ['bellhop_audit_unforwarded_entries 0', 'bellhop_oldest_unforwarded_audit_entry_seconds 0'],
    part: 'well',
  });
  health.seen(behind);
  health.seen('off');
  expect(await told()).toEqual({ gauges: [], part: 'well', now: undefined });
  expect(readiness.ready()).toBe(true);
});
