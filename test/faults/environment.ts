import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startLocalService } from '../../playground/service/start-local-service.ts';
import { startWorkspace } from '../../playground/workspace/start-workspace.ts';
import type { StoreLocation } from '../../src/store/open-store.ts';
import { watchChannels } from '../chaos/channel-watch.ts';
import { countEffects } from '../chaos/count-effects.ts';
import { chaosInventory, chaosRulebook, chaosTargets } from '../chaos/targets.ts';
import type { SeenChanges } from '../chaos/verdict.ts';
import type { PostgresServer } from '../postgres.ts';
import type { Answer, Passed } from '../program/relay.ts';
import { createReplicas } from '../program/replicas.ts';
import { startBalancer } from './balancer.ts';
import { openPassage } from './proxy.ts';
import type { Scene } from './people.ts';
import { type Ground, type Scenario, slackMs } from './scenario.ts';
import { openSlackSide } from './slack-side.ts';
import { mountSmallDisk } from './small-disk.ts';

/** A ground that is set, with what the judge looks at. */
export interface SetGround extends Ground {
  readonly scene: Scene;
  readonly location: StoreLocation;
  readonly changes: SeenChanges;
  /** Private answers, by the id of the payload; of several the last that was no word of an interruption. */
  readonly answered: ReadonlyMap<string, 'answer' | 'interruption'>;
  close(): Promise<void>;
}

const secrets = { botToken: 'xoxb-faults', signingSecret: 'the-signing-secret-of-faults' };
const apiKey = 'the-key-of-faults';
const root = join(import.meta.dirname, '../..');

/** So long does the balancer of `deploy/nginx.conf` wait for one replica, in milliseconds. */
const balancerMs = 1500;

/** So many instances, of which each has one request at a time. */
const howMany = 240;

/** A request that nobody presses ends after so many milliseconds. */
const expireMs = 12_000;

export async function setGround(
  { store, diskBytes, patience = 1 }: Scenario,
  postgres: PostgresServer,
): Promise<SetGround> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-faults-'));
  const botDir = join(dataDir, 'bot');
  const disk = diskBytes === undefined ? undefined : await mountSmallDisk(botDir, diskBytes);
  const targets = chaosTargets(howMany);
  const rules = join(dataDir, 'bellhop.yaml');
  writeFileSync(rules, chaosRulebook(targets, expireMs));
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    clockSpeed: 1000,
    inventory: chaosInventory(targets),
  });
  const counter = await countEffects(service.url);
  const { toService, sent } = await countedWay(counter.url);
  const { toSlack, answered } = await answeredWay(() => workspace.url);
  const location: StoreLocation =
    store === 'postgres' ? { databaseUrl: await postgres.createDatabase() } : { dataDir: botDir };
  const replicas = await createReplicas(store === 'postgres' ? 2 : 1, () => ({
    API_BASE_URL: toService.url,
    API_KEY: apiKey,
    SLACK_BOT_TOKEN: secrets.botToken,
    SLACK_SIGNING_SECRET: secrets.signingSecret,
    SLACK_API_URL: `${toSlack.url}/api/`,
    BELLHOP_CONFIG: rules,
    DATA_DIR: botDir,
    LOG_LEVEL: 'warn',
    ...('databaseUrl' in location ? { DATABASE_URL: location.databaseUrl } : {}),
  }));
  const balancer = await startBalancer(() => replicas, balancerMs * patience);
  const payloads = await openPassage(() => balancer.url);
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    ...secrets,
    manifestPath: join(root, 'manifest.json'),
    unlimited: true,
  });
  const watch = await watchChannels(workspace, 'U0ALICE');
  const slack = openSlackSide(() => payloads.url, secrets.signingSecret, slackMs * patience);
  return {
    replicas,
    payloads,
    service: toService,
    slack: toSlack,
    postgres,
    dataDir: botDir,
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    scene: { slack, watch, targets, responseUrl: (id) => `${toSlack.url}${answers}${id}` },
    location,
    changes: { sent, effects: counter.effects },
    answered,
    async close() {
      watch.close();
      for (const each of [
        replicas,
        slack,
        payloads,
        balancer,
        toSlack,
        toService,
        counter,
        workspace,
        service,
      ])
        await each.close();
      await disk?.unmount();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function countedWay(serviceUrl: string) {
  const sent = new Map<string, number>();
  const onSent = ({ method, headers }: Passed): void => {
    if (method === 'GET') return;
    const id = String(headers['x-request-id']);
    sent.set(id, (sent.get(id) ?? 0) + 1);
  };
  return { toService: await openPassage(() => serviceUrl, { onSent }), sent };
}

/** Where private answers arrive, each at the address of its payload. */
const answers = '/answers/';

const taken: Answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('ok') };

async function answeredWay(workspaceUrl: () => string) {
  const answered = new Map<string, 'answer' | 'interruption'>();
  const take = ({ path, body }: Passed): Answer | undefined => {
    if (!path.startsWith(answers)) return undefined;
    const id = path.slice(answers.length);
    if (!body.includes('Bellhop was interrupted while handling')) answered.set(id, 'answer');
    else if (!answered.has(id)) answered.set(id, 'interruption');
    return taken;
  };
  return { toSlack: await openPassage(workspaceUrl, { answered: take }), answered };
}
