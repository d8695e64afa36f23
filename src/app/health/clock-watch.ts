import { type Clock, onceAMinute } from '../../model/ports.ts';
import type { Reports } from './readiness.ts';

/**
 * The name of the part in `/readyz`. It never fails readiness: if the server's clock is wrong, all replicas would fail.
 */
export const clockPart = 'clock';

/**
 * The largest accepted difference between clocks. It must stay well below the 15 s without a sign after which a process
 * counts as dead. In milliseconds.
 */
const marginMs = 5000;

/** Slower answers are not used as measurements. In milliseconds. */
const slowestMs = 2000;

/** How often other clocks are read, and how often while the clock is wrong or unmeasured. In milliseconds. */
const askAgainMs = 60_000;
const askSoonMs = 5000;

/** HTTP's `Date` has whole seconds. */
const dateMs = 1000;

interface ClockWatchPorts extends Omit<Reports, 'clock'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Monotonic milliseconds, unaffected by setting the clock. */
  readonly monotonic: () => number;
}

interface AskedForTime {
  /** Epoch milliseconds; undefined if there is no other clock than this one. */
  readonly database: () => Promise<number | undefined>;
  /** Makes any call, whose answer reaches `slackAnswered`. Skipped if one was just made. */
  readonly slack?: () => Promise<unknown>;
}

/** Bounds of another clock's time at monotonic 0. */
interface Heard {
  readonly earliest: number;
  readonly latest: number;
}

/** Compares this machine's clock with PostgreSQL's and Slack's. */
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
  /** The least by which this clock is ahead of each other one, in milliseconds; negative if it is behind. */
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
     * Whether this clock agrees with the others. True until one was read. False as soon as this clock is set wrong, because
     * earlier readings advance by monotonic time.
     */
    isRight: () => wrong().length === 0,
    /** The `Date` of the answer to a call made at that time of `monotonic`. */
    slackAnswered: (date: string | null, askedAt: number): void =>
      hear('Slack', askedAt, Date.parse(date ?? ''), dateMs),
    /** Reads the clocks if due, and reports. Never rejects. */
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
