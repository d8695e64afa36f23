import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { defaultInventory } from '../../src/local/service/inventory.ts';
import { startLocalService, type LocalService } from '../../src/local/service/start-local-service.ts';
import { startWorkspace, type Workspace } from '../../src/local/workspace/start-workspace.ts';
import { freePort, startProcess, type BotProcess } from './bot-process.ts';

const root = join(import.meta.dirname, '../..');
const apiKey = 'key-of-the-stage';
const ops = 'C0OPS';

const messageSchema = z.looseObject({
  channel: z.string(),
  ts: z.string(),
  text: z.string(),
  ephemeral: z.boolean(),
  blocks: z.array(
    z.looseObject({
      type: z.string(),
      block_id: z.string(),
      elements: z.array(z.looseObject({ type: z.string(), action_id: z.string().optional() })).optional(),
    }),
  ),
});
/** A message as the page gets it. */
export type Message = z.output<typeof messageSchema>;

const outcomeSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
type Outcome = z.output<typeof outcomeSchema>;

const buttonSchema = z.looseObject({ action_id: z.string(), text: z.looseObject({ text: z.string() }) });

/** A service and a workspace in this process, and the bot beside them as a process that can be killed. */
export interface Stage {
  readonly service: LocalService;
  readonly workspace: Workspace;
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
  /** Waits for a message that fits. */
  seen(as: string, fits: (message: Message) => boolean, channel?: string): Promise<Message>;
  /** How often the service was asked for a row since the start. */
  calls(row: number): Promise<number>;
  fault(row: number | 'read', fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  /** Lets time pass in the service, so that tasks end. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const stateSchema = z.object({
  channels: z.array(z.object({ id: z.string(), messages: z.array(messageSchema) })),
});

const callsSchema = z.looseObject({ totals: z.record(z.string(), z.number()) });

export interface StageOptions {
  /** The bot connects to Slack instead of being called. */
  readonly socketMode?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-stage-'));
  const [botToken, signingSecret, port] = ['xoxb-stage', 'a-signing-secret-of-the-stage', await freePort()];
  const service = await startLocalService({
    port: 0,
    dataDir: join(dataDir, 'service'),
    apiKey,
    inventory: defaultInventory,
  });
  const workspace = await startWorkspace({
    port: 0,
    dataDir: join(dataDir, 'workspace'),
    appUrl: `http://127.0.0.1:${port}/slack/events`,
    botToken,
    signingSecret,
    ...(options.socketMode === true && { appToken: 'xapp-stage' }),
    manifestPath: join(root, 'manifest.json'),
    service: { url: service.url, apiKey },
  });
  const env = {
    API_BASE_URL: service.url,
    API_KEY: apiKey,
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: `${workspace.url}/api/`,
    BELLHOP_CONFIG: join(root, 'bellhop.example.yaml'),
    DATA_DIR: join(dataDir, 'bot'),
    PORT: String(port),
    ...(options.socketMode === true && { SLACK_APP_TOKEN: 'xapp-stage' }),
    ...options.env,
  };
  const stage: Stage = {
    service,
    workspace,
    dataDir,
    botUrl: `http://127.0.0.1:${port}`,
    bot: await startProcess(env),
    async restart() {
      stage.bot = await startProcess(env);
    },
    say: (as, text, channel = ops) => gesture(workspace, 'send', { as, channel, text }),
    press: (as, message, button) => gesture(workspace, 'action', clickOn(as, message, button)),
    messages: (as, channel = ops) => read(workspace, as, channel),
    seen: (as, fits, channel = ops) =>
      until(
        async () => (await read(workspace, as, channel)).findLast(fits),
        () => stage.bot.output(),
      ),
    calls: (row) => callsOf(service, row),
    fault: async (row, fault) => void (await control(service, 'PUT', `faults/${row}`, fault)),
    clearFaults: async () => void (await control(service, 'DELETE', 'faults')),
    advance: async (ms) => void (await control(service, 'POST', 'clock', { advance_ms: ms })),
    async close() {
      await stage.bot.end('SIGKILL');
      await workspace.close();
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return stage;
}

async function gesture(workspace: Workspace, name: string, body: object): Promise<Outcome> {
  const response = await fetch(`${workspace.url}/_workspace/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: workspace.url },
    body: JSON.stringify({ session: 'stage', ...body }),
  });
  return outcomeSchema.parse(await response.json());
}

/** The texts of a message's buttons. */
export const buttonsOf = (message: Message): readonly string[] =>
  buttonElements(message).map(({ element }) => element.text.text);

const buttonElements = (message: Message) =>
  message.blocks.flatMap((block) =>
    (block.elements ?? [])
      .filter(({ type }) => type === 'button')
      .map((element) => ({ block, element: buttonSchema.parse(element) })),
  );

function clickOn(as: string, message: Message, button: string): object {
  const found = buttonElements(message).find(({ element }) => element.text.text === button);
  if (!found)
    throw new Error(`“${message.text}” has no button “${button}”, only: ${buttonsOf(message).join(', ')}`);
  return {
    as,
    container: { type: 'message', channel: message.channel, ts: message.ts },
    block_id: found.block.block_id,
    action_id: found.element.action_id,
    value: { type: 'button' },
  };
}

async function read(workspace: Workspace, as: string, channel: string): Promise<readonly Message[]> {
  const response = await fetch(`${workspace.url}/_workspace/state?as=${as}&session=stage`);
  const state = stateSchema.parse(await response.json());
  return state.channels.find(({ id }) => id === channel)?.messages ?? [];
}

async function control(service: LocalService, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${service.url}/_local/${path}`, {
    method,
    headers: { Authorization: `apikey ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

async function callsOf(service: LocalService, row: number): Promise<number> {
  const log = callsSchema.parse(await control(service, 'GET', 'requests'));
  return log.totals[String(row)] ?? 0;
}

/** Asks again and again until there is an answer; after 15 s says what was there instead. */
export async function until<T>(
  ask: () => Promise<T | undefined>,
  context: () => string = () => '',
): Promise<T> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`It did not happen within 15 s.\n${context()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
