import { readFileSync } from 'node:fs';

import { offers } from '../../../src/features/index.ts';
import type { App, Receiver } from '@slack/bolt';
import { MockAgent } from 'undici';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

import { createBackgroundTasks } from '../../../src/app/process/this-process.ts';
import type { Role, Rulebook } from '../../../src/model/rulebook/rulebook.ts';
import { createCommandsInProgress } from '../../../src/run/admission.ts';
import { createApp } from '../../../src/slack/app.ts';
import { createCardSync } from '../../../src/slack/cards/card-sync.ts';
import { cardRenderer } from '../../../src/slack/cards/render-card.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import { createDispatch } from '../../../src/slack/receive/dispatch.ts';
import { createInbox } from '../../../src/slack/receive/inbox.ts';
import { readPayload } from '../../../src/slack/receive/payloads.ts';
import { createDirectory } from '../../../src/slack/web-api/directory.ts';
import { createGrantedScopes } from '../../../src/slack/web-api/scopes.ts';
import { createSlackApi, type SlackCall } from '../../../src/slack/web-api/slack-api.ts';
import { delayOf, refusal, SlackError, toSlackError } from '../../../src/slack/web-api/slack-error.ts';
import { dueQueue } from '../../due/due-queue.ts';
import { recordingLog } from '../../log.ts';
import { openStage, sampleRules, type StageOptions } from '../../operations/stage.ts';

const ownTeam = 'T0ACME';
const bot = 'U0BELLHOP';

const inputFile = z.object({ sentBy: z.string(), payload: z.record(z.string(), z.unknown()) });

/** A payload or an answer as Slack sends it, from the folder of inputs. */
export const input = (name: string): Readonly<Record<string, unknown>> =>
  inputFile.parse(JSON.parse(readFileSync(new URL(`payloads/${name}.json`, import.meta.url), 'utf8')))
    .payload;

/** Slack's answer to a call: the body of a success, an error code, or an error of the connection. */
export type Answer = object | string | SlackError;
export type Answers = (method: string, given: Readonly<Record<string, unknown>>) => Answer | undefined;

interface Said {
  readonly method: string;
  readonly to: string;
  readonly text: string;
}

interface WorkspaceOptions {
  readonly answers?: Answers;
  /** The answers of `response_url` in order, as status and body. The last one repeats. */
  readonly responseUrl?: readonly (readonly [status: number, body: string])[];
  readonly roles?: Readonly<Record<string, Role>>;
  readonly rules?: Partial<Rulebook>;
  /** Other differences of the stage from the default. */
  readonly world?: Pick<StageOptions, 'clock' | 'openStore' | 'serviceUrl' | 'existing'>;
}

export const serverError = (method: string): SlackError =>
  new SlackError(method, 'http_500', { retryable: true, sent: true });

const given = (fields: Readonly<Record<string, unknown>>, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
};

