import type { CallRecord } from '../../api/http/call-observer.ts';
import type { Area } from '../../api/endpoints.ts';
import type { Clock } from '../../core/model/ports.ts';
import type { ServiceStatus } from '../../core/introspection/status.ts';

/** How calls to the service went lately. */
export interface ServiceHealth {
  ended(call: CallRecord): void;
  breaker(open: boolean, area: Area): void;
  now(): ServiceStatus;
}

export function createServiceHealth(clock: Clock): ServiceHealth {
  let status: ServiceStatus = { leftAlone: [] };
  return {
    ended(call) {
      // A 4xx is an answer: the service works, and somebody asked for what it does not have.
      const answered = call.outcome === 'succeeded' || (call.status !== undefined && call.status < 500);
      const at = clock.now();
      const said = call.status === undefined ? call.outcome : `${call.outcome}, ${call.status}`;
      status = answered
        ? { ...status, lastSuccessAt: at }
        : { ...status, lastFailure: { at, call: `${call.method} ${call.path}`, outcome: said } };
    },
    breaker(open, area) {
      const others = status.leftAlone.filter((other) => other !== area);
      status = { ...status, leftAlone: open ? [...others, area] : others };
    },
    now: () => status,
  };
}
