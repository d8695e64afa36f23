import type { ServiceStatus } from '../../model/introspection.ts';
import type { DetailedLog } from '../../model/ports.ts';
import type { CallRecord } from '../../service/http/call-observer.ts';
import { type Area, endpoints } from '../../service/schemas/endpoints.ts';
import { withoutQuery } from '../process/logger.ts';
import { type answerResults, seconds } from './metrics.ts';
import { onceAMinute, type Reports } from './readiness.ts';

/** The part of `/readyz`. The key is the same on every replica: it takes none out. */
export const keyPart = 'service key';

interface ServiceReports extends Reports {
  readonly log: DetailedLog;
}

/** Reports how calls to the service went, and whether it takes API_KEY. */
export function observeService({ clock, log, readiness, metrics }: ServiceReports) {
  const isDue = onceAMinute(clock);
  let serviceStatus: ServiceStatus = { leftAlone: [] };
  const checkKey = ({ endpoint, status }: CallRecord): void => {
    if (status === 401 || status === 403) {
      readiness.set(keyPart, false, `the service answered ${status} to ${endpoint}: check API_KEY`);
      if (isDue('')) log.warn({ endpoint, status }, 'the service refuses API_KEY');
    } else if (status !== undefined && status < 500) readiness.set(keyPart, true);
  };
  return {
    onCall: (call: CallRecord): void => {
      const { endpoint, method, path, status, outcome, milliseconds } = call;
      metrics.serviceCalls.observe({ endpoint, status: status ?? 'none', outcome }, seconds(milliseconds));
      metrics.serviceAnswers.inc({ area: endpoints[endpoint].area, result: answerResult(call) });
      // A 4xx is an answer: the service works, and somebody asked for what it does not have.
      const answered = outcome === 'succeeded' || (status !== undefined && status < 500);
      const at = clock.now();
      const said = status === undefined ? outcome : `${outcome}, ${status}`;
      serviceStatus = answered
        ? { ...serviceStatus, lastSuccessAt: at }
        : { ...serviceStatus, lastFailure: { at, call: `${method} ${path}`, outcome: said } };
      checkKey(call);
      // Most calls are looks that succeed: what a shift has to read is the rest.
      const level = outcome === 'succeeded' && method === 'GET' ? 'debug' : 'info';
      log[level](
        { call: { ...call, path: withoutQuery(path), milliseconds: Math.round(milliseconds) } },
        'a call to the service ended',
      );
    },
    onBreaker: (open: boolean, area: Area): void => {
      metrics.breaker.set({ area }, open ? 1 : 0);
      const others = serviceStatus.leftAlone.filter((other) => other !== area);
      serviceStatus = { ...serviceStatus, leftAlone: open ? [...others, area] : others };
    },
    now: () => serviceStatus,
  };
}

/** What a call to the service came to: a key that is refused and a service that fails are not what people asked for. */
function answerResult({ status, outcome }: CallRecord): (typeof answerResults)[number] {
  if (status === 401 || status === 403) return 'refused';
  if (status === undefined || status >= 500) return 'failed';
  return outcome === 'succeeded' ? 'ok' : 'rejected';
}
