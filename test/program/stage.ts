import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { EndpointName } from '../areas/service-client.ts';
import { sqliteFile } from '../../src/store/sqlite/open-sqlite.ts';
import { builtPage } from '../built-page.ts';
import { freePort } from '../free-port.ts';
import { startProcess, type BotProcess } from './bot-process.ts';
import { type Around, startRelay, type Relay } from './relay.ts';
import { callTotals, control } from './service-control.ts';
import { exampleRulebook } from './rulebook-text.ts';
import { startSurroundings, type Surroundings, type SurroundingsOptions } from './surroundings.ts';
import { until } from '../until.ts';
import { type Message, type People, peopleAt } from './workspace-page.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export { buttonsOf, type Message } from './workspace-page.ts';

/** A service and a workspace in this process, and the bot as a process that can be killed. */
export interface Stage extends Surroundings, People {
  /** The relay between the workspace and the bot. It has every payload as it was signed. */
  readonly payloads: Relay;
  /** The relay between the bot and the workspace's Web API. Set with `toSlack`. Private answers are then lost. */
  readonly webApi?: Relay;
  readonly dataDir: string;
  readonly botUrl: string;
  bot: BotProcess;
  /** Starts the bot anew on the same data. */
  /** @param other the program to start instead */
  restart(other?: string): Promise<void>;
  /**
   * Resolves once the bot has recorded that this message is a card. If the bot was killed before that, it would post a
   * second card.
   */
  recorded(card: Message): Promise<void>;
  /** How often the service was called at an endpoint since the start. */
  calls(endpoint: EndpointName): Promise<number>;
  fault(endpoint: EndpointName, fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** Advances the service's clock, which otherwise stands still, so that tasks end. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions extends Pick<SurroundingsOptions, 'files' | 'secrets'> {
  /** The text of bellhop.yaml. Default: the example that is shipped, without its schedule. */
  readonly rulebook?: string;
  /** The bot connects to Slack instead of being called. */
  readonly socketMode?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Further variables, which may depend on the URLs of the service and the workspace. */
  readonly envOf?: (urls: {
    readonly service: string;
    readonly workspace: string;
  }) => Readonly<Record<string, string>>;
  /** The bot's port; default: any free port. */
  readonly port?: number;
  /** Time passes in the service as it does here, so its tasks end by themselves. */
  readonly livelyService?: boolean;
  /** Options of Node for the bot. */
  readonly nodeOptions?: readonly string[];
  /** The treatment of the bot's calls to Slack's Web API; default: each is passed on. */
  readonly toSlack?: Around;
  /** The program to start instead of the built bot. */
  readonly program?: string;
  /** Other things to close with the stage. */
  readonly beside?: readonly { close(): Promise<void> }[];
}

/** Slack waits this many times 3 s, because a bot on a busy machine is late, not broken. */
const slackIsSlower = 5;

/**
 * The clock of the service moves only with `advance`, unless `livelyService` is set. So results do not depend on the
 * duration of a test.
 */
export async function setStage({
  rulebook = exampleRulebook({}),
  files,
  secrets,
  livelyService = false,
  nodeOptions = [],
  program,
  beside = [],
  ...options
}: StageOptions = {}): Promise<Stage> {
  const dataDir = temporaryFolder();
  const port = options.port ?? (await freePort());
  const botUrl = `http://127.0.0.1:${port}`;
  const began = Date.now();
  const payloads = await startRelay(() => botUrl);
  const appToken = options.socketMode === true ? 'xapp-stage' : undefined;
  const {
    service,
    workspace,
    env: usual,
  } = await startSurroundings({
    dataDir,
    appUrl: payloads.url,
    rulebook,
    files,
    secrets,
    ofService: { now: livelyService ? Date.now : () => began },
    ofWorkspace: {
      appToken,
      now: () => began + (Date.now() - began) / slackIsSlower,
      // The bot refuses payloads that were signed more than 5 minutes ago.
      signedAt: Date.now,
      pageFolder: await builtPage(),
    },
  });
  const webApi = options.toSlack && (await startRelay(() => workspace.url, options.toSlack));
  const env = {
    ...usual,
    ...(webApi && { SLACK_API_URL: `${webApi.url}/api/` }),
    // The secret of the hook in the example.
    BELLHOP_SECRET_ALERTMANAGER_HOOK: 'secret-of-the-hook',
    // The token of the agent in the example.
    BELLHOP_SECRET_HOLMES: 'token-of-holmes',
    PORT: String(port),
    ...(appToken !== undefined && { SLACK_APP_TOKEN: appToken }),
    ...options.env,
    ...options.envOf?.({ service: service.url, workspace: workspace.url }),
  };
  const start = (other = program) =>
    startProcess(env, { nodeOptions, ...(other !== undefined && { program: other }) });
  const stage: Stage = {
    service,
    workspace,
    payloads,
    ...(webApi && { webApi }),
    env,
    dataDir,
    botUrl,
    bot: await start(),
    ...peopleAt(workspace, () => stage.bot.output()),
    async restart(other) {
      stage.bot = await start(other);
    },
    async recorded({ ts }) {
      using database = new DatabaseSync(sqliteFile(join(dataDir, 'bot')), { readOnly: true, timeout: 5000 });
      const find = database.prepare("select 1 from requests where json_extract(card, '$.ts') = ?");
      await until(() => find.get(ts) !== undefined);
    },
    calls: async (endpoint) => (await callTotals(service))[endpoint] ?? 0,
    fault: async (endpoint, fault) => void (await control(service, 'PUT', `faults/${endpoint}`, fault)),
    clearFaults: async () => void (await control(service, 'DELETE', 'faults')),
    advance: async (ms) => void (await control(service, 'POST', 'clock', { advance_ms: ms })),
    async close() {
      await stage.bot.end('SIGKILL');
      for (const each of [payloads, webApi, workspace, service, ...beside]) await each?.close();
    },
  };
  return stage;
}
