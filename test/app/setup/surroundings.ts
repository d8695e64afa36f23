import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { type LocalService, startLocalService } from '../../../playground/service/start-local-service.ts';
import { defaultInventory } from '../../../playground/service/state/inventory.ts';
import { startWorkspace, type Workspace } from '../../../playground/workspace/start-workspace.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import { operations } from '../../../src/operations/index.ts';
import { manifestOf } from '../../../src/slack/manifest.ts';
import { botScopes } from '../../../src/slack/web-api/scopes.ts';
import { callScript } from '../../call-program.ts';
import { lookAt } from '../../program/workspace-page.ts';
import type { Ran } from '../../run-node.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** Every secret that a test gives to setup. None of them may be printed. */
export const secrets = {
  bot: 'xoxb-of-the-setup',
  app: 'xapp-of-the-setup',
  signing: 'signing-of-the-setup',
  key: 'key-of-the-setup',
};

/** Scopes with which setup can look at channels and addresses, which the manifest does not have. */
export const allScopes = [...Object.keys(botScopes), 'channels:read', 'users:read.email'];

export interface Surroundings {
  readonly workspace: Workspace;
  readonly service: LocalService;
  /** The environment of someone who has installed the app for Socket Mode. */
  readonly env: Readonly<Record<string, string>>;
}

/** An instance of the service. */
export const app1 = { id: '99999999-7836-4dc2-a2ae-125e248be476', project: 12, region: 180 };

/** A workspace with the app installed, and a service. */
export function surroundings(
  scopes: readonly string[] = Object.keys(botScopes),
  extensions?: readonly 'instance-list'[],
): () => Surroundings {
  let started: Surroundings | undefined;
  beforeAll(async () => {
    const folder = temporaryFolder();
    const workspace = await startWorkspace({
      port: 0,
      dataDir: join(folder, 'workspace'),
      botToken: secrets.bot,
      appToken: secrets.app,
      signingSecret: secrets.signing,
      manifestPath: '',
      manifest: {
        ...manifestOf(createRegistry(operations, []), 'socket'),
        oauth_config: { scopes: { bot: scopes } },
      },
    });
    const service = await startLocalService({
      port: 0,
      dataDir: join(folder, 'service'),
      apiKey: secrets.key,
      inventory: { ...defaultInventory, instances: { ...defaultInventory.instances, 'app-1': app1 } },
      extensions,
    });
    const env = {
      SLACK_API_URL: `${workspace.url}/api/`,
      SLACK_BOT_TOKEN: secrets.bot,
      SLACK_APP_TOKEN: secrets.app,
    };
    started = { workspace, service, env };
  });
  afterAll(async () => {
    await started?.workspace.close();
    await started?.service.close();
  });
  return () => {
    if (!started) throw new Error('nothing has started yet');
    return started;
  };
}

/** Runs `npm run setup -- …` in the process of the test, without a terminal. */
export const runSetup = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<Ran> => callScript('src/app/setup/main.ts', args, env, folder);

/** The texts that Alice has from Bellhop as direct messages. */
export async function directMessages(
  { workspace }: Surroundings,
  as = 'U0ALICE',
): Promise<readonly string[]> {
  const { channels } = await lookAt(workspace, as);
  return channels.flatMap(({ id, messages }) => (id.startsWith('D') ? messages.map(({ text }) => text) : []));
}

export const fileIn = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
export const modeOf = (folder: string, name: string): string =>
  (statSync(join(folder, name)).mode & 0o777).toString(8);
