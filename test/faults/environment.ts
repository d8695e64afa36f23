import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openWorld, signingSecret, type World } from '../harness/world.ts';
import type { PostgresServer } from '../postgres.ts';
import type { Answer, Passed } from '../program/relay.ts';
import { startBalancer } from './balancer.ts';
import { openPassage, type Passage } from './proxy.ts';
import type { Scene } from './people.ts';
import { type Ground, type Scenario, slackMs } from './scenario.ts';
import { openSlackSide } from './slack-side.ts';
import { mountSmallDisk } from './small-disk.ts';

/** A ground that is ready, with the data that the judge needs. */
export interface SetGround extends Ground {
  readonly scene: Scene;
  readonly world: World<Passage>;
  /**
   * Private answers by the id of the payload. Of several answers, the last one that is not a note of an interruption
   * counts.
   */
  readonly answered: ReadonlyMap<string, 'answer' | 'interruption'>;
  close(): Promise<void>;
}

/** How long the balancer of `deploy/nginx.conf` waits for one replica, in milliseconds. */
const balancerMs = 1500;

/** The number of instances. Each has one request at a time. */
const howMany = 240;

/** A request that no one presses ends after this many milliseconds. */
const expireMs = 12_000;

export async function setGround(
  { store, diskBytes, patience = 1 }: Scenario,
  postgres: PostgresServer,
): Promise<SetGround> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-faults-'));
  const disk = diskBytes === undefined ? undefined : await mountSmallDisk(join(dataDir, 'bot'), diskBytes);
  const answered = new Map<string, 'answer' | 'interruption'>();
  const toSlack = await openPassage(() => world.workspace.url, answersOf(answered));
  const world = await openWorld(
    {
      bots: store === 'postgres' ? 2 : 1,
      databaseUrl: store === 'postgres' ? await postgres.createDatabase() : undefined,
      targets: howMany,
      expireMs,
      payloads: async (replicas) => {
        const balancer = await startBalancer(replicas, balancerMs * patience);
        const passage = await openPassage(() => balancer.url);
        return {
          ...passage,
          close: async () => void (await Promise.all([passage.close(), balancer.close()])),
        };
      },
      toSlack,
    },
    dataDir,
  );
  const { replicas, payloads, watch, targets } = world;
  const slack = openSlackSide(() => payloads.url, signingSecret, slackMs * patience);
  return {
    replicas,
    payloads,
    service: { meet: (trouble) => world.meetService(trouble && (() => trouble)) },
    slack: toSlack,
    postgres,
    dataDir: world.dataDir,
    scene: { slack, watch, targets, responseUrl: (id) => `${toSlack.url}${answers}${id}` },
    world,
    answered,
    async close() {
      await slack.close();
      await disk?.unmount();
      await world.close();
    },
  };
}

/** Receives private answers, each at the URL of its payload. */
const answers = '/answers/';

const taken: Answer = { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('ok') };

const answersOf =
  (answered: Map<string, 'answer' | 'interruption'>) =>
  ({ path, body }: Passed): Answer | undefined => {
    if (!path.startsWith(answers)) return undefined;
    const id = path.slice(answers.length);
    if (!body.includes('Bellhop was interrupted while handling')) answered.set(id, 'answer');
    else if (!answered.has(id)) answered.set(id, 'interruption');
    return taken;
  };
