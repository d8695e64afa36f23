import { LIMITS } from '../limits.ts';
import type { WireDetail, WireEntry } from '../drill-protocol.ts';

interface WireRecord {
  readonly direction: WireEntry['direction'];
  readonly at: number;
  readonly duration_ms: number;
  readonly name: string;
  readonly status: number;
  readonly error: string;
  readonly retry: number;
  /** Bodies as they went over the wire. */
  readonly request: string;
  readonly response: string;
}

/** The last requests in both directions, with secrets masked and bodies cut. */
export interface WireLog {
  record(entry: WireRecord): void;
  entries(): WireEntry[];
  find(id: number): WireDetail | undefined;
  clear(): void;
}

const MASK = '•••';

/**
 * @param secrets tokens, keys and signing secrets that must not be shown
 * @param announce called with every entry
 */
export function createWireLog(secrets: readonly string[], announce: (entry: WireEntry) => void): WireLog {
  const entries: WireDetail[] = [];
  const masked = secrets.flatMap((secret) => (secret === '' ? [] : [secret, encodeURIComponent(secret)]));
  let last = 0;
  function clean(body: string): string {
    const shown = masked
      .reduce((text, secret) => text.replaceAll(secret, MASK), body)
      .replaceAll(/xox[a-z]-[\w-]+|xapp-[\w-]+/g, MASK);
    return shown.length > LIMITS.wireBody ? `${shown.slice(0, LIMITS.wireBody)}…` : shown;
  }
  return {
    record(entry) {
      last += 1;
      const detail = { ...entry, id: last, request: clean(entry.request), response: clean(entry.response) };
      entries.push(detail);
      if (entries.length > LIMITS.wireEntries) entries.shift();
      announce(summary(detail));
    },
    entries: () => entries.map(summary),
    find: (id) => entries.find((entry) => entry.id === id),
    clear: () => void entries.splice(0),
  };
}

function summary({ request: _request, response: _response, ...entry }: WireDetail): WireEntry {
  return entry;
}
