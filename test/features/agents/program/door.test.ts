import { renameSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { exampleRulebook } from '../../../program/rulebook-text.ts';
import { setStage, type Stage } from '../../../program/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ env: { LOG_LEVEL: 'warn' } });
});
afterAll(() => stage.close());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const bearer = { authorization: 'Bearer token-of-holmes' };
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
}

async function send({ method = 'POST', path = '/mcp', headers = {}, body = JSON.stringify(list) }: Sent) {
  const response = await fetch(`${stage.botUrl}${path}`, {
    method,
    headers: { ...json, ...headers },
    body: method === 'GET' || method === 'DELETE' ? null : body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** 10 MB in pieces, without a `Content-Length`. The bot may hang up before all of it is sent. */
const inPieces = (): ReadableStream<Uint8Array> => {
  let left = 160;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      else controller.close();
    },
  });
};

describe('POST /mcp', () => {
  it.each<[string, Sent]>([
    ['no token', {}],
    ['a wrong token', { headers: { authorization: 'Bearer token-of-holme' } }],
    [
      'the token in another scheme',
      { headers: { authorization: `Basic ${btoa('holmes:token-of-holmes')}` } },
    ],
    ['the token in the address', { path: '/mcp?token=token-of-holmes&access_token=token-of-holmes' }],
    ['an empty token', { headers: { authorization: 'Bearer ' } }],
    ['no token, from another site', { headers: { origin: 'https://evil.example' } }],
    ['no token, by GET', { method: 'GET' }],
    ['no token, with more than is taken', { body: ' '.repeat(1024 * 1024 + 1) }],
  ])('answers 401 to %s, before anything else', async (_, sent) => {
    const { status, headers } = await send(sent);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost.evil.example', ''])(
    'answers 403 to a page of another site: %s',
    async (origin) => {
      const { status } = await send({ headers: { ...bearer, origin } });
      expect(status).toBe(403);
    },
  );

  it('answers a page of its own', async () => {
    expect((await send({ headers: { ...bearer, origin: stage.botUrl } })).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers 405 to %s', async (method) => {
    const { status, headers } = await send({ method, headers: bearer });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers 413 to what is announced as too large, and to what turns out to be', async () => {
    for (const body of [' '.repeat(1024 * 1024 + 1), inPieces()]) {
      const outcome = await send({ headers: bearer, body }).then(
        ({ status }) => String(status),
        (error: unknown) => (error instanceof Error ? String(error.cause) : ''),
      );
      // The bot hangs up at once, so a sender that is still writing may not read the answer.
      expect(outcome).toMatch(/413|EPIPE|ECONNRESET|other side closed/u);
    }
  });

  it('accepts one message per request: no batch, nothing but JSON', async () => {
    for (const body of [JSON.stringify([list, list]), '{', '"tools"', '1', ''])
      expect([body, (await send({ headers: bearer, body })).status]).toEqual([body, 400]);
    expect((await send({ headers: { ...bearer, 'content-type': 'text/plain' } })).status).toBe(415);
  });

  it('needs no session: a tool is called by the first message of all', async () => {
    const call = { ...list, method: 'tools/call', params: { name: 'what_can_i_do', arguments: {} } };
    const { status, headers, text } = await send({ headers: bearer, body: JSON.stringify(call) });
    expect(status).toBe(200);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(text).toContain('"agent\\":\\"holmes');
  });

  it('holds no stream open', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const listen = {
      ...list,
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    };
    const { text } = await send({
      headers: { ...bearer, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      body: JSON.stringify(listen),
    });
    expect(text).toContain('error');
  });

  it('gives up on a body that never comes, and answers others in the meantime', async () => {
    const { port } = new URL(stage.botUrl);
    const socket = connectSocket(Number(port), '127.0.0.1');
    const ended = new Promise<string>((resolve) => {
      let heard = '';
      socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      socket.on('close', () => resolve(heard));
    });
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-of-holmes\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    expect((await send({ headers: bearer })).status).toBe(200);
    expect(await ended).toMatch(/^HTTP\/1\.1 408/u);
  });

  it('answers 429 to an agent that does not stop, and says when to try again', async () => {
    let limited: Response | undefined;
    for (let at = 0; at < 1_000 && !limited; at += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          fetch(`${stage.botUrl}/mcp`, { method: 'POST', headers: { ...json, ...bearer }, body: '{}' }),
        ),
      );
      limited = answers.find(({ status }) => status === 429);
      for (const { body } of answers) await body?.cancel();
    }
    expect(limited?.headers.get('retry-after')).toBe('1');
  });
});

it('the door is 404 if no agent is configured', async () => {
  const rulebook = exampleRulebook({})
    .replace(/^agents:\n(?: {2}.*\n)+/mu, '')
    .replace(/^ {2}- \{\n {6}name: agents may look,\n(?: {6}.*\n)+ {4}\},?\n/mu, '');
  const other = await setStage({ rulebook, env: { LOG_LEVEL: 'warn' } });
  try {
    const response = await fetch(`${other.botUrl}/mcp`, { method: 'POST', headers: bearer, body: '{}' });
    expect(response.status).toBe(404);
  } finally {
    await other.close();
  }
});

it('the door accepts the new token and the old one while it is rotated, and shows neither', async () => {
  const folder = temporaryFolder();
  const write = (text: string): void => {
    writeFileSync(join(folder, 'new'), text);
    renameSync(join(folder, 'new'), join(folder, 'holmes'));
  };
  write('token-of-yesterday');
  const env = { LOG_LEVEL: 'info', BELLHOP_SECRET_HOLMES: '', BELLHOP_SECRETS_DIR: folder };
  const other = await setStage({ env });
  const call = { ...list, method: 'tools/call', params: { name: 'suggest_change', arguments: {} } };
  const answerTo = async (token: string, given: object = {}) => {
    const response = await fetch(`${other.botUrl}/mcp`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...call, params: { ...call.params, arguments: given } }),
    });
    return { status: response.status, text: await response.text() };
  };
  const becomes = (token: string, status: number) =>
    until(async () => (await answerTo(token)).status === status);
  try {
    await becomes('token-of-yesterday', 200);
    await becomes('token-of-tomorrow', 401);
    write('token-of-tomorrow,token-of-yesterday\n');
    await becomes('token-of-tomorrow', 200);
    expect((await answerTo('token-of-yesterday')).status).toBe(200);
    expect((await answerTo('token-of-tomorrow,token-of-yesterday')).status).toBe(401);
    for (const token of ['token-of-tomorrow', 'token-of-yesterday']) {
      const told = await answerTo(token, { command: '/cloud reboot web-1', reason: `it is ${token}` });
      expect(told.text).toContain('looks like');
      expect(told.text).not.toContain(token);
      expect(other.bot.output()).not.toContain(token);
    }
    write('token-of-tomorrow\n');
    await becomes('token-of-yesterday', 401);
    expect((await answerTo('token-of-tomorrow')).status).toBe(200);
  } finally {
    await other.close();
  }
});
