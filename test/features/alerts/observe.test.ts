import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { hookMetrics, observeHooks } from '../../../src/features/alerts/observe.ts';
import { declareIn } from '../../../src/host/metrics.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { recordingLog } from '../../log.ts';

it('shows the deliveries to each hook, and which hook refuses them', async () => {
  const clock = createDrivenClock();
  const metrics = hookMetrics(declareIn([new Registry()]));
  const { onDelivery, problems, tables } = observeHooks({ clock, log: recordingLog() }, metrics);
  onDelivery('grafana', 'limited');
  onDelivery('phones', 'unauthorized', 'no token.');
  onDelivery(undefined, 'unknown hook');
  const rejected = clock.now();
  expect(problems()).toEqual([
    'hook grafana is rejecting deliveries (limited)',
    'hook phones is rejecting deliveries (unauthorized: no token)',
  ]);
  await clock.advance(2);
  onDelivery('grafana', 'shown');
  onDelivery('grafana', 'folded');
  expect(problems()).toEqual(['hook phones is rejecting deliveries (unauthorized: no token)']);
  expect(tables()).toMatchObject([
    {
      caption: 'Hooks, since this replica started',
      rows: [
        ['grafana', 2, 1, 1, { at: clock.now() }, { at: rejected }, 'limited'],
        ['phones', 0, 0, 1, '', { at: rejected }, 'unauthorized'],
      ],
    },
  ]);
});
