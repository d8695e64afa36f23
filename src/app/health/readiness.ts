import type { Clock, Log } from '../../model/ports.ts';
import type { PartStatus } from '../../model/introspection.ts';
import { mapValues } from '../../text/words.ts';
import type { Metrics } from './metrics.ts';

export interface Reports {
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

export interface Readiness {
  set(part: string, ok: boolean, error?: string, detail?: string): void;
  ready(): boolean;
  /** Returns each part by name, with its last error and the time of its last change. */
  parts(): Readonly<Record<string, PartStatus>>;
}

/** Only the `required` parts decide whether Bellhop is ready. Other parts are reported but do not fail readiness. */
export function createReadiness(clock: Clock, required: readonly string[]): Readiness {
  const needed = new Set(required);
  const parts = new Map<string, PartStatus>(
    required.map((name) => [name, { ok: false, since: clock.now() }]),
  );
  return {
    set(name, ok, error, detail) {
      const before = parts.get(name);
      const lastError = error ?? before?.lastError;
      const since = before && before.ok === ok ? before.since : clock.now();
      parts.set(name, {
        ok,
        since,
        ...(lastError === undefined ? {} : { lastError }),
        ...(needed.has(name) ? {} : { required: false }),
        ...(detail === undefined ? {} : { detail }),
      });
    },
    ready: () => [...parts.values()].every(({ ok, required: counts }) => ok || counts === false),
    parts: () => Object.fromEntries(parts),
  };
}

const json = (status: number, body: unknown) => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: `${JSON.stringify(body)}\n`,
});

/** `/healthz` shows that the process answers. `/readyz` lists each part, and shows whether every required part works. */
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
