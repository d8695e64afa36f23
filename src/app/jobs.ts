import { type Clock, type Log, onceAMinute } from '../model/ports.ts';
import { endIfSetBack } from '../request/steps/end-request.ts';
import type { Store } from '../store/store.ts';
import type { Inbox } from '../slack/receive/inbox.ts';
import type { Sealer } from '../audit/seal.ts';
import type { Core } from './create-core.ts';
import type { SlackApi } from '../slack/web-api/slack-api.ts';
import type { Job } from '../host/feature.ts';
import type { Observer } from './health/observer.ts';
import { tokenPart } from './health/observe-calls.ts';

interface JobParts {
  readonly core: Pick<Core, 'context' | 'queue' | 'features' | 'rules'>;
  readonly store: Store;
  readonly inbox: Inbox;
  readonly sealer: Sealer;
  readonly toLog: () => Promise<void>;
  readonly slack: { readonly lanes: { readonly background: Pick<SlackApi, 'authTest'> } };
  readonly observer: Observer;
  readonly clock: Clock;
  readonly log: Log;
}

const second = 1000;
const minute = 60 * second;

const job = (name: string, everyMs: number, round: Job['round']): Job => ({ name, everyMs, round });

export function startJobs(parts: JobParts): { readonly close: () => void } {
  const { core, store, inbox, sealer, slack, observer, clock, log, toLog } = parts;
  const { metrics, unreadable, clockWatch } = observer;
  const keepMs = (): number => core.context.rulebook().keepMs;
  const onRemoved = (requests: number): void => metrics.removed.inc(requests);
  const whileRight = (round: () => Promise<void>) => async (): Promise<void> => {
    if (clockWatch.isRight()) await round();
  };
  const times = { database: () => store.serverTime(), slack: () => slack.lanes.background.authTest() };
  const jobs: readonly Job[] = [
    job('clock', second, () => clockWatch.round(times)),
    job('set back', second, () => endIfSetBack(core.context)),
    job('due', second, () => core.queue.round()),
    job('inbox', 5 * second, () => inbox.renew()),
    job('rules', 5 * second, () => core.rules.renew()),
    job('seal', second, () => sealer.seal()),
    job('audit checkpoint log', minute, toLog),
    ...core.features.flatMap((feature) => feature.jobs ?? []),
    job('store', second, () => observer.store.check(store)),
    job('slack app', 5 * second, () => checkApp(parts)),
    job('outgoing connections', 10 * second, () => observer.passages.lookAgain()),
    job('tally', 5 * second, () => observer.store.count(store, core.queue.kinds())),
    job('unreadable rows', 5 * second, async () => unreadable.review()),
    job(
      'clean-up',
      15 * second,
      whileRight(() => cleanUp({ store, clock, log, keepMs, onRemoved })),
    ),
  ];
  return { close: startPeriodic(jobs, { clock, log }) };
}

/** In milliseconds. By then, people who waited for Bellhop to start have their answers. */
const soonMs = 150;

/**
 * Calls `start` soon. The returned function stops what `start` has started, or keeps it from starting.
 * @param start returns the function that stops it
 */
export function startSoon({ every }: Pick<Clock, 'every'>, start: () => () => void): () => void {
  let stop = every(soonMs, () => {
    stop();
    stop = start();
  });
  return () => stop();
}

/**
 * Reinstalling the app may remove a scope, and reloaded rules may need another scope. Calls to Slack usually show
 * whether the scopes and the token are right. While the scopes or the token are wrong, this job asks Slack, and the
 * observer sees the answer.
 */
async function checkApp({ observer, slack, core }: JobParts): Promise<void> {
  const roles = Object.values(core.context.rulebook().policy.roles);
  const missed = observer.slack.scopes.missed(roles.some(({ usergroups }) => usergroups.length > 0));
  observer.slack.onScopes(missed);
  observer.slack.endOldOutage();
  const isRefused = observer.readiness.parts()[tokenPart]?.ok === false;
  if (isRefused || missed.length > 0) await slack.lanes.background.authTest().catch(() => undefined);
}

interface JobPorts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Runs each job at once and then every `everyMs` milliseconds, until the returned function is called. A round begins only when the job's
 * previous round has ended. A failed round is logged and tried again. Jobs of one period run in the same turn of the event loop, so that
 * they share their readings of the store.
 */
export function startPeriodic(jobs: readonly Job[], ports: JobPorts): () => void {
  const rounds = jobs.map((each) => ({ everyMs: each.everyMs, once: roundOf(each, ports) }));
  for (const { once } of rounds) once();
  const stops = [...Map.groupBy(rounds, ({ everyMs }) => everyMs)].map(([everyMs, together]) =>
    ports.clock.every(everyMs, () => {
      for (const { once } of together) once();
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

function roundOf({ name, round }: Job, { clock, log }: JobPorts): () => void {
  let busy = false;
  let failing = false;
  let isDue = onceAMinute(clock);

  const once = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      await round();
      if (!failing) return;
      failing = false;
      isDue = onceAMinute(clock);
      log.info({ job: name }, 'job works again');
    } catch (error) {
      failing = true;
      if (isDue(String(error))) log.warn({ err: error, job: name }, 'job failed; retrying');
    } finally {
      busy = false;
    }
  };

  return () => void once();
}

interface CleanUpParts {
  readonly store: Pick<Store, 'claimOnce' | 'removeSettled' | 'removeOffers'>;
  readonly clock: Clock;
  readonly log: Log;
  /** In milliseconds. */
  readonly keepMs: () => number;
  readonly onRemoved: (requests: number) => void;
}

/** In milliseconds, for all replicas together. */
const roundMs = 60_000;
/** Transactions have at most this many rows, so that others do not wait long. */
const stepRows = 100;
const maxSteps = 50;
const pauseMs = 20;
/** Sources repeat a firing alert every few hours, so an alert without an update for a week is over. */
const alertsKeptMs = 7 * 24 * 3_600_000;

/**
 * Removes at most a few thousand rows a minute: requests that were settled long ago, and alerts without updates. Only one replica does
 * this, because the name of a round can be claimed once. The audit log is never touched.
 */
export async function cleanUp({ store, clock, log, keepMs, onRemoved }: CleanUpParts): Promise<void> {
  const now = clock.now();
  if (!(await store.claimOnce('job: clean-up', now, roundMs))) return;
  const removed = await inSteps(clock, (rows) => store.removeSettled(now - keepMs(), rows));
  const alerts = await inSteps(clock, (rows) => store.removeOffers(now - alertsKeptMs, rows));
  if (alerts > 0) log.info({ removed: alerts }, 'stale alerts removed');
  if (removed === 0) return;
  onRemoved(removed);
  log.info({ removed }, 'old requests removed');
}

async function inSteps(
  clock: Pick<Clock, 'wait'>,
  remove: (limit: number) => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (let step = 0; step < maxSteps; step += 1) {
    const count = await remove(stepRows);
    removed += count;
    if (count < stepRows) break;
    await clock.wait(pauseMs);
  }
  return removed;
}
