import { createMcpHandler, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { redactTexts } from '../../command/redactor.ts';
import { BellhopError, type ErrorCode, ServiceError } from '../../model/values/errors.ts';
import { createAgentReads } from './reads.ts';
import type { AgentsRouteOptions, OnAgentCall } from './route.ts';
import { agentsSection } from './suggestions/section.ts';
import type { NamedAgent, SuggestContext } from './suggestions/suggest.ts';
import { findTool, type Tool, toolsOf } from './tools.ts';

interface ServerOptions {
  readonly context: Omit<SuggestContext, 'admitRead'>;
  readonly version: string;
  readonly afterCall: OnAgentCall;
}

interface CallOptions extends ServerOptions {
  readonly context: SuggestContext;
}

const instructions =
  'Bellhop runs operations for people on call. You can read what the rules allow, and suggest changes. A suggestion is posted to people; ' +
  'nothing happens until one of them presses its button and the rules allow it. You cannot confirm, approve or cancel anything. ' +
  'Repeating a suggestion returns the same one, so retries are safe.';

/** Answers clients of the 2025 and 2026 protocols. Each message gets its own server, so there are no sessions. */
export function createAgentServer(given: ServerOptions): AgentsRouteOptions['serve'] {
  const context = { ...given.context, ...createAgentReads(given.context) };
  const options = { ...given, context };
  const handler = createMcpHandler(({ authInfo }) => serverFor(options, authInfo?.clientId ?? ''), {
    legacy: 'stateless',
    // An open stream would be a session.
    maxSubscriptions: 0,
    onerror: (error) =>
      context.log.info({ problem: error.message.slice(0, 300) }, 'invalid message from an agent'),
  });
  return (clientId, request, parsedBody) =>
    handler.fetch(request, { parsedBody, authInfo: { token: '', clientId, scopes: [] } });
}

/** The tools depend on the agent, so each message looks them up again. A list needs all tools, a call only one. */
function serverFor(options: CallOptions, name: string): McpServer {
  const { context, version } = options;
  const agent = agentNamed(context, name);
  const mcp = new McpServer({ name: 'bellhop', version }, { instructions });
  mcp.server.registerCapabilities({ tools: { listChanged: false } });
  mcp.server.setRequestHandler('tools/list', async () => ({
    tools: (await toolsOf(context, agent)).map(({ about }) => about),
  }));
  mcp.server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = await findTool(context, agent, params.name);
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name.slice(0, 100)} not found`);
    return answerOf(options, agent, tool, params.arguments ?? {});
  });
  return mcp;
}

function agentNamed({ rulebook }: SuggestContext, name: string): NamedAgent {
  const agents = agentsSection.of(rulebook());
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (!agent) throw new BellhopError('denied', `There is no agent ${name}.`);
  return { ...agent, name };
}

const structured = z.record(z.string(), z.unknown());

async function answerOf(
  { context, afterCall }: CallOptions,
  agent: NamedAgent,
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
) {
  const { name } = agent;
  const redact = (text: string): string => context.redact(text);
  const textOf = (text: string) => [{ type: 'text' as const, text: redact(text) }];
  try {
    const { data, text } = await tool.run(context, agent, given);
    afterCall(name, 'answered');
    const structuredContent = structured.parse(redactTexts(data, redact));
    return { structuredContent, content: textOf(text ?? JSON.stringify(data)) };
  } catch (error) {
    if (error instanceof BellhopError) {
      afterCall(name, 'refused', error.code);
      return { isError: true, content: textOf(errorText(error).slice(0, longestError)) };
    }
    afterCall(name, 'failed');
    context.log.error({ err: error, agent: name }, 'agent tool failed');
    return { isError: true, content: textOf(unavailable) };
  }
}

/** The agent may see the message of these errors, because its call caused them. All other errors are Bellhop's own. */
const aboutCall: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
  'denied',
  'busy',
  'rejected',
]);

/** In UTF-16 units. An error may repeat the input, so its length is bounded. */
const longestError = 2_000;

const unavailable = 'Bellhop cannot answer this now. Try again in a minute.';

function errorText(error: BellhopError): string {
  if (error instanceof ServiceError) return error.summary ?? error.message;
  return aboutCall.has(error.code) ? error.message : unavailable;
}
