import { connect as connectSocket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type Stage, setStage } from '../../../program/stage.ts';
import { agentOf, withAgents, suggestionFor, suggestionsIn } from '../../../program/agents.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage(withAgents({ mallory: {}, flooder: {} }));
});
afterAll(() => stage.close());

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function post(body: string, headers: Readonly<Record<string, string>> = {}, agent = 'mallory') {
  const response = await fetch(`${stage.botUrl}/mcp`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer token-of-${agent}`, ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const call = (name: string, given: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;

const about = { protocolVersion: '1999-01-01', capabilities: {}, clientInfo: { name: 'old', version: '1' } };

describe('what an agent writes on the wire', () => {
  it('has one meaning if a key occurs twice: the posted command is the one that the button runs', async () => {
    const { text } = await post(
      call(
        'suggest_change',
        '{"command":"/cloud reboot web-1","command":"/cdn purge 6001 /a.css","reason":"harmless","reason":"twice"}',
      ),
    );
    expect(text).toContain('waiting for a person');
    const message = await suggestionFor(stage, '/cdn purge 6001 /a.css');
    expect(JSON.stringify(message.blocks)).not.toMatch(/web-1|harmless/u);
    const twoTools = call('what_can_i_do","name":"cloud_reboot', '{"instance":"web-1"}');
    expect((await post(twoTools)).text).toContain('not found');
    expect(await stage.calls('rebootInstance')).toBe(0);
  });

  it.each(['constructor', 'toString', 'then'])('gives the unknown argument %s', async (name) => {
    const before = (await suggestionsIn(stage)).length;
    const given = `{"command":"/cdn purge 6002 /a.css","reason":"x","${name}":{"approved":true}}`;
    expect((await post(call('suggest_change', given))).text).toContain('"isError":true');
    expect((await suggestionsIn(stage)).length).toBe(before);
  });

  it('gains nothing by __proto__, which the protocol library drops', async () => {
    const given =
      '{"command":"/cdn purge 6003 /a.css","reason":"x","__proto__":{"open":99,"state":"approved"}}';
    expect((await post(call('suggest_change', given))).text).toContain('"state":"waiting for a person"');
    const { text } = await post(call('what_can_i_do', '{"__proto__":{"agent":"holmes"}}'));
    expect(text).toMatch(/"agent":"mallory".*"most_open":5/u);
  });

  it.each(['reason', 'evidence', 'command', 'requester'])(
    'nests %s a hundred thousand deep',
    async (name) => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const { status, text } = await post(call('suggest_change', `{"${name}":${deep}}`));
      expect(status).toBeLessThan(500);
      expect(text.length).toBeLessThan(5_000);
      expect(text).not.toMatch(/RangeError|call stack|node_modules/iu);
      expect((await post(call('what_can_i_do', '{}'))).status).toBe(200);
    },
  );

  it.each(['1999-01-01', '', '2026-07-28, 2025-06-18', 'x'.repeat(4_000)])(
    'names an unknown version of the protocol: %j',
    async (version) => {
      const { status, text } = await post('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', {
        'mcp-protocol-version': version,
      });
      expect([200, 400]).toContain(status);
      expect(text).not.toMatch(/node_modules|\bat \//u);
    },
  );

  it('is answered in JSON by the protocol of 2026, and in one event by that of 2025', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const of2026 = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const { text } = await post(JSON.stringify({ ...list, params: { _meta: meta } }), of2026);
    const answer = z.looseObject({ result: z.looseObject({ tools: z.array(z.unknown()) }) });
    expect(answer.parse(JSON.parse(text)).result.tools.length).toBeGreaterThan(3);
    const of2025 = await post(JSON.stringify({ ...list, params: {} }), {
      'mcp-protocol-version': '2025-06-18',
    });
    expect(of2025.text.match(/^data: /gmu)).toHaveLength(1);
  });

  it('is offered a known version if it begins with an unknown one', async () => {
    const begin = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: about });
    const { text } = await post(begin);
    const answer: unknown = JSON.parse(/^data: (.*)$/mu.exec(text)?.[1] ?? text);
    const offered = z.looseObject({ result: z.looseObject({ protocolVersion: z.string() }) }).parse(answer);
    expect(offered.result.protocolVersion).toMatch(/^202[4-6]-/u);
  });

  it('comes a byte at a time: it is given up, and others are answered in the meantime', async () => {
    const socket = connectSocket(Number(new URL(stage.botUrl).port), '127.0.0.1');
    let heard = '';
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('error', () => undefined);
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-of-mallory\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
    );
    const drip = setInterval(() => socket.write(' '), 100);
    expect((await post(call('what_can_i_do', '{}'))).status).toBe(200);
    await ended;
    clearInterval(drip);
    expect(heard).toMatch(/^HTTP\/1\.1 408/u);
  });

  it('asks for the tools without end: 429 after a while, and people and other agents are answered', async () => {
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
    const flood = Promise.all(Array.from({ length: 600 }, () => post(list, {}, 'flooder')));
    const other = await agentOf(stage, 'mallory');
    expect((await other.call('what_can_i_do')).isError ?? false).toBe(false);
    await stage.say('U0BOB', '/cloud ips', 'C0GENERAL');
    await stage.seen('U0BOB', ({ text }) => text.includes('Floating IPs'), 'C0GENERAL');
    const answers = new Set((await flood).map(({ status }) => status));
    expect(answers).toEqual(new Set([200, 429]));
  });
});
