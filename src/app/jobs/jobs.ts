import type { Log, Store } from '../../core/model/ports.ts';
import type { Inbox } from '../../slack/receive/inbox.ts';
import { createInterruptionNotifier } from '../../slack/receive/notify-interrupted.ts';
import { logAuditHead } from './audit-heads.ts';
import { cleanUp } from './clean-up.ts';
import type { SlackConnection } from '../connect-slack.ts';
import type { Core } from '../wire-core.ts';
import { startPeriodic } from './periodic.ts';
import type { Metrics } from '../health/metrics.ts';
import type { Observer } from '../health/observer.ts';
import type { Readiness } from '../health/readiness.ts';
import { systemClock } from '../process/system-clock.ts';
import { tokenPart } from '../health/token-watch.ts';

interface DutyParts {
  readonly core: Core;
  readonly store: Store;
  readonly inbox: Inbox;
  readonly slack: Pick<SlackConnection, 'lanes'>;
  readonly observer: Pick<Observer, 'readiness' | 'metrics' | 'unreadable'>;
  /** Asks Slack whether it takes the token. */
  readonly tryToken: () => Promise<unknown>;
  readonly log: Log;
}

const second = 1000;
const hour = 3_600_000;

/**
 * What is done again and again on each replica: requests that time has ended, cards that were left behind, a look at the
 * store. Each is a claim in the store, so replicas do not get in each other's way.
 */
export function startJobs(parts: DutyParts): { close(): void } {
  const { core, store, inbox, slack, observer, log } = parts;
  const { readiness, metrics, unreadable } = observer;
  const tellLeft = createInterruptionNotifier({
    store,
    api: slack.lanes.background,
    clock: systemClock,
    log,
    notices: core.context.notices,
  });
  const keepMs = (): number => core.context.rulebook().keepMs;
  const onRemoved = (requests: number): void => metrics.removed(requests);
  const duty = (name: string, everyMs: number, round: () => Promise<void>) =>
    startPeriodic(name, everyMs, round, { clock: systemClock, log });
  const stops = [
    duty('sweep', second, () => core.bellhop.sweep()),
    duty('cards', second, () => core.cards.reconcile()),
    duty('reviews', second, () => core.reviews.reconcile()),
    duty('inbox', 5 * second, () => inbox.renew()),
    duty('interruptions', second, tellLeft),
    duty('audit head', hour, () => logAuditHead(store, log)),
    duty('store', second, () => lookAtStore(store, readiness)),
    duty('token', 5 * second, () => lookAtToken(parts)),
    duty('tally', 5 * second, () => count(store, metrics)),
    duty('unreadable rows', 5 * second, async () => unreadable.review()),
    duty('clean-up', 15 * second, () => cleanUp({ store, clock: systemClock, log, keepMs, onRemoved })),
  ];
  return {
    close() {
      for (const stop of stops) stop();
    },
  };
}

async function lookAtStore(store: Store, readiness: Readiness): Promise<void> {
  try {
    await store.ping();
    readiness.set('store', true);
  } catch (error) {
    readiness.set('store', false, error instanceof Error ? error.message : 'unknown');
  }
}

/** Only while it is refused; else every call that succeeds tells. The answer is noticed where all calls are. */
async function lookAtToken({ observer, tryToken }: DutyParts): Promise<void> {
  if (observer.readiness.parts()[tokenPart]?.ok === false) await tryToken().catch(() => undefined);
}

async function count(store: Store, metrics: Metrics): Promise<void> {
  try {
    metrics.tally(systemClock.now(), await store.tally());
  } catch {
    // That the store is away is said by the look at it.
    metrics.tally(systemClock.now(), undefined);
  }
}
