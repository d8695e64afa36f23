import type { Log } from '../model/ports.ts';
import type { DueQueue } from '../due/queue.ts';
import { endIfSetBack } from '../request/steps/set-back.ts';
import type { Store } from '../store/store.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import type { Inbox } from '../slack/receive/inbox.ts';
import type { Forwarder } from '../audit/publish/forward.ts';
import type { HandOut } from '../audit/publish/hand-out.ts';
import { cleanUp } from './jobs/clean-up.ts';
import type { OnCallSchedules } from '../schedules/on-call.ts';
import type { Sealer } from '../audit/seal.ts';
import type { SlackConnection } from './connect-slack.ts';
import { startPeriodic } from './jobs/periodic.ts';
import type { Observer } from './health/observer.ts';
import { systemClock } from './process/system-clock.ts';
import { tokenPart } from './health/observe-slack.ts';

interface JobParts {
  readonly core: {
    readonly queue: Pick<DueQueue, 'round'>;
    readonly handOut: Pick<HandOut, 'round'>;
    readonly forwarder: Pick<Forwarder, 'look'>;
    readonly schedules: Pick<OnCallSchedules, 'refresh'>;
    readonly context: SlackContext;
  };
  readonly store: Store;
  readonly inbox: Inbox;
  readonly sealer: Pick<Sealer, 'seal'>;
  readonly slack: Pick<SlackConnection, 'lanes'>;
  readonly observer: Pick<Observer, 'readiness' | 'metrics' | 'store' | 'unreadable' | 'clockWatch'>;
  readonly log: Log;
}

const second = 1000;
const minute = 60 * second;

/**
 * Starts the jobs of each replica: what is due, sealing, health of the store.
 */
export function startJobs(parts: JobParts): { close(): void } {
  const { core, store, inbox, sealer, slack, observer, log } = parts;
  const { metrics, unreadable, clockWatch } = observer;
  const keepMs = (): number => core.context.rulebook().keepMs;
  const onRemoved = (requests: number): void => metrics.removed.inc(requests);
  const job = (name: string, everyMs: number, round: () => Promise<void>) =>
    startPeriodic(name, everyMs, round, { clock: systemClock, log });
  const whileRight = (round: () => Promise<void>) => async (): Promise<void> => {
    if (clockWatch.isRight()) await round();
  };
  const times = { database: () => store.serverTime(), slack: () => slack.lanes.background.authTest() };
  const stops = [
    job('clock', second, () => clockWatch.round(times)),
    job('set back', second, () => endIfSetBack(core.context)),
    job('due', second, () => core.queue.round()),
    job('schedules', second, () => core.schedules.refresh()),
    job('inbox', 5 * second, () => inbox.renew()),
    job('seal', second, () => sealer.seal()),
    job('audit forwarding', second, () => core.forwarder.look()),
    job('audit checkpoints', minute, () => core.handOut.round()),
    job('store', second, () => observer.store.check(store)),
    job('token', 5 * second, () => checkToken(parts)),
    job('tally', 5 * second, () => observer.store.count(store)),
    job('unreadable rows', 5 * second, async () => unreadable.review()),
    job(
      'clean-up',
      15 * second,
      whileRight(() => cleanUp({ store, clock: systemClock, log, keepMs, onRemoved })),
    ),
  ];
  return {
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** Only while it is refused; else every call that succeeds tells. The observer sees the answer, as that of every call. */
async function checkToken({ observer, slack }: JobParts): Promise<void> {
  if (observer.readiness.parts()[tokenPart]?.ok !== false) return;
  await slack.lanes.background.authTest().catch(() => undefined);
}
