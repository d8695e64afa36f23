import { Agent, request } from 'undici';
import { httpBody, type Carrier } from './delivery.ts';
import { signatureHeaders } from './sign.ts';

interface HttpCarrierOptions {
  readonly appUrl: string;
  readonly signingSecret: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

const ANSWER_BYTES = 1024 * 1024;

export interface HttpCarrier {
  readonly carry: Carrier;
  close(): Promise<void>;
}

/** Sends payloads to the app's URL, signed. */
export function httpCarrier({ appUrl, signingSecret, now }: HttpCarrierOptions): HttpCarrier {
  const agent = new Agent({ connections: 64, maxResponseSize: ANSWER_BYTES });
  return {
    async carry(delivery, retry, signal) {
      const { body, contentType } = httpBody(delivery);
      const answer = await request(appUrl, {
        method: 'POST',
        dispatcher: agent,
        signal,
        body,
        headers: {
          'content-type': contentType,
          'user-agent': 'Slackbot 1.0 (+local workspace, not Slack)',
          ...signatureHeaders(body, signingSecret, now()),
          ...(retry === undefined
            ? {}
            : { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }),
        },
      });
      return {
        status: answer.statusCode,
        text: await answer.body.text(),
        noRetry: answer.headers['x-slack-no-retry'] === '1',
      };
    },
    close: () => agent.destroy(),
  };
}
