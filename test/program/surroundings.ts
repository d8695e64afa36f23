import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { defaultInventory } from '../../playground/service/state/inventory.ts';
import {
  type LocalService,
  type LocalServiceOptions,
  startLocalService,
} from '../../playground/service/start-local-service.ts';
import {
  startWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from '../../playground/workspace/start-workspace.ts';
import { callProgram } from '../call-program.ts';

const root = join(import.meta.dirname, '../..');

/** A service and a workspace in this process. */
export interface Surroundings {
  readonly service: LocalService;
  readonly workspace: Workspace;
  /** The settings of a bot that uses them, except for its port. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SurroundingsOptions {
  readonly dataDir: string;
  /** The URL to which the workspace sends payloads. */
  readonly appUrl: string;
  /** The text of bellhop.yaml. Its calendar is that of the workspace, which to the bot is not its own. */
  readonly rulebook: string;
  /** Files next to bellhop.yaml, by path: own operations. Their commands are in the workspace, too. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly secrets?: Partial<StageSecrets> | undefined;
  readonly ofService?: Partial<LocalServiceOptions>;
  readonly ofWorkspace?: Partial<WorkspaceOptions>;
}

export interface StageSecrets {
  readonly apiKey: string;
  readonly botToken: string;
  readonly signingSecret: string;
}

const standardSecrets: StageSecrets = {
  apiKey: 'key-of-the-stage',
  botToken: 'xoxb-stage',
  signingSecret: 'a-signing-secret-of-the-stage',
};

export async function startSurroundings({
  dataDir,
  appUrl,
  rulebook,
  files,
  secrets,
  ofService,
  ofWorkspace,
}: SurroundingsOptions): Promise<Surroundings> {
  const { apiKey, ...slack } = { ...standardSecrets, ...secrets };
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    inventory: defaultInventory,
    ...ofService,
  });
  for (const [path, text] of Object.entries(files ?? {})) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), text);
  }
  const rules = join(dataDir, 'bellhop.yaml');
  const writeRules = (workspaceUrl: string) =>
    writeFileSync(rules, rulebook.replace('ical: local', `ical: "${workspaceUrl}/schedule.ics"`));
  writeRules('http://127.0.0.1:1');
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    appUrl: `${appUrl}/slack/events`,
    ...slack,
    manifestPath: join(root, 'manifest.json'),
    manifest: files && (await ownManifest(rules)),
    service: { url: service.url, apiKey },
    unlimited: true,
    ...ofWorkspace,
  });
  writeRules(workspace.url);
  const env = {
    API_BASE_URL: service.url,
    API_KEY: apiKey,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: `${workspace.url}/api/`,
    BELLHOP_CONFIG: rules,
    DATA_DIR: join(dataDir, 'bot'),
  };
  return { service, workspace, env };
}

/** The manifest as an operator pastes it into Slack. */
async function ownManifest(rules: string): Promise<unknown> {
  return JSON.parse((await callProgram('config', ['manifest', rules])).out);
}
