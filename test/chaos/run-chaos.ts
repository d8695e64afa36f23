import { createDice } from '../harness/seeded-random.ts';
import { rollingTargets, type Target } from '../harness/targets.ts';
import { faultsIn, judgeWorld, type Verdict } from '../harness/verdict.ts';
import { openWorld, pause, type World } from '../harness/world.ts';
import { createHerd, type Herd } from './load.ts';
import { type Scene, storyKinds, tellRollout, tellStory } from './story.ts';
import { openTollgate } from './tollgate.ts';
import { openStore } from '../store/open-store.ts';

export interface ChaosOptions {
  readonly runs: number;
  readonly seed: number;
  readonly bots: number;
  /** Undefined: the embedded store, for one bot. */
  readonly databaseUrl?: string;
  /** The number of stories at a time. */
  readonly atOnce: number;
  /** A request that no one confirms ends after this many milliseconds. */
  readonly expireMs: number;
  /** The number of stories between two checks of the store. */
  readonly batch: number;
  /** No new batch is begun after this many milliseconds. */
  readonly withinMs: number;
  readonly onBatch?: (told: number, verdict: Verdict) => void;
}

export interface ChaosResult extends Verdict {
  readonly told: number;
  readonly kills: number;
  readonly redeliveries: number;
  /** Stories that did not finish. */
  readonly unfinished: readonly string[];
}

/** Each violation in words. */
export const faultsOf = (result: ChaosResult): readonly string[] => [
  ...faultsIn(result),
  ...result.unfinished.map((what) => `unfinished: ${what}`),
];

/**
 * Runs many stories at once, in batches. After each batch, judges the state of the store, the service and the channel.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { bots, databaseUrl, atOnce, expireMs, seed } = options;
  const dice = createDice(seed);
  const world = await openWorld({
    bots,
    databaseUrl,
    targets: atOnce,
    expireMs,
    payloads: (replicas) => createHerd(replicas, dice),
  });
  const { workspace, watch, payloads: herd } = world;
  try {
    const scene = { workspace, watch, herd, tollgate: openTollgate(world), dice, expireMs };
    return await inBatches(options, scene, world);
  } finally {
    await world.close();
  }
}

async function inBatches(
  { runs, batch, withinMs, onBatch }: ChaosOptions,
  scene: Scene,
  world: World<Herd>,
): Promise<ChaosResult> {
  const { herd } = scene;
  const began = performance.now();
  const unfinished: string[] = [];
  await herd.start();
  for (let told = 0; ;) {
    const now = Math.min(batch, runs - told);
    unfinished.push(...(await tellBatch(scene, world.targets, now)));
    told += now;
    const verdict = await settled(world);
    onBatch?.(told, verdict);
    if (told >= runs || performance.now() - began > withinMs)
      return { ...verdict, told, kills: herd.kills(), redeliveries: herd.redeliveries(), unfinished };
    await herd.start();
  }
}

/** Each target has one story after the other, until enough have run; in addition, one rollout runs. */
async function tellBatch(
  scene: Scene,
  targets: readonly Target[],
  howMany: number,
): Promise<readonly string[]> {
  let left = howMany;
  const failures: string[] = [];
  const onTarget = async (target: Target): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // Each kind in turn, so that few stories are of all kinds.
      const kind = storyKinds[left % storyKinds.length] ?? 'plain';
      const failure = await tellStory(scene, kind, target);
      if (failure !== undefined) failures.push(failure);
    }
  };
  const [rolled] = await Promise.all([tellRollout(scene, rollingTargets), ...targets.map(onTarget)]);
  return rolled === undefined ? failures : [...failures, rolled];
}

/** A crash leaves a card to the next round of repairs, which other replicas may begin only after 15 s. */
const maxRounds = 6;

/**
 * Stops the bots as an operator does, and judges. If a crash left repairs to be done, the bots run again for a while
 * and are judged again.
 */
async function settled(world: World<Herd>): Promise<Verdict> {
  const { payloads: herd } = world;
  for (let round = 1; ; round += 1) {
    await herd.stop();
    const store = await openStore(world.location);
    const verdict = await judgeWorld(store, world);
    await store.close();
    const unsettled = verdict.withoutEnd.length + verdict.staleCards.length;
    if (unsettled === 0 || round === maxRounds) return verdict;
    await herd.start();
    await pause(4000);
  }
}
