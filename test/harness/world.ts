import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { startLocalService } from '../../playground/service/start-local-service.ts';
import { startWorkspace, type Workspace } from '../../playground/workspace/start-workspace.ts';
import type { StoreLocation } from '../../src/store/open-store.ts';
import { type Around, startRelay } from '../program/relay.ts';
import { createReplicas, type Replicas } from '../program/replicas.ts';
import { type ChannelWatch, watchChannels } from './channel-watch.ts';
import {
  inventoryOf,
  ownFile,
  ownOperations,
  rollingTargets,
  rulebookOf,
  type Target,
  targetsOf,
} from './targets.ts';
import type { SeenChanges } from './verdict.ts';

/** What stands between the workspace and the bots, or the bots and the service. */
interface Way {
  readonly url: string;
  close(): Promise<void>;
}

/** Bots as processes, a workspace, a service, and the ways between them: where trials are held and judged. */
export interface World<Payloads extends Way> {
  readonly replicas: Replicas;
  readonly payloads: Payloads;
  readonly workspace: Workspace;
  readonly watch: ChannelWatch;
  readonly targets: readonly Target[];
  readonly location: StoreLocation;
  /** Of the bots. */
  readonly dataDir: string;
  readonly changes: SeenChanges;
  /** What happens from now on between each bot and the service; undefined: everything passes. */
  meetService(trouble: ((bot: number) => Around) | undefined): void;
  close(): Promise<void>;
}

interface WorldOptions<Payloads extends Way> {
  readonly bots: number;
  /** Undefined: the embedded store, for one bot. */
  readonly databaseUrl?: string | undefined;
  /** How many instances; each has one request at a time. */
  readonly targets: number;
  /** A request that no one presses ends after this many milliseconds. */
  readonly expireMs: number;
  /** The way of payloads to the bots. */
  readonly payloads: (replicas: Replicas) => Promise<Payloads>;
  /** The way of the bots to Slack; straight if absent. */
  readonly toSlack?: Way;
}

/** Of all trials; anyone who posts payloads without the workspace signs with it. */
export const signingSecret = 'the-signing-secret-of-the-trials';
const slack = { botToken: 'xoxb-trials', signingSecret };
const apiKey = 'the-key-of-the-trials';
const root = join(import.meta.dirname, '../..');

/** @param prepared a folder for the bots' data, where it is a special one */
export async function openWorld<Payloads extends Way>(
  { bots, databaseUrl, targets: howMany, expireMs, toSlack, ...ways }: WorldOptions<Payloads>,
  dataDir = mkdtempSync(join(tmpdir(), 'bellhop-trial-')),
): Promise<World<Payloads>> {
  const botDir = join(dataDir, 'bot');
  const targets = targetsOf(howMany);
  const rules = join(dataDir, 'bellhop.yaml');
  const all = [...targets, ...rollingTargets];
  writeFileSync(rules, rulebookOf(all, expireMs));
  mkdirSync(dirname(join(dataDir, ownFile)), { recursive: true });
  writeFileSync(join(dataDir, ownFile), ownOperations);
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    clockSpeed: 1000,
    inventory: inventoryOf(all),
  });
  const toService = await openWaysToService(service.url, bots);
  const replicas = await createReplicas(bots, (bot) => ({
    API_BASE_URL: toService.urlOf(bot),
    API_KEY: apiKey,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: `${toSlack?.url ?? workspace.url}/api/`,
    BELLHOP_CONFIG: rules,
    DATA_DIR: botDir,
    LOG_LEVEL: 'warn',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }));
  const payloads = await ways.payloads(replicas);
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    appUrl: `${payloads.url}/slack/events`,
    ...slack,
    manifestPath: '',
    manifest: manifestWithOwn(),
    unlimited: true,
  });
  const watch = await watchChannels(workspace, 'U0ALICE');
  return {
    replicas,
    payloads,
    workspace,
    watch,
    targets,
    location: databaseUrl === undefined ? { dataDir: botDir } : { databaseUrl },
    dataDir: botDir,
    changes: toService.changes,
    meetService: (trouble) => toService.meet(trouble),
    async close() {
      watch.close();
      for (const each of [replicas, payloads, toSlack, toService, workspace, service]) await each?.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const manifestSchema = z.looseObject({
  features: z.looseObject({ slash_commands: z.array(z.looseObject({ command: z.string() })) }),
});

/** With the command of the file of operations. */
function manifestWithOwn(): unknown {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')));
  const { slash_commands: commands } = manifest.features;
  const cloud = commands.find(({ command }) => command === '/cloud');
  const all = [...commands, { ...cloud, command: '/box' }];
  return { ...manifest, features: { ...manifest.features, slash_commands: all } };
}

const count = (times: Map<string, number>, id: unknown): void =>
  void times.set(String(id), (times.get(String(id)) ?? 0) + 1);

/** One way for each bot. Counts each change as it is sent, and right before the service as it is carried out. */
async function openWaysToService(serviceUrl: string, bots: number) {
  const [sent, effects] = [new Map<string, number>(), new Map<string, number>()];
  const troubles = new Map<number, Around>();
  const relays = await Promise.all(
    Array.from({ length: bots }, (_, bot) =>
      startRelay(
        () => serviceUrl,
        (passed, forward) => {
          const { method, headers } = passed;
          if (method !== 'GET') count(sent, headers['x-request-id']);
          const arrive: typeof forward = async (way) => {
            const answer = await forward(way);
            const carriedOut = method !== 'GET' && answer.status >= 200 && answer.status < 300;
            if (carriedOut) count(effects, headers['x-request-id']);
            return answer;
          };
          return troubles.get(bot)?.(passed, arrive) ?? arrive();
        },
      ),
    ),
  );
  return {
    urlOf: (bot: number): string => relays[bot]?.url ?? '',
    changes: { sent, effects },
    meet(trouble: ((bot: number) => Around) | undefined): void {
      troubles.clear();
      if (trouble) for (const bot of relays.keys()) troubles.set(bot, trouble(bot));
    },
    close: async () => void (await Promise.all(relays.map((relay) => relay.close()))),
  };
}

/** Real time: trials are about what happens at a certain one. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));
