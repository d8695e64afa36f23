import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { defaultInventory } from '../../playground/service/state/inventory.ts';
import { startLocalService, type LocalService } from '../../playground/service/start-local-service.ts';
import { startWorkspace, type Workspace } from '../../playground/workspace/start-workspace.ts';
import type { EndpointName } from '../../src/service/schemas/endpoints.ts';
import { sqliteFile } from '../../src/store/sqlite/open-sqlite.ts';
import { builtPage } from '../built-page.ts';
import { freePort } from '../free-port.ts';
import { callProgram } from '../call-program.ts';
import { startProcess, type BotProcess } from './bot-process.ts';
import { type Around, startRelay, type Relay } from './relay.ts';
import { callTotals, control } from './service-control.ts';
import { exampleRulebook } from './rulebook-text.ts';
import { until } from '../until.ts';
import { clickOn, gesture, lookAt, type Message, type Outcome, type View } from './workspace-page.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export { buttonsOf, type Message } from './workspace-page.ts';

const root = join(import.meta.dirname, '../..');
const ops = 'C0OPS';

/** A service and a workspace in this process, and the bot beside them as a process that can be killed. */
export interface Stage {
  readonly service: LocalService;
  readonly workspace: Workspace;
  /** Between the workspace and the bot: every payload, as it was signed. */
  readonly payloads: Relay;
  /** Between the bot and the Web API of the workspace, with `toSlack`; then private answers are lost. */
  readonly webApi?: Relay;
  /** What the bot is started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
  readonly botUrl: string;
  bot: BotProcess;
  /** Starts the bot anew on the same data. */
  restart(): Promise<void>;
  /** Types in a channel as a person does. */
  say(as: string, text: string, channel?: string): Promise<Outcome>;
  /** Presses a button of a message by what it says. */
  press(as: string, message: Message, button: string): Promise<Outcome>;
  /** What a person sees in a channel, oldest first. */
  messages(as: string, channel?: string): Promise<readonly Message[]>;
  /** The forms that a person has open. */
  modals(as: string): Promise<readonly View[]>;
  /** Waits for a message that fits. */
  seen(as: string, fits: (message: Message) => boolean, channel?: string): Promise<Message>;
  /** Resolves once the bot has recorded that this is a card: killed before that, it would post a second one. */
  recorded(card: Message): Promise<void>;
  /** How often the service was called at an endpoint since the start. */
  calls(endpoint: EndpointName): Promise<number>;
  fault(endpoint: EndpointName, fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** Lets time pass in the service, where it stands still otherwise: tasks end. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** The bot connects to Slack instead of being called. */
  readonly socketMode?: boolean;
  /** The text of bellhop.yaml; the example that is shipped, without its schedule, where absent. */
  readonly rulebook?: string;
  readonly secrets?: Partial<StageSecrets>;
  /** Files beside it, by their paths: operations of one's own. Their commands are in the workspace, too. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** More of it, made of where the service and the workspace are. */
  readonly envOf?: (urls: {
    readonly service: string;
    readonly workspace: string;
  }) => Readonly<Record<string, string>>;
  /** Where the bot listens; any that is free where absent. */
  readonly port?: number;
  /** Time passes in the service as it does here: what it began ends by itself. */
  readonly livelyService?: boolean;
  /** Options of the bot's Node itself. */
  readonly nodeOptions?: readonly string[];
  /** What becomes of the bot's calls to Slack's Web API; each is passed on where absent. */
  readonly toSlack?: Around;
  /** What is started in place of the bot as it is built. */
  readonly program?: string;
}

interface StageSecrets {
  readonly apiKey: string;
  readonly botToken: string;
  readonly signingSecret: string;
}

const standardSecrets: StageSecrets = {
  apiKey: 'key-of-the-stage',
  botToken: 'xoxb-stage',
  signingSecret: 'a-signing-secret-of-the-stage',
};

/** The 3 s that Slack waits are so many times as long: a bot on a busy machine is late, not broken. */
const slackIsSlower = 5;

/** The clock of the service stands still but for `advance`, unless it is to be lively: what a test sees does not hang on how long it takes. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const dataDir = temporaryFolder();
  const { apiKey, ...slack } = { ...standardSecrets, ...options.secrets };
  const port = options.port ?? (await freePort());
  const botUrl = `http://127.0.0.1:${port}`;
  const began = Date.now();
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    inventory: defaultInventory,
    now: options.livelyService === true ? Date.now : () => began,
  });
  const payloads = await startRelay(() => botUrl);
  for (const [path, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), text);
  }
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    appUrl: `${payloads.url}/slack/events`,
    ...slack,
    ...(options.socketMode === true && { appToken: 'xapp-stage' }),
    manifestPath: join(root, 'manifest.json'),
    manifest: options.files && (await ownManifest(options, dataDir)),
    service: { url: service.url, apiKey },
    now: () => began + (Date.now() - began) / slackIsSlower,
    unlimited: true,
    pageFolder: await builtPage(),
  });
  const webApi = options.toSlack && (await startRelay(() => workspace.url, options.toSlack));
  const env = {
    API_BASE_URL: service.url,
    API_KEY: apiKey,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: `${(webApi ?? workspace).url}/api/`,
    BELLHOP_CONFIG: rulesOf(options, dataDir, workspace.url),
    DATA_DIR: join(dataDir, 'bot'),
    // Of the hook in the example.
    BELLHOP_SECRET_ALERTMANAGER_HOOK: 'secret-of-the-hook',
    // Of its agent.
    BELLHOP_SECRET_HOLMES: 'token-of-holmes',
    PORT: String(port),
    ...(options.socketMode === true && { SLACK_APP_TOKEN: 'xapp-stage' }),
    ...options.env,
    ...options.envOf?.({ service: service.url, workspace: workspace.url }),
  };
  const { nodeOptions = [], program } = options;
  const start = () => startProcess(env, { nodeOptions, ...(program !== undefined && { program }) });
  const parts = { service, workspace, payloads, ...(webApi && { webApi }), env, dataDir, botUrl };
  return withPeople({ ...parts, bot: await start() }, start);
}

/** As an operator pastes it into Slack. */
async function ownManifest(options: StageOptions, dataDir: string): Promise<unknown> {
  const file = rulesOf(options, dataDir, 'http://127.0.0.1:1');
  return JSON.parse((await callProgram('config', ['manifest', file])).out);
}

const openToRead = (dataDir: string): DatabaseSync =>
  new DatabaseSync(sqliteFile(join(dataDir, 'bot')), { readOnly: true, timeout: 5000 });

/** The calendar of the workspace, which to the bot is not its own. */
function rulesOf(
  { rulebook = exampleRulebook({}) }: StageOptions,
  dataDir: string,
  workspaceUrl: string,
): string {
  const file = join(dataDir, 'bellhop.yaml');
  writeFileSync(file, rulebook.replace('ical: local', `ical: "${workspaceUrl}/schedule.ics"`));
  return file;
}

type Parts = Pick<
  Stage,
  'service' | 'workspace' | 'payloads' | 'webApi' | 'env' | 'dataDir' | 'botUrl' | 'bot'
>;

function withPeople(parts: Parts, start: () => Promise<BotProcess>): Stage {
  const { service, workspace, payloads, webApi, dataDir } = parts;
  const messages = async (as: string, channel = ops): Promise<readonly Message[]> => {
    const { channels } = await lookAt(workspace, as);
    return channels.find(({ id }) => id === channel)?.messages ?? [];
  };
  const stage: Stage = {
    ...parts,
    async restart() {
      stage.bot = await start();
    },
    say: (as, text, channel = ops) => gesture(workspace, 'send', { as, channel, text }),
    press: (as, message, button) => gesture(workspace, 'action', clickOn(as, message, button)),
    messages,
    modals: async (as) => (await lookAt(workspace, as)).modals,
    seen: (as, fits, channel) =>
      until(
        async () => (await messages(as, channel)).findLast(fits),
        () => stage.bot.output(),
      ),
    async recorded({ ts }) {
      using database = openToRead(dataDir);
      const find = database.prepare("select 1 from requests where json_extract(card, '$.ts') = ?");
      await until(() => find.get(ts) !== undefined);
    },
    calls: async (endpoint) => (await callTotals(service))[endpoint] ?? 0,
    fault: async (endpoint, fault) => void (await control(service, 'PUT', `faults/${endpoint}`, fault)),
    clearFaults: async () => void (await control(service, 'DELETE', 'faults')),
    advance: async (ms) => void (await control(service, 'POST', 'clock', { advance_ms: ms })),
    async close() {
      await stage.bot.end('SIGKILL');
      for (const each of [payloads, webApi, workspace, service]) await each?.close();
    },
  };
  return stage;
}
