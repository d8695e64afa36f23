import { type Clock, onceAMinute } from '../../model/ports.ts';
import type { Reports } from './health-routes.ts';

/** This part of `/readyz` never fails readiness: if the server's clock is wrong, all replicas would fail. */
export const clockPart = 'clock';

/** In milliseconds. A process counts as dead after 15 s of silence, so the accepted difference between clocks must stay well below that. */
const marginMs = 5000;

/** In milliseconds. Slower answers are too imprecise to use. */
const slowestMs = 2000;

/** In milliseconds. Other clocks are read this often, and every `askSoonMs` while this clock is wrong or unmeasured. */
const askAgainMs = 60_000;
const askSoonMs = 5000;

/** In milliseconds. HTTP's `Date` has whole seconds. */
const dateMs = 1000;

interface ClockWatchPorts extends Omit<Reports, 'clock'> {
  readonly clock: Pick<Clock, 'now'>;
  /** In monotonic milliseconds, which setting the clock does not affect. */
  readonly monotonic: () => number;
}

interface AskedForTime {
  /** Resolves to epoch milliseconds, or to undefined if there is no clock besides this machine's. */
  readonly database: () => Promise<number | undefined>;
  /** Makes any call whose answer reaches `slackAnswered`. Skipped if another call was just made. */
  readonly slack?: () => Promise<unknown>;
}

/** Bounds for the time on another clock when the monotonic clock was at 0, in epoch milliseconds. */
interface Heard {
  readonly earliest: number;
  readonly latest: number;
}

export function createClockWatch(ports: ClockWatchPorts) {
  const { clock, monotonic, log, readiness, metrics } = ports;
  const isDue = onceAMinute(clock);
  const heard = new Map<'PostgreSQL' | 'Slack', Heard>();
  let comparedAt = -Infinity;
  let tooSlow = false;

  const hear = (source: 'PostgreSQL' | 'Slack', askedAt: number, said: number, precisionMs: number): void => {
    const now = monotonic();
    tooSlow ||= now - askedAt > slowestMs;
    if (!Number.isFinite(said) || now - askedAt > slowestMs) return;
    heard.set(source, { earliest: said - now, latest: said + precisionMs - askedAt });
  };
  /** In milliseconds: the smallest possible lead of this clock over each other clock. Negative if this clock is behind. */
  const skews = (): readonly (readonly [string, number])[] => {
    const ours = clock.now() - monotonic();
    return [...heard].map(([source, { earliest, latest }]) => [
      source,
      ours > latest ? ours - latest : Math.min(0, ours - earliest),
    ]);
  };
  const wrong = () => skews().filter(([, skewMs]) => Math.abs(skewMs) > marginMs);

  const report = (): void => {
    for (const [source, skewMs] of skews()) metrics.clockSkew.set({ source }, skewMs / 1000);
    const problem = wrong()
      .map(([source, ms]) => `${seconds(ms)} s ${ms > 0 ? 'ahead of' : 'behind'} ${source}'s`)
      .join(' and ');
    if (problem === '') return heard.size === 0 ? undefined : readiness.set(clockPart, true);
    readiness.set(clockPart, false, `this machine's clock is ${problem}; correct it, or check NTP`);
    const cause = wrong().map(([source, ms]) => `${source} ${ms > 0}`);
    if (isDue(cause.join()))
      log.warn({ problem }, 'clock is wrong; nothing expires here until it is corrected');
  };

  return {
    /**
     * True until another clock has been read. False as soon as this clock is set wrong, because earlier readings advance by monotonic time.
     */
    isRight: () => wrong().length === 0,
    /** @param askedAt the time of the call, by `monotonic` */
    slackAnswered: (date: string | null, askedAt: number): void =>
      hear('Slack', askedAt, Date.parse(date ?? ''), dateMs),
    /** Reads the other clocks if due, and reports differences. Never rejects. */
    async round({ database, slack }: AskedForTime): Promise<void> {
      const askedAt = monotonic();
      if (askedAt - comparedAt >= (tooSlow || wrong().length > 0 ? askSoonMs : askAgainMs)) {
        comparedAt = askedAt;
        tooSlow = false;
        // Another part of `/readyz` reports a clock that can't answer.
        await Promise.allSettled([
          database().then((said) => said === undefined || hear('PostgreSQL', askedAt, said, 0)),
          slack?.(),
        ]);
      }
      report();
    },
  };
}

const seconds = (ms: number): number => Math.round(Math.abs(ms) / 1000);
