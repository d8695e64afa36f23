import { Agent, request } from 'undici';

import { signatureHeaders } from '../../playground/workspace/dispatch/sign.ts';
import type { Fields } from './slack-payloads.ts';

/** One payload and its result, as Slack sees it. */
export interface Sent {
  readonly id: string;
  readonly kind: 'command' | 'click';
  /** For a click: the request that it is about. */
  readonly request?: string;
  /** Answered with 200 in time. From then on, the person may leave. */
  readonly acked: boolean;
  readonly ms: number;
}

/** Posts signed payloads as Slack does. */
export interface SlackSide {
  /** All payloads so far; redeliveries are not counted. */
  readonly sent: readonly Sent[];
  post(fields: Fields, about: Pick<Sent, 'id' | 'kind' | 'request'>): Promise<Sent>;
  /** The same bytes once more, as after an answer that got lost. */
  redeliver(fields: Fields): Promise<void>;
  close(): Promise<void>;
}

/** @param patienceMs how long Slack waits for an answer */
export function openSlackSide(appUrl: () => string, signingSecret: string, patienceMs: number): SlackSide {
  const agent = new Agent({ connections: 256 });
  const sent: Sent[] = [];
  const deliver = async (fields: Fields, retry: Readonly<Record<string, string>>): Promise<number> => {
    const body = new URLSearchParams(fields).toString();
    const { statusCode, body: answer } = await request(`${appUrl()}/slack/events`, {
      dispatcher: agent,
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...signatureHeaders(body, signingSecret, Date.now()),
        ...retry,
      },
      body,
    });
    await answer.dump();
    return statusCode;
  };
  return {
    sent,
    async post(fields, about) {
      const began = performance.now();
      const status = await deliver(fields, {}).catch(() => 0);
      const one = { ...about, acked: status === 200, ms: performance.now() - began };
      sent.push(one);
      return one;
    },
    async redeliver(fields) {
      await deliver(fields, { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' }).catch(
        () => 0,
      );
    },
    close: () => agent.destroy(),
  };
}
