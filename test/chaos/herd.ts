import { freePort, startProcess, type BotProcess } from '../program/bot-process.ts';
import { startRelay, type Relay } from '../program/relay.ts';
import type { Dice } from './dice.ts';

/** Bots on one store, any of which may die at any time, and the way of payloads to them. */
export interface Herd {
  readonly size: number;
  /** Where payloads go: to any bot, some of them twice, late, or in another order. */
  readonly payloads: Relay;
  readonly kills: () => number;
  readonly redeliveries: () => number;
  start(): Promise<void>;
  /**
   * kill -9, and a new process in its place at once. One that has just been started is spared for a moment, or nothing
   * would ever be done: `now` then kills nobody, `soon` waits.
   */
  kill(bot: number, when: 'now' | 'soon'): Promise<void>;
  /** SIGTERM to all of them. */
  stop(): Promise<void>;
  output(): string;
  close(): Promise<void>;
}

const redelivered = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };

/** So late may a payload come again, in milliseconds: long enough for a process to have died in between. */
const latestMs = 2500;

/** So long is a new process spared, in milliseconds. */
const sparedMs = 2000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));

/** @param envOf the environment of each bot, but for its port */
export async function createHerd(
  size: number,
  dice: Dice,
  envOf: (bot: number) => Readonly<Record<string, string>>,
): Promise<Herd> {
  const ports = await Promise.all(Array.from({ length: size }, freePort));
  const bots: (BotProcess | undefined)[] = ports.map(() => undefined);
  const killing = new Map<number, Promise<void>>();
  const sparedUntil = ports.map(() => 0);
  const outputs: string[] = [];
  let [kills, redeliveries, latest] = [0, 0, 0];
  const urlOf = (bot: number): string => `http://127.0.0.1:${ports[bot] ?? 0}`;
  const payloads = await startRelay(
    () => urlOf(latest),
    async (passed, forward) => {
      const toAny = (): Promise<Awaited<ReturnType<typeof forward>>> => {
        latest = dice.below(size);
        return forward();
      };
      if (dice.chance(0.25)) void again(dice.below(latestMs));
      if (dice.chance(0.2)) await pause(dice.below(60));
      // A balancer tries the next one.
      return toAny().catch(toAny);

      async function again(ms: number): Promise<void> {
        await pause(ms);
        latest = dice.below(size);
        await payloads.again(passed, redelivered).then(
          () => (redeliveries += 1),
          () => undefined,
        );
      }
    },
  );
  const start = async (bot: number): Promise<void> => {
    const started = await startProcess({ ...envOf(bot), PORT: String(ports[bot] ?? 0) });
    bots[bot] = started;
    sparedUntil[bot] = performance.now() + sparedMs;
    if (!started.output().includes('Bellhop is ready')) throw new Error(started.output());
  };
  const restart = async (bot: number): Promise<void> => {
    await pause((sparedUntil[bot] ?? 0) - performance.now());
    kills += 1;
    await bots[bot]?.end('SIGKILL');
    outputs.push(bots[bot]?.output() ?? '');
    await start(bot);
  };
  return {
    size,
    payloads,
    kills: () => kills,
    redeliveries: () => redeliveries,
    start: async () => void (await Promise.all(ports.map((_, bot) => start(bot)))),
    async kill(bot, when) {
      if (when === 'now' && performance.now() < (sparedUntil[bot] ?? 0)) return;
      const under = killing.get(bot) ?? restart(bot).finally(() => killing.delete(bot));
      killing.set(bot, under);
      await under;
    },
    async stop() {
      await Promise.all(killing.values());
      await Promise.all(bots.map(async (bot) => bot?.end('SIGTERM')));
      outputs.push(...bots.map((bot) => bot?.output() ?? ''));
    },
    output: () => outputs.join(''),
    async close() {
      await Promise.all(bots.map(async (bot) => bot?.end('SIGKILL')));
      await payloads.close();
    },
  };
}
