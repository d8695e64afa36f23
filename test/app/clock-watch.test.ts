import { describe, expect, it } from 'vitest';

import { clockPart, createClockWatch } from '../../src/app/health/clock-watch.ts';
import { createMetrics } from '../../src/app/health/metrics.ts';
import { createReadiness } from '../../src/host/readiness.ts';
import { createDrivenClock } from '../driven-clock.ts';

/** This machine's clock, `skewMs` away from all others; `elapsed` is time that no setting moves. */
function stage(skewMs = 0) {
  const warned: object[] = [];
  const log = {
    info: () => undefined,
    warn: (details: object) => void warned.push(details),
    error: () => undefined,
  };
  const others = createDrivenClock();
  const began = others.now();
  const machine = { skewMs, answersAfterMs: 0 };
  const metrics = createMetrics();
  const skews = async () =>
    new Map((await metrics.clockSkew.get()).values.map(({ labels, value }) => [labels.source, value]));
  const readiness = createReadiness(others, []);
  const asked = { database: 0, slack: 0 };
  const watch = createClockWatch({
    clock: { now: () => others.now() + machine.skewMs },
    monotonic: () => others.now() - began,
    log,
    readiness,
    metrics,
  });
  const slack = async () => {
    asked.slack += 1;
    watch.slackAnswered(new Date(others.now()).toUTCString(), others.now() - began);
  };
  const database = async () => {
    asked.database += 1;
    const said = others.now();
    await others.advance(machine.answersAfterMs);
    return said;
  };
  const round = () => watch.round({ database, slack });
  const part = () => readiness.parts()[clockPart];
  return { warned, others, machine, skews, asked, watch, round, part, readiness };
}

describe('the clock of this machine', () => {
  it.each([
    [20 * 60_000, 1200, "1199 s ahead of Slack's and 1200 s ahead of PostgreSQL's"],
    [-360_000, -360, "360 s behind Slack's and 360 s behind PostgreSQL's"],
    [6001, 6, "6 s ahead of PostgreSQL's"],
  ])('that is %i ms off is wrong, as others say', async (skewMs, seconds, words) => {
    const { round, watch, part, skews, warned, readiness } = stage(skewMs);
    await round();
    expect(watch.isRight()).toBe(false);
    expect(part()).toMatchObject({ ok: false, required: false });
    expect(part()?.lastError).toContain(words);
    expect(Math.round((await skews()).get('PostgreSQL') ?? 0)).toBe(seconds);
    expect(readiness.ready()).toBe(true);
    expect(warned).toHaveLength(1);
  });

  it.each([0, 4999, -4999])('that is %i ms off is right', async (skewMs) => {
    const { round, watch, part, warned } = stage(skewMs);
    await round();
    expect([watch.isRight(), part()?.ok, warned]).toEqual([true, true, []]);
  });

  it('is not judged before anyone was heard, nor by an answer that took long', async () => {
    const { watch, machine, part, others, skews } = stage(day);
    machine.answersAfterMs = 2001;
    const database = async () => {
      await others.advance(machine.answersAfterMs);
      return others.now();
    };
    await watch.round({ database });
    watch.slackAnswered(null, 0);
    expect([watch.isRight(), part(), (await skews()).size]).toEqual([true, undefined, 0]);
  });

  it('is judged by Slack alone if the store is embedded', async () => {
    const { watch, others, part } = stage(day);
    watch.slackAnswered(new Date(others.now()).toUTCString(), 0);
    await watch.round({ database: () => Promise.resolve(undefined) });
    expect(part()?.lastError).toMatch(/machine's clock is 86399 s ahead of Slack's; correct it,/u);
  });

  it('that is set is wrong at once, even while no one answers, and right again once it is set back', async () => {
    const { watch, machine, round, part } = stage();
    await round();
    machine.skewMs = day;
    expect(watch.isRight()).toBe(false);
    await watch.round({ database: away, slack: away });
    expect(part()?.ok).toBe(false);
    machine.skewMs = 0;
    expect(watch.isRight()).toBe(true);
    await round();
    expect(part()?.ok).toBe(true);
  });

  it('is compared each minute, and every 5 s while it is wrong', async () => {
    const { others, machine, round, asked } = stage();
    for (let second = 0; second <= 60; second += 1) {
      await round();
      await others.advance(1000);
    }
    expect(asked).toEqual({ database: 2, slack: 2 });
    machine.skewMs = day;
    for (let second = 0; second < 10; second += 1) {
      await round();
      await others.advance(1000);
    }
    expect(asked).toEqual({ database: 4, slack: 4 });
  });
});

const day = 24 * 60 * 60_000;
const away = () => Promise.reject(new Error('away'));
