import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Workspace } from '../../playground/workspace/start-workspace.ts';
import type { StoreLocation } from '../../src/store/open-store.ts';
import { type Around, startRelay } from '../program/relay.ts';
import { createReplicas, type Replicas } from '../program/replicas.ts';
import { startSurroundings } from '../program/surroundings.ts';
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

/** The proxy between the workspace and the bots, or between the bots and the service. */
interface Way {
  readonly url: string;
  close(): Promise<void>;
}

/** Bots as processes, a workspace, a service, and proxies between them. Trials run in it. */
export interface World<Payloads extends Way> {
  readonly replicas: Replicas;
  readonly payloads: Payloads;
  readonly workspace: Workspace;
  readonly watch: ChannelWatch;
  readonly targets: readonly Target[];
  readonly location: StoreLocation;
  /** The data folder of the bots. */
  readonly dataDir: string;
  readonly changes: SeenChanges;
  /** Sets the faults of calls between each bot and the service from now on. Undefined: everything passes. */
  meetService(trouble: ((bot: number) => Around) | undefined): void;
  close(): Promise<void>;
}

interface WorldOptions<Payloads extends Way> {
  readonly bots: number;
  /** Undefined: the embedded store, for one bot. */
  readonly databaseUrl?: string | undefined;
  /** The number of instances. Each has one request at a time. */
  readonly targets: number;
  /** A request that no one presses ends after this many milliseconds. */
  readonly expireMs: number;
  /** Makes the proxy for payloads to the bots. */
  readonly payloads: (replicas: Replicas) => Promise<Payloads>;
  /** The proxy from the bots to Slack. Default: none. */
  readonly toSlack?: Way;
}

/** The secret of all trials. Trials also sign payloads that they post without the workspace. */
export const signingSecret = 'the-signing-secret-of-the-trials';

/** @param prepared a folder for the bots' data, where it is a special one */
export async function openWorld<Payloads extends Way>(
  { bots, databaseUrl, targets: howMany, expireMs, toSlack, ...ways }: WorldOptions<Payloads>,
  dataDir = mkdtempSync(join(tmpdir(), 'bellhop-trial-')),
): Promise<World<Payloads>> {
  const targets = targetsOf(howMany);
  const all = [...targets, ...rollingTargets];
  const toService = await openWaysToService(() => service.url, bots);
  const replicas = await createReplicas(bots, (bot) => ({
    ...env,
    API_BASE_URL: toService.urlOf(bot),
    ...(toSlack && { SLACK_API_URL: `${toSlack.url}/api/` }),
    LOG_LEVEL: 'warn',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }));
  const payloads = await ways.payloads(replicas);
  const { service, workspace, env } = await startSurroundings({
    dataDir,
    appUrl: payloads.url,
    rulebook: rulebookOf(all, expireMs),
    files: { [ownFile]: ownOperations },
    secrets: { signingSecret },
    ofService: { clockSpeed: 1000, inventory: inventoryOf(all) },
  });
  const botDir = join(dataDir, 'bot');
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

const count = (times: Map<string, number>, id: unknown): void =>
  void times.set(String(id), (times.get(String(id)) ?? 0) + 1);

/**
 * Opens a proxy to the service for each bot. Counts each change when it is sent, and right before the service executes
 * it.
 */
async function openWaysToService(serviceUrl: () => string, bots: number) {
  const [sent, effects] = [new Map<string, number>(), new Map<string, number>()];
  const troubles = new Map<number, Around>();
  const relays = await Promise.all(
    Array.from({ length: bots }, (_, bot) =>
      startRelay(serviceUrl, (passed, forward) => {
        const { method, headers } = passed;
        if (method !== 'GET') count(sent, headers['x-request-id']);
        const arrive: typeof forward = async (way) => {
          const answer = await forward(way);
          const carriedOut = method !== 'GET' && answer.status >= 200 && answer.status < 300;
          if (carriedOut) count(effects, headers['x-request-id']);
          return answer;
        };
        return troubles.get(bot)?.(passed, arrive) ?? arrive();
      }),
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

/** Waits in real time, because trials are about what happens at a certain moment. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));
