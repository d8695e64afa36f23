import { createHmac } from 'node:crypto';

import { App, LogLevel } from '@slack/bolt';
import { request } from 'undici';

import { createBackgroundTasks } from '../../../src/app/process/this-process.ts';
import {
  createReceiver,
  receiverLimits,
  type ReceiverLimits,
  type ReceiverOptions,
  type Route,
  type SlackReceiver,
} from '../../../src/slack/receive/server.ts';

import { createDrivenClock, type DrivenClock } from '../../driven-clock.ts';
import { type RecordingLog, recordingLog } from '../../log.ts';

const signingSecret = 'the signing secret of these tests';
const secrets = [signingSecret];

export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface ReceivingApp {
  readonly app: App;
  readonly receiver: SlackReceiver;
  readonly clock: DrivenClock;
  readonly log: RecordingLog;
  readonly answers: string[];
  readonly port: number;
  readonly url: string;
  /** Sends a body to `/slack/events`, with Slack's signature unless headers are given. */
  post(body: string | Buffer, headers?: Readonly<Record<string, string>>): Promise<Posted>;
  drained(): Promise<boolean>;
}

export const sign = (body: string | Buffer, timestamp: string, secret = signingSecret): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;

export const signedHeaders = (
  body: string | Buffer,
  now: number,
  secret = signingSecret,
): Record<string, string> => {
  const timestamp = String(Math.floor(now / 1000));
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': sign(body, timestamp, secret) };
};

/** An inbox for which every delivery is the first. */
const forgetfulInbox: ReceiverOptions['inbox'] = {
  accept: () => Promise.resolve({ first: true, done: () => undefined }),
};

const ok: Route['handle'] = (_name, _request, response) => Promise.resolve(void response.end('ok'));

/** A real Bolt app behind our receiver on a free port. */
export async function receivingApp({
  limits,
  ...options
}: Partial<Omit<ReceiverOptions, 'limits'>> & {
  readonly limits?: Partial<ReceiverLimits>;
} = {}): Promise<ReceivingApp> {
  const clock = createDrivenClock();
  const log = recordingLog();
  const backgroundTasks = createBackgroundTasks(clock, log);
  const answers: string[] = [];
  const receiver = createReceiver({
    signingSecrets: () => secrets,
    ownTeam: 'T0LOCAL',
    identify: (actor) => Promise.resolve(actor),
    clock,
    log,
    backgroundTasks,
    inbox: forgetfulInbox,
    correlate: (_, work) => work('c-1'),
    limits: { ...receiverLimits, ...limits },
    routes: {
      '/healthz': () => Promise.resolve({ status: 200, contentType: 'text/plain', body: 'ok' }),
      '/readyz': () => Promise.reject(new Error('the store is away')),
    },
    onAnswer: (kind, status) => answers.push(`${kind} ${status}`),
    ...options,
  });
  const app = new App({
    receiver,
    authorize: () => Promise.resolve({ botToken: 'xoxb-test', botId: 'B0', botUserId: 'U0BOT' }),
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
      setLevel: () => undefined,
      getLevel: () => LogLevel.ERROR,
      setName: () => undefined,
    },
  });
  const port = await receiver.start({ host: '127.0.0.1', port: 0 }, [
    { path: /^\/hooks\/([^/]{1,100})$/u, address: '/hooks/<name>', handle: ok },
    { path: /^\/mcp$/u, address: '/mcp', handle: ok },
  ]);
  const url = `http://127.0.0.1:${port}`;
  return {
    app,
    receiver,
    clock,
    log,
    answers,
    port,
    url,
    async post(body, headers) {
      const {
        statusCode,
        headers: received,
        body: reply,
      } = await request(`${url}/slack/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(headers ?? signedHeaders(body, clock.now())),
        },
        body,
      });
      return { status: statusCode, headers: received, text: await reply.text() };
    },
    drained: async () => {
      while (clock.waiting() > 0) await clock.advance(3_000);
      return backgroundTasks.drained(5_000);
    },
  };
}
