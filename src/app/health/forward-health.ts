import type { Forwarding } from '../../model/audit.ts';
import type { Clock } from '../../model/ports.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The part of `/readyz`. */
export const forwardPart = 'audit forwarding';

export interface ForwardHealth {
  /** `off` where nothing is to be forwarded, `unknown` where the store cannot tell. */
  seen(forwarding: Forwarding | 'off' | 'unknown'): void;
  now(): Forwarding | undefined;
}

interface ForwardHealthPorts {
  readonly clock: Clock;
  readonly readiness: Pick<Readiness, 'set' | 'parts'>;
  readonly metrics: Pick<Metrics, 'forwarding'>;
}

/** Reports how far the audit log was forwarded, by whichever replica. Where that was never asked for there is no such part. */
export function createForwardHealth({ clock, readiness, metrics }: ForwardHealthPorts): ForwardHealth {
  let newest: Forwarding | undefined;
  return {
    seen(forwarding) {
      newest = typeof forwarding === 'object' ? forwarding : undefined;
      metrics.forwarding(clock.now(), newest);
      const problem = newest?.problem && `the collector ${newest.problem}`;
      if (newest || (forwarding === 'off' && readiness.parts()[forwardPart]))
        readiness.set(forwardPart, problem === undefined, problem);
    },
    now: () => newest,
  };
}