/** Bellhop in this process, from a payload of Slack to its messages. */
export async function openWorkspace({
  answers = () => undefined,
  responseUrl = [[200, 'ok']],
  roles,
  rules = {},
  world = {},
}: WorkspaceOptions = {}) {
  const { policy } = { ...sampleRules, ...rules };
  const stage = await openStage({
    ...world,
    ...rules,
    policy: { ...policy, roles: { ...policy.roles, ...roles } },
  });
  const { clock, store } = stage;
  const log = recordingLog();
  const said: Said[] = [];
  const opened: string[] = [];
  const shown: string[] = [];
  let posted = 0;
  const usual: Answers = (method, fields) => {
    if (method.startsWith('chat.post')) posted += 1;
    return method === 'users.info'
      ? { user: { ...input('member'), id: fields['user'] } }
      : { channel: fields['channel'], ts: `1763700100.${String(posted).padStart(6, '0')}` };
  };
  const state = { answers };
  const call: SlackCall = async (method, fields, reply) => {
    const answer = state.answers(method, fields) ?? usual(method, fields);
    if (answer instanceof Promise) return reply.parse(await answer);
    if (answer instanceof Error) throw toSlackError(method, answer);
    if (typeof answer === 'string') throw refusal(method, answer);
    if (method.startsWith('chat.') && method !== 'chat.getPermalink') {
      const whom = [given(fields, 'channel'), given(fields, 'user'), given(fields, 'ts')];
      said.push({ method, to: whom.filter((part) => part !== '').join(' '), text: given(fields, 'text') });
      shown.push(JSON.stringify(fields['blocks']));
    }
    if (method.startsWith('views.')) opened.push(JSON.stringify(fields['view']));
    return reply.parse({ ok: true, permalink: 'https://acme.slack.com/archives/C0OPS/p1', ...answer });
  };
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  onTestFinished(() => dispatcher.close());
  const urls = [...responseUrl];
  dispatcher
    .get('https://hooks.slack.com')
    .intercept({ path: () => true, method: 'POST' })
    .reply(({ body }) => {
      const [statusCode, data] = (urls.length > 1 ? urls.shift() : urls[0]) ?? [200, 'ok'];
      const { text } = z.object({ text: z.string() }).parse(JSON.parse(z.string().parse(body)));
      if (statusCode === 200) said.push({ method: 'response_url', to: '', text });
      return { statusCode, data };
    })
    .persist();
  const api = createSlackApi(call, {
    slackApiUrl: 'https://slack.com/api/',
    dispatcher,
    clock,
    timeoutMs: 5_000,
  });
  const scopes = createGrantedScopes(log);
  const directory = createDirectory(api, clock, log, ownTeam, scopes);
  const queue = dueQueue(store, clock, [], { log, delayOf });
  const card = cardRenderer({ ...stage.context, disclaimers: [] });
  const render = (request: Parameters<typeof card>[0]) => card(request);
  const cards = createCardSync({ api, answers: api, store, queue, clock, log, render });
  queue.handle(cards.handler);
  const context: SlackContext = {
    ...stage.context,
    ownTeam,
    log,
    messages: cards,
    cards,
    beside: () => Promise.resolve({}),
    api,
    withheld: scopes.withheld,
    directory: { ...stage.context.directory, ...directory },
    inProgress: createCommandsInProgress(),
    disclaimers: [],
    offers,
    buttons: {},
    forms: {},
    cardExtras: [],
    homeLines: () => Promise.resolve([]),
  };
  let app: App | undefined;
  const receiver: Receiver = {
    init: (bolt) => void (app = bolt),
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
  createApp({ receiver, botToken: () => 'xoxb-acme', botUserId: bot, context });
  const backgroundTasks = createBackgroundTasks(clock, log);
  const inbox = createInbox({ store, clock, clockIsRight: () => true, log });
  const dispatch = createDispatch({
    process: async (event) => app?.processEvent(event),
    backgroundTasks,
    clock,
    log,
    inbox,
    identify: directory.identify,
    maxInFlight: 100,
    correlate: (_, work) => work(stage.context.ids.correlation()),
  });
  return {
    stage,
    context,
    store,
    clock,
    log,
    said,
    opened,
    queue,
    inbox,
    /** Gives a payload to Bellhop. Resolves to the acknowledgement. */
    hand: (payload: object) => dispatch(readPayload(payload, ownTeam)),
    /** Sets Slack's answers from now on. */
    answer: (as: Answers) => void (state.answers = as),
    /**
     * Gives a payload to Bellhop. Resolves to the acknowledgement once its work has ended. Time passes only with
     * `within`, in milliseconds.
     */
    async send(payload: object, within = 0) {
      const acknowledged = await dispatch(readPayload(payload, ownTeam));
      for (let passed = 0; passed < within && backgroundTasks.count() > 0; passed += 1_000)
        await clock.advance(1_000);
      await backgroundTasks.drained(60_000);
      await stage.context.backgroundTasks.drained(60_000);
      await queue.work();
      return acknowledged;
    },
    requests: () => store.list({ limit: 10 }),
    /** The messages since the last call. */
    heard: () => said.splice(0),
    /** The blocks of all messages, as JSON. */
    posted: () => shown,
  };
}
