import { expect, it } from 'vitest';

import { alertmanagerStandIn } from './alertmanager-stand-in.ts';
import { change, openExample, settled } from './example-stage.ts';
import { serveStandIn } from './stand-in.ts';

it('examples/alertmanager settles a silence by its comment, even if another one was sent after it', async () => {
  const service = await serveStandIn(alertmanagerStandIn().answer);
  const stage = await openExample({
    folder: 'alertmanager',
    addressed: (yaml) => yaml.replace('http://127.0.0.1:9093', service.address),
    now: Date.now(),
  });
  service.fault = { end: 'resets', effect: true };
  const unknown = await change(stage, '/am silence HighLatency', service);
  expect(unknown.state).toBe('unknown');
  await stage.clock.advance(1000);
  expect((await change(stage, '/am silence DiskFull', service)).state).toBe('succeeded');
  const { state, outcome } = await settled(stage, unknown, { marked: true });
  expect([state, outcome?.report?.title]).toEqual(['succeeded', 'Silenced HighLatency on main']);
  expect((await stage.story(unknown)).at(-1)).toContain(
    `was created with the id of this request, ${unknown.id}`,
  );
});
