import type { Dice } from '../harness/seeded-random.ts';
import { pause } from '../harness/world.ts';
import { startRelay } from '../program/relay.ts';
import type { Replicas } from '../program/replicas.ts';

/** Bots on one store, any of which may die at any time, and the proxy that passes payloads to them. */
export interface Herd {
  readonly size: number;
  /** Sends payloads to any bot, some of them twice, late, or in another order. */
  readonly url: string;
  readonly kills: () => number;
  readonly redeliveries: () => number;
  start(): Promise<void>;
  /**
   * Kills a bot with kill -9, and starts a new process in its place at once. A bot that has just been started is spared
   * for a moment, or nothing would ever be done: `now` then kills no one, `soon` waits.
   */
  kill(bot: number, when: 'now' | 'soon'): Promise<void>;
  /** SIGTERM to all of them. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const redelivered = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };

/** In milliseconds. A payload may be delivered again this late, so that a process can have died in between. */
const latestMs = 2500;

/** How long a new process is spared, in milliseconds. */
const sparedMs = 2000;

export async function createHerd(replicas: Replicas, dice: Dice): Promise<Herd> {
  const { size } = replicas;
  const all = Array.from({ length: size }, (_, bot) => bot);
  const killing = new Map<number, Promise<void>>();
  const sparedUntil = all.map(() => 0);
  let [kills, redeliveries, latest] = [0, 0, 0];
  const payloads = await startRelay(
    () => replicas.urlOf(latest),
    async (passed, forward) => {
      const toAny = (): Promise<Awaited<ReturnType<typeof forward>>> => {
        latest = dice.below(size);
        return forward();
      };
      if (dice.chance(0.25)) void again(dice.below(latestMs));
      if (dice.chance(0.2)) await pause(dice.below(60));
      // A load balancer tries the next bot.
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
    await replicas.start(bot);
    sparedUntil[bot] = performance.now() + sparedMs;
  };
  const restart = async (bot: number): Promise<void> => {
    await pause((sparedUntil[bot] ?? 0) - performance.now());
    kills += 1;
    await replicas.end(bot, 'SIGKILL');
    await start(bot);
  };
  return {
    size,
    url: payloads.url,
    kills: () => kills,
    redeliveries: () => redeliveries,
    start: async () => void (await Promise.all(all.map(start))),
    async kill(bot, when) {
      if (when === 'now' && performance.now() < (sparedUntil[bot] ?? 0)) return;
      const under = killing.get(bot) ?? restart(bot).finally(() => killing.delete(bot));
      killing.set(bot, under);
      await under;
    },
    async stop() {
      await Promise.all(killing.values());
      await Promise.all(all.map((bot) => replicas.end(bot, 'SIGTERM')));
    },
    close: () => payloads.close(),
  };
}
