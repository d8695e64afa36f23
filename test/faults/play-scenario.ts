import type { Store } from '../../src/store/store.ts';
import { faultsIn } from '../harness/verdict.ts';
import { pause } from '../harness/world.ts';
import type { PostgresServer } from '../postgres.ts';
import { setGround, type SetGround } from './environment.ts';
import { judge, type Judgement, openToRead } from './judge.ts';
import { letPeopleWork, letThemRoll } from './people.ts';
import type { Scenario } from './scenario.ts';

/** The result of a scenario, or why it was not played. */
export type Played =
  | { readonly scenario: Scenario; readonly notPlayed: string }
  | ({
      readonly scenario: Scenario;
      readonly trouble: readonly string[];
      readonly seconds: number;
    } & Judgement);

const usualPerSecond = 12;

/** How long people work before something goes wrong, in milliseconds. */
const beforeMs = 1000;

/** In milliseconds. After people have stopped, everything must end within this time. */
const settleWithinMs = 180_000;

/** Plays a scenario for at least this many seconds. Judges when everything has ended and the bots have stopped. */
export async function playScenario(
  scenario: Scenario,
  postgres: PostgresServer,
  seconds: number,
): Promise<Played> {
  const reason = await scenario.cannotPlay?.();
  if (reason !== undefined) return { scenario, notPlayed: reason };
  const began = performance.now();
  const ground = await setGround(scenario, postgres);
  const trouble: string[] = [];
  try {
    await Promise.all(all(ground).map((bot) => ground.replicas.start(bot)));
    trouble.push(...(await workThrough(ground, scenario, seconds)));
    const store = openToRead(ground.world.location);
    try {
      await settled(ground, store);
      for (const bot of all(ground)) {
        const code = await ground.replicas.end(bot, 'SIGTERM');
        if (code !== 0) trouble.push(`a bot ended with ${code} after SIGTERM`);
      }
      const judgement = await judge(ground, store);
      return { scenario, trouble, seconds: (performance.now() - began) / 1000, ...judgement };
    } finally {
      await store.close();
    }
  } finally {
    await ground.close();
  }
}

const all = ({ replicas }: SetGround): readonly number[] =>
  Array.from({ length: replicas.size }, (_, bot) => bot);

async function workThrough(
  ground: SetGround,
  { play, rolls, perSecond = usualPerSecond }: Scenario,
  seconds: number,
): Promise<readonly string[]> {
  const trouble: string[] = [];
  const until = performance.now() + seconds * 1000;
  let over = false;
  const work = letPeopleWork(ground.scene, perSecond, () => !over || performance.now() < until);
  const rolled = rolls && letThemRoll(ground.scene);
  await pause(beforeMs);
  try {
    await play(ground);
  } catch (error) {
    trouble.push(error instanceof Error ? error.message : String(error));
  }
  over = true;
  await work;
  const wrong = await rolled;
  if (wrong !== undefined) trouble.push(wrong);
  return trouble;
}

/** Waits until nothing is open, outdated or lost. The judge reports what still is after that. */
async function settled(ground: SetGround, store: Store): Promise<void> {
  const until = performance.now() + settleWithinMs;
  while (performance.now() < until && !(await isQuiet(ground, store))) await pause(500);
}

async function isQuiet(ground: SetGround, store: Store): Promise<boolean> {
  const { requests, due } = await store.tally(Date.now());
  const waiting = requests.proposed + requests['awaiting approval'] + requests.running + requests.rolling;
  if (waiting > 0 || due.some(({ kind }) => kind === 'card')) return false;
  const judgement = await judge(ground, store);
  return judgement.lost.length + faultsIn(judgement).length === 0;
}
