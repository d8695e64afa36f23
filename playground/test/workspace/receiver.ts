import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { serve } from '../../../test/serve.ts';

const payloadSchema = z.looseObject({
  type: z.string().optional(),
  trigger_id: z.string().optional(),
  response_url: z.string().optional(),
  event_id: z.string().optional(),
  value: z.string().optional(),
  actions: z.array(z.looseObject({ action_id: z.string() })).default([]),
});
type Payload = z.infer<typeof payloadSchema>;

/** A payload that reached the app. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Whether the `v0=` signature is right, computed with node:crypto only. */
  readonly signed: boolean;
  readonly form: Record<string, string>;
  readonly payload: Payload;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Answers the next payloads. Default: 200 without a body. */
  answer: (received: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A small app that receives what Slack sends. */
export async function startReceiver(signingSecret: string): Promise<Receiver> {
  const received: Received[] = [];
  const { url, close } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = read(request.headers, body, signingSecret);
      received.push(one);
      receiver.answer(one, response);
    });
  });
  const receiver: Receiver = {
    url: `${url}/slack/events`,
    received,
    answer: (_received, response) => response.end(),
    close,
  };
  return receiver;
}

function read(headers: IncomingHttpHeaders, body: string, secret: string): Received {
  const isJson = headers['content-type'] === 'application/json';
  const form = isJson ? {} : Object.fromEntries(new URLSearchParams(body));
  const json = isJson ? body : form['payload'];
  const payload = payloadSchema.parse(json === undefined ? form : JSON.parse(json));
  const expected = `v0=${createHmac('sha256', secret)
    .update(`v0:${String(headers['x-slack-request-timestamp'])}:${body}`)
    .digest('hex')}`;
  const given = String(headers['x-slack-signature']);
  const signed =
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
  return { headers, body, signed, form, payload };
}
