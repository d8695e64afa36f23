import type { Clock } from '../../model/ports.ts';
import type { Fact } from '../../model/values/report.ts';
import { type Declare, seconds } from '../../host/metrics.ts';
import type { Readiness } from '../../host/readiness.ts';
import { givenFacts } from '../../bellhop/parts/report-parts.ts';
import type { Forwarding } from './forward.ts';
import { handOutKinds, handOutOutcomes } from './hand-out.ts';

export const forwardPart = 'audit forwarding';

export function publicationMetrics({ counter, gauge }: Declare) {
  const metrics = {
    handOuts: counter(
      'bellhop_audit_hand_outs_total',
      ['to', 'outcome'],
      'Published checkpoints of the audit log by destination and result: taken, failed, or contradicted by an earlier one.',
    ),
    forwardBatches: counter(
      'bellhop_audit_forward_batches_total',
      ['result'],
      'Batches of audit entries by the answer of the audit.forward collector: accepted, rejected, unauthorized, or failed; stub: one replaced an entry that was rejected for a day.',
    ),
    auditUnforwarded: gauge(
      'bellhop_audit_unforwarded_entries',
      [],
      'Sealed entries of the audit log that the audit.forward collector has not accepted yet.',
    ),
    oldestUnforwarded: gauge(
      'bellhop_oldest_unforwarded_audit_entry_seconds',
      [],
      'Age of the oldest sealed entry that the audit.forward collector has not accepted yet.',
    ),
  };
  // Counters start at 0, so that the first event shows as an increase.
  for (const to of handOutKinds)
    for (const outcome of handOutOutcomes) metrics.handOuts.inc({ to, outcome }, 0);
  return metrics;
}

/** Without forwarding, `/readyz` has no such part. */
export function observeForwarding({
  clock,
  readiness,
  metrics: { auditUnforwarded, oldestUnforwarded },
}: {
  readonly clock: Pick<Clock, 'now'>;
  readonly readiness: Pick<Readiness, 'parts' | 'set'>;
  readonly metrics: Pick<ReturnType<typeof publicationMetrics>, 'auditUnforwarded' | 'oldestUnforwarded'>;
}) {
  let newest: Forwarding | undefined;
  return {
    /** `off` if nothing is forwarded, `unknown` if the store can't be read. */
    seen(forwarding: Forwarding | 'off' | 'unknown'): void {
      newest = typeof forwarding === 'object' ? forwarding : undefined;
      for (const gauge of [auditUnforwarded, oldestUnforwarded]) gauge.remove();
      if (newest) {
        auditUnforwarded.set(Math.max(0, newest.newest - newest.sent));
        oldestUnforwarded.set(seconds(clock.now() - (newest.oldestAt ?? clock.now())));
      }
      const problem = newest?.problem && `the collector ${newest.problem}`;
      if (newest || (forwarding === 'off' && readiness.parts()[forwardPart]))
        readiness.set(forwardPart, problem === undefined, problem);
    },
    facts: (): readonly Fact[] => givenFacts([['Audit log forwarding', newest && forwardedText(newest)]]),
  };
}

const forwardedText = ({ sent, newest, oldestAt }: Forwarding) =>
  oldestAt === undefined ? 'up to date' : [`${newest - sent} still to send, oldest from `, { at: oldestAt }];
