import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import {
  Client as Client2026,
  StreamableHTTPClientTransport as Transport2026,
} from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';

import { temporaryFolder } from '../temporary-folder.ts';

/** A tool's answer, in the form of every client. */
export const toolAnswer = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.string(), text: z.string().default('') })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
export type ToolAnswer = z.output<typeof toolAnswer>;

const tool = z.object({
  name: z.string(),
  inputSchema: z.looseObject({ type: z.literal('object') }),
  annotations: z.record(z.string(), z.unknown()).optional(),
});
const toolList = z.object({ tools: z.array(tool) });
export type Tool = z.output<typeof tool>;

/** A real MCP client, connected to the bot as an agent. */
export interface AgentClient {
  tools(): Promise<readonly Tool[]>;
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export type Connect = (botUrl: string, token: string) => Promise<AgentClient>;

const about = { name: 'a-test', version: '1.0.0' };
const headersOf = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

export const connect2026: Connect = async (botUrl, token) => {
  const client = new Client2026(about, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new Transport2026(new URL(`${botUrl}/mcp`), headersOf(token)));
  return {
    tools: async () => toolList.parse(await client.listTools()).tools,
    call: async (name, given = {}) => toolAnswer.parse(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
};

export const connect2025: Connect = async (botUrl, token) => {
  const client = new Client2025(about);
  const transport = new Transport2025(new URL(`${botUrl}/mcp`), headersOf(token));
  await client.connect(transport);
  return {
    tools: async () => toolList.parse(await client.listTools()).tools,
    call: async (name, given = {}) => toolAnswer.parse(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
};

const run = promisify(execFile);
const inspector = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
);

const argument = ([name, value]: [string, unknown]): string[] => ['--tool-arg', `${name}=${String(value)}`];

/** The inspector's command line: a process for each call. */
export const connectInspector: Connect = (botUrl, token) => {
  const home = temporaryFolder();
  const inspect = async (...args: readonly string[]): Promise<unknown> => {
    const header = `Authorization: Bearer ${token}`;
    const { stdout } = await run(
      process.execPath,
      [inspector, '--cli', `${botUrl}/mcp`, '--transport', 'http', '--header', header, ...args],
      { timeout: 60_000, maxBuffer: 16 * 1024 * 1024, env: { PATH: process.env['PATH'], HOME: home } },
    );
    return JSON.parse(stdout);
  };
  return Promise.resolve({
    tools: async () => toolList.parse(await inspect('--method', 'tools/list')).tools,
    call: async (name, given = {}) => {
      const args = Object.entries(given).flatMap(argument);
      return toolAnswer.parse(await inspect('--method', 'tools/call', '--tool-name', name, ...args));
    },
    close: () => Promise.resolve(),
  });
};
