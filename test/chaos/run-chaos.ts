import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startLocalService } from '../../playground/service/start-local-service.ts';
import { startWorkspace } from '../../playground/workspace/start-workspace.ts';
import { openStore, type StoreLocation } from '../../src/store/open-store.ts';
import { watchChannels } from './channel-watch.ts';
import { countEffects, type EffectCounter } from './count-effects.ts';
import { createDice } from './seeded-random.ts';
import { createHerd, type Herd } from './load.ts';
import { type Scene, storyKinds, tellStory } from './story.ts';
import { chaosInventory, chaosRulebook, type ChaosTarget, chaosTargets } from './targets.ts';
import { startTollgate } from './fault-proxy.ts';
import { judgeBatch, type Verdict } from './verdict.ts';

export interface ChaosOptions {
  readonly runs: number;
  readonly seed: number;
  readonly bots: number;
  /** Undefined: embedded, for one bot. */
  readonly databaseUrl?: string;
  /** Stories under way at a time. */
  readonly atOnce: number;
  /** A request that nobody confirms ends after so many milliseconds. */
  readonly expireMs: number;
  /** Stories between two looks at the store. */
  readonly batch: number;
  /** No new batch is begun after so many milliseconds. */
  readonly withinMs: number;
  readonly onBatch?: (told: number, verdict: Verdict) => void;
}

export interface ChaosResult extends Verdict {
  readonly told: number;
  readonly kills: number;
  readonly redeliveries: number;
  /** Stories that did not come to their end. */
  readonly unfinished: readonly string[];
  /** What the bots wrote. */
  readonly output: string;
}

const secrets = { botToken: 'xoxb-chaos', signingSecret: 'the-signing-secret-of-chaos' };
const apiKey = 'the-key-of-chaos';
const root = join(import.meta.dirname, '../..');

/** Tells many stories at once, in batches, and judges after each what the store, the service and the channel hold. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-chaos-'));
  const targets = chaosTargets(options.atOnce);
  const rules = join(dataDir, 'bellhop.yaml');
  writeFileSync(rules, chaosRulebook(targets, options.expireMs));
  const dice = createDice(options.seed);
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    clockSpeed: 1000,
    inventory: chaosInventory(targets),
  });
  const counter = await countEffects(service.url);
  const tollgate = await startTollgate(counter.url, options.bots);
  const location: StoreLocation =
    options.databaseUrl === undefined
      ? { dataDir: join(dataDir, 'bot') }
      : { databaseUrl: options.databaseUrl };
  let slackUrl = '';
  const herd = await createHerd(options.bots, dice, (bot) => ({
    API_BASE_URL: tollgate.urlOf(bot),
    API_KEY: apiKey,
    SLACK_BOT_TOKEN: secrets.botToken,
    SLACK_SIGNING_SECRET: secrets.signingSecret,
    SLACK_API_URL: `${slackUrl}/api/`,
    BELLHOP_CONFIG: rules,
    DATA_DIR: join(dataDir, 'bot'),
    LOG_LEVEL: 'warn',
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
  }));
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    appUrl: `${herd.payloads.url}/slack/events`,
    ...secrets,
    manifestPath: join(root, 'manifest.json'),
    unlimited: true,
  });
  slackUrl = workspace.url;
  const watch = await watchChannels(workspace, 'U0ALICE');
  try {
    return await inBatches(
      options,
      { workspace, watch, herd, tollgate, dice, expireMs: options.expireMs },
      targets,
      location,
      counter,
    );
  } finally {
    watch.close();
    for (const each of [herd, tollgate, counter, workspace, service]) await each.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function inBatches(
  { runs, batch, withinMs, onBatch }: ChaosOptions,
  scene: Scene,
  targets: readonly ChaosTarget[],
  location: StoreLocation,
  counter: EffectCounter,
): Promise<ChaosResult> {
  const { herd } = scene;
  const began = performance.now();
  const unfinished: string[] = [];
  await herd.start();
  for (let told = 0; ;) {
    const now = Math.min(batch, runs - told);
    unfinished.push(...(await tellBatch(scene, targets, now)));
    told += now;
    const verdict = await settled(scene, location, counter);
    onBatch?.(told, verdict);
    if (told >= runs || performance.now() - began > withinMs) {
      return {
        ...verdict,
        told,
        kills: herd.kills(),
        redeliveries: herd.redeliveries(),
        unfinished,
        output: herd.output(),
      };
    }
    await herd.start();
  }
}

/** Each target has one story after the other, until enough are told. */
async function tellBatch(
  scene: Scene,
  targets: readonly ChaosTarget[],
  howMany: number,
): Promise<readonly string[]> {
  let left = howMany;
  const failures: string[] = [];
  const onTarget = async (target: ChaosTarget): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // Each kind in turn, so that few stories are of all kinds.
      const kind = storyKinds[left % storyKinds.length] ?? 'plain';
      const failure = await tellStory(scene, kind, target);
      if (failure !== undefined) failures.push(failure);
    }
  };
  await Promise.all(targets.map(onTarget));
  return failures;
}

/** A crash leaves a card to the next round of repairs, which other replicas may begin only after 15 s. */
const mostRounds = 6;

/**
 * Stops the bots as an operator does and judges. What a crash left to repairs is given time for them: the bots run
 * again for a while, and are judged anew.
 */
async function settled(
  { herd, tollgate, watch }: Scene,
  location: StoreLocation,
  { effects }: EffectCounter,
): Promise<Verdict> {
  for (let round = 1; ; round += 1) {
    await herd.stop();
    const store = await openStore(location);
    const verdict = await judgeBatch(store, { sent: tollgate.changes, effects }, watch.messages);
    await store.close();
    const unsettled = verdict.withoutEnd.length + verdict.staleCards.length;
    if (unsettled === 0 || round === mostRounds) return verdict;
    await repairs(herd);
  }
}

async function repairs(herd: Herd): Promise<void> {
  await herd.start();
  await new Promise((resolve) => setTimeout(resolve, 4000));
}
