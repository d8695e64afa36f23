import { request } from 'undici';
import { z } from 'zod';
import {
  stateSchema,
  workspaceEventSchema,
  type State,
  type WorkspaceEvent,
} from '../../workspace/protocol.ts';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../workspace/start-workspace.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

export const BOT_TOKEN = 'xoxb-test-token';
export const APP_TOKEN = 'xapp-test-token';
export const SIGNING_SECRET = 'test-signing-secret';

/** A manifest with everything that the tests need. Tests about a missing part remove it. */
export const MANIFEST = {
  display_information: { name: 'Bellhop' },
  features: {
    bot_user: { display_name: 'bellhop' },
    app_home: { home_tab_enabled: true, messages_tab_enabled: true },
    shortcuts: [
      { name: 'Run on this…', type: 'message', callback_id: 'run_on', description: 'Run something' },
      { name: 'Run…', type: 'global', callback_id: 'run', description: 'Run something' },
    ],
    slash_commands: [
      { command: '/cloud', description: 'Instances', usage_hint: 'reboot <instance>', should_escape: true },
      { command: '/raw', description: 'Not escaped', usage_hint: '' },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        'commands',
        'chat:write',
        'users:read',
        'usergroups:read',
        'files:write',
        'files:read',
        'channels:read',
        'channels:history',
        'im:history',
        'app_mentions:read',
        'im:write',
        'channels:join',
      ],
    },
  },
  settings: {
    event_subscriptions: { bot_events: ['app_home_opened', 'message.im', 'app_mention'] },
    interactivity: { is_enabled: true, message_menu_options_url: 'http://127.0.0.1/slack/events' },
  },
};

/** The manifest with further scopes. */
export function withScopes(...further: readonly string[]) {
  return {
    ...MANIFEST,
    oauth_config: { scopes: { bot: [...MANIFEST.oauth_config.scopes.bot, ...further] } },
  };
}

/** The manifest with only these events, and further scopes. */
export function withEvents(events: readonly string[], ...scopes: readonly string[]) {
  return {
    ...withScopes(...scopes),
    settings: { ...MANIFEST.settings, event_subscriptions: { bot_events: events } },
  };
}

const answerSchema = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  ts: z.string().optional(),
  message_ts: z.string().optional(),
  url: z.string().optional(),
  view: z.looseObject({ id: z.string(), hash: z.string() }).optional(),
});
/** The answer of a method of the Web API, a response_url or a gesture. */
export type Answer = z.infer<typeof answerSchema>;

/** The view in an answer, which must be there. */
export function viewOf(answer: Answer): NonNullable<Answer['view']> {
  if (answer.view === undefined) throw new Error(`No view: ${JSON.stringify(answer)}`);
  return answer.view;
}

/** Posts JSON. Resolves to the status and the answer. */
export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: statusCode, answer: answerSchema.parse(await answer.json()) };
}

/** A workspace with an app next to it, on a clock that tests drive. */
export interface LocalSlack {
  readonly workspace: Workspace;
  readonly app: Receiver;
  readonly dataDir: string;
  /** Moves the workspace's clock, in milliseconds. */
  advance(ms: number): void;
  /** Calls a method of the Web API with JSON. */
  api(method: string, input?: Record<string, unknown>, token?: string): Promise<Answer>;
  /** Does something on the page. */
  gesture(name: string, body: Record<string, unknown>): Promise<Answer>;
  state(as?: string): Promise<State>;
  close(): Promise<void>;
}

export async function openSlack(options: Partial<WorkspaceOptions> = {}): Promise<LocalSlack> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const app = await startReceiver(SIGNING_SECRET);
  let time = Date.now();
  const workspace = await startWorkspace({
    port: 0,
    dataDir,
    appUrl: app.url,
    botToken: BOT_TOKEN,
    signingSecret: SIGNING_SECRET,
    appToken: APP_TOKEN,
    manifestPath: '',
    manifest: MANIFEST,
    now: () => time,
    ...options,
  });
  async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return (await postJson(workspace.url + path, body, headers)).answer;
  }
  return {
    workspace,
    app,
    dataDir,
    advance: (ms) => void (time += ms),
    api: (method, input = {}, token = BOT_TOKEN) =>
      post(`/api/${method}`, input, { authorization: `Bearer ${token}` }),
    gesture: (name, body) => post(`/_workspace/${name}`, { as: 'U0ALICE', session: 'page-1', ...body }),
    async state(as = 'U0ALICE') {
      const answer = await request(`${workspace.url}/_workspace/state?as=${as}&session=page-1`);
      return stateSchema.parse(await answer.body.json());
    },
    async close() {
      await workspace.close();
      await app.close();
    },
  };
}

/** Messages of a channel as a person sees them. */
export async function messagesOf(slack: LocalSlack, channel: string, as = 'U0ALICE') {
  const state = await slack.state(as);
  return state.channels.find(({ id }) => id === channel)?.messages ?? [];
}

/** Listens to the events of a page. */
export async function listen(slack: LocalSlack, as: string, session: string, lastId?: string) {
  const events: { id: string; event: WorkspaceEvent }[] = [];
  const abort = new AbortController();
  const answer = await request(`${slack.workspace.url}/_workspace/events?as=${as}&session=${session}`, {
    signal: abort.signal,
    ...(lastId === undefined ? {} : { headers: { 'last-event-id': lastId } }),
  });
  void (async () => {
    let text = '';
    try {
      for await (const chunk of answer.body) {
        text += String(chunk);
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1];
          const id = /^id: (.*)$/m.exec(part)?.[1] ?? '';
          if (data !== undefined) events.push({ id, event: workspaceEventSchema.parse(JSON.parse(data)) });
        }
      }
    } catch {
      // The test closed the stream.
    }
  })();
  return { events, stop: () => abort.abort() };
}
