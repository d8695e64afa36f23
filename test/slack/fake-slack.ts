import type { IncomingMessage, ServerResponse } from 'node:http';

import { serve } from '../serve.ts';

export interface SlackCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Form fields. JSON in a field is parsed. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A full member, as `users.info` returns one. */
export const member = {
  id: 'U0ALICE',
  team_id: 'T0LOCAL',
  deleted: false,
  is_bot: false,
  is_restricted: false,
  is_ultra_restricted: false,
};

type Answer = (response: ServerResponse, call: SlackCall) => void;

export interface FakeSlack {
  readonly origin: string;
  /** The address of the Web API, `/api/` included. */
  readonly apiUrl: string;
  readonly calls: SlackCall[];
  /** The answers to the next calls, in order. The last one repeats. */
  answers: Answer[];
  close(): Promise<void>;
}

export const ok =
  (body: object = {}): Answer =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-oauth-scopes': 'chat:write, commands' })
      .end(JSON.stringify({ ok: true, ...body }));
export const refused =
  (error: string, more: object = {}): Answer =>
  (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error, ...more }));
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);
export const hang: Answer = () => undefined;
export const reset: Answer = (response) => response.socket?.resetAndDestroy();

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A server with answers set by the test, for Slack's failures. */
export async function fakeSlack(): Promise<FakeSlack> {
  const calls: SlackCall[] = [];
  const { url: origin, close } = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const fields = body.startsWith('{')
        ? (parsed(body) as Record<string, unknown>)
        : Object.fromEntries([...new URLSearchParams(body)].map(([name, value]) => [name, parsed(value)]));
      const call: SlackCall = { path: request.url ?? '', headers: request.headers, body, fields };
      calls.push(call);
      const answer = (fake.answers.length > 1 ? fake.answers.shift() : fake.answers[0]) ?? ok();
      answer(response, call);
    });
  });
  const fake: FakeSlack = { origin, apiUrl: `${origin}/api/`, calls, answers: [ok()], close };
  return fake;
}
