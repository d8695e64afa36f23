import { Agent } from 'undici';
import type { CallKind } from '../endpoints.ts';
import type { Timings } from './timings.ts';

/**
 * Queries reuse connections: one that the service closed meanwhile costs a retry. Changes take a fresh connection
 * each: on a stale one a reset would leave the outcome unknown for nothing, and they are rare enough to pay for it.
 * HTTP/1.1 only, because undici repeats HTTP/2 streams by itself after a GOAWAY.
 */
export function createAgents(timings: Timings): Record<CallKind, Agent> {
  const limits = {
    allowH2: false,
    connect: { timeout: timings.connectMs },
    maxResponseSize: timings.maxBodyBytes,
  };
  return {
    query: new Agent({ ...limits, pipelining: 1, keepAliveMaxTimeout: 60_000 }),
    change: new Agent({ ...limits, pipelining: 0 }),
  };
}
