import type { HookStatus } from '../../model/introspection.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { HookOutcome } from '../../alerts/sources/hooks-route.ts';
import type { Metrics } from './metrics.ts';
import { onceAMinute } from './once-a-minute.ts';

/** What came to the hooks, as this replica saw it. */
export interface HooksHealth {
  /** @param name undefined where there is no hook of that name */
  delivery(name: string | undefined, outcome: HookOutcome, problem?: string): void;
  now(): readonly HookStatus[];
}

/** What was taken in; all else was refused. */
const taken: ReadonlySet<HookOutcome> = new Set<HookOutcome>(['shown', 'folded', 'repeated', 'ignored']);

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'hookDelivery'>;
}

/** Hooks are named by bellhop.yaml, so there are few of them. */
export function createHooksHealth({ clock, log, metrics }: Parts): HooksHealth {
  const hooks = new Map<string, HookStatus>();
  const isDue = onceAMinute(clock);

  const refused = (name: string | undefined, reason: HookOutcome, problem: string | undefined): void => {
    if (!isDue(`${name ?? ''} ${reason}`)) return;
    log.warn({ hook: name, reason, problem }, 'delivery to a hook rejected');
  };

  return {
    delivery(name, outcome, problem) {
      const at = clock.now();
      const isTaken = taken.has(outcome);
      metrics.hookDelivery(name, outcome, isTaken ? at : undefined);
      if (isTaken) log.info({ hook: name, outcome }, 'alerts received');
      else refused(name, outcome, problem);
      if (name === undefined) return;
      const { received, folded, rejected, ...rest } = hooks.get(name) ?? {
        name,
        received: 0,
        folded: 0,
        rejected: 0,
      };
      hooks.set(name, {
        ...rest,
        received: received + Number(isTaken),
        folded: folded + Number(outcome === 'folded'),
        rejected: rejected + Number(!isTaken),
        ...(isTaken ? { lastReceivedAt: at } : { lastRejected: { at, reason: outcome, problem } }),
      });
    },
    now: () => [...hooks.values()],
  };
}
