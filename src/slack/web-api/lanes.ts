import type { Dispatcher } from 'undici';

import { dispatcherFor } from '../../http/send.ts';
import type { Clock, Log } from '../../model/ports.ts';
import { createSlackApi, type SlackApi } from './slack-api.ts';
import { createRateGate, createSlackCall, type OnWebApiCall } from './slack-call.ts';
import { createWebClient, type OnDate } from './web-client.ts';

interface SlackLanesOptions {
  /** Of the moment: each call is made with it. */
  readonly token: () => string;
  /** `/api/` included. */
  readonly slackApiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onCall?: OnWebApiCall;
  readonly onDate?: OnDate;
}

export interface SlackLanes {
  /** For a person who waits: 5 s, and up to 5 s of patience with a rate limit. */
  readonly answers: SlackApi;
  /** For everything else: 10 s; a rate limit is handed to the caller, who tries later. */
  readonly background: SlackApi;
  close(): Promise<void>;
}

const lanes = {
  answers: { timeoutMs: 5_000, patienceMs: 5_000 },
  background: { timeoutMs: 10_000, patienceMs: 0 },
} as const;

/** The Web API in two lanes, so that a backlog of posts never keeps a person waiting. They share what Slack limits. */
export function createSlackLanes(options: SlackLanesOptions): SlackLanes {
  const { slackApiUrl, clock, onCall = () => undefined } = options;
  const gate = createRateGate(clock);
  const onHeldBack = createHeldBackLog(clock, options.log);
  const dispatchers: Dispatcher[] = [];
  const lane = ({ timeoutMs, patienceMs }: (typeof lanes)[keyof typeof lanes]): SlackApi => {
    const dispatcher = dispatcherFor(slackApiUrl);
    dispatchers.push(dispatcher);
    const client = createWebClient({ ...options, dispatcher, timeoutMs });
    const call = createSlackCall({ client, clock, gate, onCall, onHeldBack, patienceMs });
    return createSlackApi(call, { slackApiUrl, dispatcher, clock, timeoutMs, onCall });
  };
  return {
    answers: lane(lanes.answers),
    background: lane(lanes.background),
    close: async () => {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** A burst in one channel holds back hundreds of posts, each many times over: one line says so. In milliseconds. */
const logAgainMs = 60_000;

function createHeldBackLog(clock: Clock, log: Log): (method: string, channel: unknown) => void {
  let loggedAt: number | undefined;
  let calls = 0;
  return (method, channel) => {
    calls += 1;
    const now = clock.now();
    if (loggedAt !== undefined && Math.abs(now - loggedAt) < logAgainMs) return;
    log.warn({ method, channel, calls }, 'Slack limits the rate: calls are held back and tried again');
    loggedAt = now;
    calls = 0;
  };
}
