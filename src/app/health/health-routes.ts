import type { Clock, Log } from '../../model/ports.ts';
import { mapValues } from '../../text/words.ts';
import type { Readiness } from '../../host/readiness.ts';
import type { Metrics } from './metrics.ts';

export interface Reports {
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

const json = (status: number, body: unknown) => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
});

/** `/healthz` answers as long as the process does. `/readyz` lists each part, and fails unless every required part works. */
export const healthRoutes = (readiness: Readiness, { registry, ready }: Metrics) => ({
  '/healthz': () => Promise.resolve(json(200, { ok: true })),
  '/readyz': () => {
    const parts = mapValues(readiness.parts(), (part) => {
      return { ...part, since: new Date(part.since).toISOString() };
    });
    const isReady = readiness.ready();
    return Promise.resolve(json(isReady ? 200 : 503, { ready: isReady, parts }));
  },
  '/metrics': async () => {
    for (const [part, { ok }] of Object.entries(readiness.parts())) ready.set({ part }, ok ? 1 : 0);
    return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
  },
});
