import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { createAgentsRoute } from '../../../src/features/agents/route.ts';
import { findTool } from '../../../src/features/agents/tools.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { holmes, openAgentStage } from './agent-stage.ts';

const called = z.object({ params: z.object({ arguments: z.unknown() }) });

const route = createAgentsRoute({
  agents: () => ({ holmes }),
  acceptedSecrets: () => ['token-of-holmes'],
  serve: (_agent, _request, message) =>
    Promise.resolve(Response.json(called.parse(message).params.arguments)),
  stopping: () => false,
  clock: createDrivenClock(),
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  afterCall: () => undefined,
});
const server = createServer((request, response) => void route(request, response));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

async function post(id: string, given: string) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-of-holmes' },
    body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","arguments":${given}}}`,
  });
  return [response.status, await response.text()];
}

describe('an integer beyond 2^53 in a call of an agent', () => {
  it.each([
    ['{"job":9007199254740993}', '{"job":"9007199254740993"}'],
    [
      '{"jobs":[-9007199254740993,{"id":18446744073709551615}]}',
      '{"jobs":["-9007199254740993",{"id":"18446744073709551615"}]}',
    ],
    [
      '{"job":9007199254740991,"share":0.1234567890123456}',
      '{"job":9007199254740991,"share":0.1234567890123456}',
    ],
    ['{"job":"9007199254740993"}', '{"job":"9007199254740993"}'],
  ])('is text with all its digits: %s', async (given, passed) => {
    expect(await post('1', given)).toEqual([200, passed]);
  });

  it('is not the id of a call, because the answer would have another', async () => {
    expect(await post('9007199254740993', '{}')).toEqual([
      400,
      'Send one JSON-RPC message per request. Its id may be text',
    ]);
    expect(await post('"9007199254740993"', '{}')).toEqual([200, '{}']);
  });

  it('is refused by name where a command wants a number', async () => {
    const stage = await openAgentStage();
    const tool = await findTool(stage.context, holmes, 'cloud_ips');
    await expect(tool?.run(stage.context, holmes, { project: '9007199254740993' })).rejects.toThrow(
      /project/u,
    );
    expect(await stage.sent()).toBe(0);
  });
});
