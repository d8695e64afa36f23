import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

const json = (status: number, body: unknown) => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
});

/**
 * `/healthz`: the process answers. `/readyz`: every part it needs does, each by name with since when. `/metrics`: what is
 * counted, for Prometheus.
 */
export const healthRoutes = (readiness: Readiness, { registry, ready }: Metrics) => ({
  '/healthz': () => Promise.resolve(json(200, { ok: true })),
  '/readyz': () => {
    const parts = Object.fromEntries(
      Object.entries(readiness.parts()).map(([name, part]) => [
        name,
        { ...part, since: new Date(part.since).toISOString() },
      ]),
    );
    const isReady = readiness.ready();
    return Promise.resolve(json(isReady ? 200 : 503, { ready: isReady, parts }));
  },
  '/metrics': async () => {
    for (const [part, { ok }] of Object.entries(readiness.parts())) ready.set({ part }, ok ? 1 : 0);
    return { status: 200, contentType: registry.contentType, body: await registry.metrics() };
  },
});
