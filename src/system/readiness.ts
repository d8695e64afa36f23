import type { Clock } from '../core/ports.ts';
import type { PartStatus } from '../core/status.ts';

export interface Readiness {
  set(part: string, ok: boolean, error?: string): void;
  ready(): boolean;
  /** Each part by name, its last error, since when. */
  parts(): Readonly<Record<string, PartStatus>>;
}

/** What `/readyz` answers: ready only while every named part is. */
export function createReadiness(clock: Clock, names: readonly string[]): Readiness {
  const parts = new Map<string, PartStatus>(names.map((name) => [name, { ok: false, since: clock.now() }]));
  return {
    set(name, ok, error) {
      const before = parts.get(name);
      const lastError = error ?? before?.lastError;
      const since = before && before.ok === ok ? before.since : clock.now();
      parts.set(name, { ok, since, ...(lastError === undefined ? {} : { lastError }) });
    },
    ready: () => [...parts.values()].every((part) => part.ok),
    parts: () => Object.fromEntries(parts),
  };
}
