import type { Ground, Scenario } from '../scenario.ts';
import { slow } from './service-troubles.ts';
import { pause } from '../../harness/world.ts';

/** Bots die one after the other, in turn. A new process replaces each after a second. */
export const killed = (deaths: number): Scenario => ({
  name: 'kill -9 of one',
  guard: 'payloads are stored before they are acknowledged; leases; one conditional update per step',
  store: 'postgres',
  perSecond: 25,
  play: async ({ replicas, service }) => {
    service.meet(slow(300));
    for (let death = 0; death < deaths; death += 1) {
      const bot = death % replicas.size;
      await replicas.end(bot, 'SIGKILL');
      await pause(1000);
      await replicas.start(bot);
      await pause(1000);
    }
    service.meet(undefined);
  },
});

/** How long the sender of the signal waits, in milliseconds. */
const exitWithinMs = 15_000;

async function stop({ replicas }: Ground, bot: number): Promise<void> {
  const began = performance.now();
  const code = await replicas.end(bot, 'SIGTERM');
  const ms = Math.round(performance.now() - began);
  if (code !== 0 || ms > exitWithinMs) throw new Error(`after SIGTERM it ended with ${code} after ${ms} ms`);
}

export const stopped: Scenario = {
  name: 'SIGTERM of one',
  guard: '503 while stopping; the drain',
  store: 'postgres',
  unnoticed: true,
  play: async (ground) => {
    ground.service.meet(slow(800));
    // So that changes are under way when the signal comes.
    await pause(2000);
    await stop(ground, 0);
    await pause(3000);
    await ground.replicas.start(0);
    ground.service.meet(undefined);
  },
};

/** The process is suspended for longer than its leases, which end after 2 s, so its state is old when it wakes. */
const suspended: Scenario = {
  name: 'SIGSTOP of one, past its leases',
  guard: 'all replicas know what was delivered; the version in each step',
  store: 'postgres',
  play: async ({ replicas, service }) => {
    service.meet(slow(400));
    for (const bot of [0, 1]) {
      replicas.signal(bot, 'SIGSTOP');
      await pause(6000);
      replicas.signal(bot, 'SIGCONT');
      await pause(1500);
    }
    service.meet(undefined);
  },
};

const rolling: Scenario = {
  name: 'rolling restart, twice, at 50 commands a second',
  guard: '503 while stopping; the drain',
  store: 'postgres',
  unnoticed: true,
  perSecond: 50,
  play: async (ground) => {
    ground.service.meet(slow(400));
    await pause(1000);
    for (const bot of [0, 1, 0, 1]) {
      await stop(ground, bot);
      await ground.replicas.start(bot);
      await pause(500);
    }
    ground.service.meet(undefined);
  },
};

export const processScenarios = [killed(4), stopped, suspended, rolling] as const;
