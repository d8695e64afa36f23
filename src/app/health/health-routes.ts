import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

interface RouteAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const json = (status: number, body: unknown): RouteAnswer => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
});

/**
 * `/healthz`: the process answers. `/readyz`: every part it needs does, each by name with since when. `/metrics`: what is
 * counted, for Prometheus.
 */
export const healthRoutes = (
  readiness: Readiness,
  metrics: Metrics,
): Readonly<Record<string, () => Promise<RouteAnswer>>> => ({
  '/healthz': () => Promise.resolve(json(200, { ok: true })),
  '/readyz': () => {
    const ready = readiness.ready();
    const parts = Object.fromEntries(
      Object.entries(readiness.parts()).map(([name, part]) => [
        name,
        { ...part, since: new Date(part.since).toISOString() },
      ]),
    );
    return Promise.resolve(json(ready ? 200 : 503, { ready, parts }));
  },
  '/metrics': async () => ({
    status: 200,
    contentType: metrics.contentType,
    body: await metrics.text(readiness.parts()),
  }),
});
