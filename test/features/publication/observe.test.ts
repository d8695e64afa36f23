import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { declareIn } from '../../../src/host/metrics.ts';
import { createReadiness } from '../../../src/host/readiness.ts';
import {
  forwardPart,
  observeForwarding,
  publicationMetrics,
} from '../../../src/features/publication/observe.ts';
import { createDrivenClock } from '../../driven-clock.ts';

it('the health of forwarding shows the collector’s position and its last error, and nothing that is unknown', async () => {
  const clock = createDrivenClock();
  const readiness = createReadiness(clock, []);
  const registry = new Registry();
  const metrics = publicationMetrics(declareIn([registry]));
  const health = observeForwarding({ clock, readiness, metrics });
  const told = async () => {
    const lines = (await registry.metrics()).split('\n');
    const part = readiness.parts()[forwardPart];
    return {
      gauges: lines.filter((line) => /^bellhop_\S*unforwarded\S* /u.test(line)),
      part: part && (part.ok ? 'well' : part.lastError),
      now: health.facts().map(({ value }) => value),
    };
  };

  health.seen('off');
  expect(await told()).toEqual({ gauges: [], part: undefined, now: [] });
  const behind = { sent: 4, newest: 9, oldestAt: clock.now() - 90_000, problem: 'answered 503' };
  health.seen(behind);
  const gauges = ['bellhop_audit_unforwarded_entries 5', 'bellhop_oldest_unforwarded_audit_entry_seconds 90'];
  const part = 'the collector answered 503';
  expect(await told()).toEqual({
    gauges,
    part,
    now: ['5 still to send, oldest from 2026-11-21 02:58:30 UTC'],
  });
  health.seen('unknown');
  expect(await told()).toEqual({ gauges: [], part, now: [] });
  health.seen({ sent: 9, newest: 9, oldestAt: undefined, problem: undefined });
  expect(await told()).toMatchObject({
    gauges: ['bellhop_audit_unforwarded_entries 0', 'bellhop_oldest_unforwarded_audit_entry_seconds 0'],
    part: 'well',
  });
  health.seen(behind);
  health.seen('off');
  expect(await told()).toEqual({ gauges: [], part: 'well', now: [] });
  expect(readiness.ready()).toBe(true);
});
