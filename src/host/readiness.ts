import type { Clock } from '../model/ports.ts';
import type { PartStatus } from '../model/introspection.ts';

export interface Readiness {
  set(part: string, ok: boolean, error?: string, detail?: string): void;
  ready(): boolean;
  /** By name. */
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
