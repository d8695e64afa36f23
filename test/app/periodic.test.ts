import { expect, it } from 'vitest';

import { startPeriodic, startSoon } from '../../src/app/jobs.ts';
import { createDrivenClock } from '../driven-clock.ts';

function stage() {
  const logged: string[] = [];
  const note = (_: object, message: string): void => void logged.push(message);
  return { clock: createDrivenClock(), logged, log: { info: note, warn: note, error: note } };
}

it('a periodic task is done at once and again, until it is stopped', async () => {
  const { clock, log } = stage();
  let rounds = 0;
  const stop = startPeriodic([{ name: 'count', everyMs: 1000, round: async () => void (rounds += 1) }], {
    clock,
    log,
  });
  await clock.advance(3000);
  expect(rounds).toBe(4);
  stop();
  await clock.advance(3000);
  expect(rounds).toBe(4);
});

it('a periodic task is not started again while it still runs', async () => {
  const { clock, log } = stage();
  const first = Promise.withResolvers<undefined>();
  let rounds = 0;
  const round = async (): Promise<void> => {
    rounds += 1;
    await first.promise;
  };
  startPeriodic([{ name: 'slow', everyMs: 1000, round }], { clock, log });
  await clock.advance(5000);
  expect(rounds).toBe(1);
  first.resolve(undefined);
  await clock.advance(1000);
  expect(rounds).toBe(2);
});

it('work that fails every second is reported once a minute, and once when it works again', async () => {
  const { clock, log, logged } = stage();
  let fails = true;
  let rounds = 0;
  const round = (): Promise<void> => {
    rounds += 1;
    return fails ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  startPeriodic([{ name: 'sweep', everyMs: 1000, round }], { clock, log });
  await clock.advance(59_000);
  expect(rounds).toBe(60);
  expect(logged).toEqual(['job failed; retrying']);
  await clock.advance(1000);
  expect(logged).toHaveLength(2);
  fails = false;
  await clock.advance(5000);
  expect(logged.slice(2)).toEqual(['job works again']);
});

it('work that fails for another reason within the minute is reported at once', async () => {
  const { clock, log, logged } = stage();
  const reasons = ['away', 'away', 'the disk is full', 'away', 'the disk is full'];
  const round = (): Promise<void> => Promise.reject(new Error(reasons.shift()));
  startPeriodic([{ name: 'sweep', everyMs: 1000, round }], { clock, log });
  await clock.advance(4000);
  expect(logged).toHaveLength(2);
});

it('work that fails for a different reason each time is reported only a bounded number of times', async () => {
  const { clock, log, logged } = stage();
  let tries = 0;
  startPeriodic(
    [{ name: 'sweep', everyMs: 100, round: () => Promise.reject(new Error(`failure ${(tries += 1)}`)) }],
    { clock, log },
  );
  await clock.advance(30_000);
  expect(logged).toHaveLength(100);
});

it('what starts soon does not delay the first payload, and does not start after its stop', async () => {
  const { clock } = stage();
  const happened: string[] = [];
  const start = (name: string) => (): (() => void) => {
    happened.push(`${name} starts`);
    return () => void happened.push(`${name} stops`);
  };
  const stops = ['one', 'other'].map((name) => startSoon(clock, start(name)));
  await clock.advance(100);
  expect(happened).toEqual([]);
  stops[1]?.();
  await clock.advance(5000);
  expect(happened).toEqual(['one starts']);
  stops[0]?.();
  await clock.advance(5000);
  expect(happened).toEqual(['one starts', 'one stops']);
});
