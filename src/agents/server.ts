import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { usage } from '../command/grammar/help.ts';
import { redactTexts } from '../command/redactor.ts';
import { agentActor, type Caller } from '../model/actor.ts';
import { BellhopError, type ErrorCode, ServiceError } from '../model/errors.ts';
import type { Entry } from '../model/registry.ts';
import type { Agents } from '../model/rulebook.ts';
import { offered } from '../policy/authorize.ts';
import { submitForm } from '../run/run-command.ts';
import { reportData, reportText } from './read-answer.ts';
import type { AgentsRouteOptions, OnAgentCall } from './route.ts';
import {
  type NamedAgent,
  requestStatus,
  statusInput,
  suggestChange,
  type SuggestContext,
  suggestInput,
} from './suggest.ts';

interface ServerOptions {
  readonly context: SuggestContext;
  readonly version: string;
  readonly onCall: OnAgentCall;
}

const instructions =
  'Bellhop runs operations for people on call. You can read what the rules allow, and suggest changes. A suggestion is posted to people; ' +
  'nothing happens until one of them presses its button and the rules let it through. You cannot confirm, approve or cancel anything. ' +
  'The same suggestion again is the same one, so repeating a call is safe.';

/** The tools of each agent, for clients of the protocols of 2025 and of 2026. Each message stands alone. */
export function createAgentServer(options: ServerOptions): AgentsRouteOptions['serve'] {
  const { context } = options;
  const handler = createMcpHandler(
    async ({ authInfo }) => {
      const agent = agentNamed(context.rulebook().agents, authInfo?.clientId);
      return serverFor(options, agent);
    },
    {
      legacy: 'stateless',
      // A stream that stays open would be a session.
      maxSubscriptions: 0,
      onerror: (error) =>
        context.log.info({ problem: error.message }, 'a message of an agent was not understood'),
    },
  );
  return (clientId, request, parsedBody) =>
    handler.fetch(request, { parsedBody, authInfo: { token: '', clientId, scopes: [] } });
}

function agentNamed(agents: Agents, name = ''): NamedAgent {
  const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (!agent) throw new BellhopError('denied', `There is no agent ${name}.`);
  return { ...agent, name };
}

async function serverFor(options: ServerOptions, agent: NamedAgent): Promise<McpServer> {
  const { context, version, onCall } = options;
  const server = new McpServer(
    { name: 'bellhop', version },
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  const answer = (run: () => Promise<Answered>) => answered(context, agent, onCall, run);
  const reads = await readsOf(context, agent);
  for (const entry of reads) {
    server.registerTool(
      toolName(entry),
      { description: entry.operation.summary, inputSchema: inputOf(entry), annotations: readOnly },
      (values) => answer(() => read(context, agent, entry, entered.parse(values))),
    );
  }
  const suggesting = {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  };
  server.registerTool(
    'suggest_change',
    {
      description:
        'Suggest a change to the people on call. Posts the command, your reason and evidence with a button; does nothing else. The same suggestion while one is open answers with the open one.',
      inputSchema: ownInputs.suggest,
      annotations: suggesting,
    },
    (given) =>
      answer(async () => ({ data: await suggestChange(context, agent, parseGiven(suggestInput, given)) })),
  );
  server.registerTool(
    'request_status',
    {
      description: 'What became of a suggestion: whether a person pressed it, and how far the change is.',
      inputSchema: ownInputs.status,
      annotations: readOnly,
    },
    (given) =>
      answer(async () => ({ data: await requestStatus(context, agent, parseGiven(statusInput, given).id) })),
  );
  server.registerTool(
    'what_can_i_do',
    {
      description: 'What you may read, what you may suggest, and how much of it.',
      inputSchema: ownInputs.none,
      annotations: readOnly,
    },
    (given) =>
      answer(() => {
        parseGiven(noInput, given);
        return Promise.resolve({ data: abilities(context, agent, reads) });
      }),
  );
  return server;
}

const noInput = z.strictObject({});
const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** `cloud_ips` */
const toolName = ({ area, verb }: Entry): string => `${area}_${verb}`;

const callerOf = ({ ownTeam, ids }: SuggestContext, { name, channel }: NamedAgent): Caller => ({
  actor: agentActor(ownTeam, name),
  place: { team: ownTeam, channel },
  correlationId: ids.correlation(),
});

/** What some rule lets it read, on some target. */
async function readsOf(context: SuggestContext, agent: NamedAgent): Promise<readonly Entry[]> {
  const { actor, place } = callerOf(context, agent);
  return (await offered(context, actor, place)).filter(({ operation }) => operation.risk === 'read');
}

interface Answered {
  readonly data: Readonly<Record<string, unknown>>;
  /** Default: the data as JSON. */
  readonly text?: string;
}

/** The path of every command: rules, audit, time limit. */
async function read(
  context: SuggestContext,
  agent: NamedAgent,
  { operation }: Entry,
  values: Readonly<Record<string, unknown>>,
): Promise<Answered> {
  const result = await submitForm(context, callerOf(context, agent), operation.name, values, {});
  if (result.kind !== 'report') throw new BellhopError('denied', 'This is not a read.');
  return { data: reportData(result.report), text: reportText(result.report) };
}

const abilities = (
  { registry }: SuggestContext,
  { name, channel, suggestions, open, expireAfterMs }: NamedAgent,
  reads: readonly Entry[],
) => ({
  agent: name,
  reads: reads.map((entry) => ({ tool: toolName(entry), does: entry.operation.summary })),
  changes: registry.entries
    .filter(({ operation }) => operation.risk !== 'read' && operation.formOnly !== true)
    .map((entry) => ({ command: usage(entry), does: entry.operation.summary, risk: entry.operation.risk })),
  suggestions: {
    channel,
    most_in_an_hour: suggestions,
    most_open: open,
    expire_after_seconds: expireAfterMs / 1000,
  },
  people_decide: 'A person presses the button, and is the requester. You cannot confirm or approve.',
});

/** Errors whose words are about what was asked. Any other is about us. */
const aboutCall: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
  'denied',
  'busy',
]);

/** What people would read, with what is masked for them masked too. Nothing of our inside goes out. */
async function answered(
  context: SuggestContext,
  { name }: NamedAgent,
  onCall: OnAgentCall,
  run: () => Promise<Answered>,
) {
  const redact = (text: string): string => context.redact(text);
  const textOf = (text: string) => [{ type: 'text' as const, text: redact(text) }];
  try {
    const { data, text } = await run();
    onCall(name, 'answered');
    const structuredContent = entered.parse(redactTexts(data, redact));
    return { structuredContent, content: textOf(text ?? JSON.stringify(data)) };
  } catch (error) {
    if (error instanceof BellhopError) {
      onCall(name, 'refused', error.code);
      return { isError: true, content: textOf(errorText(error)) };
    }
    onCall(name, 'failed');
    context.log.error({ err: error, agent: name }, 'a tool of an agent failed');
    return { isError: true, content: textOf(unavailable) };
  }
}

const unavailable = 'Bellhop cannot answer this now. Try again in a minute.';

function errorText(error: BellhopError): string {
  if (error instanceof ServiceError) return error.summary ?? error.message;
  return aboutCall.has(error.code) || error.code === 'rejected' ? error.message : unavailable;
}

const entered = z.record(z.string(), z.unknown());

/** The operation's own input, checked where every command is: values stay as they were entered. */
function inputOf(entry: Entry): ReturnType<typeof told> {
  const kept = inputs.get(entry);
  if (kept) return kept;
  const known = new Set(entry.fields.map(({ name }) => name));
  const schema = jsonOf(entry.operation.input);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => known.has(name));
  const input = told({ ...schema, properties: Object.fromEntries(properties) });
  inputs.set(entry, input);
  return input;
}

/** Each message has a server of its own; what its tools take does not change. */
const inputs = new WeakMap<Entry, ReturnType<typeof told>>();

const jsonOf = (schema: z.ZodObject) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      for (const hint of hints) Reflect.deleteProperty(jsonSchema, hint);
    },
  });

/** The schema shown to clients. The receiver validates their input, with our own error messages. */
const told = (json: Record<string, unknown>) =>
  ({
    '~standard': {
      version: 1,
      vendor: 'bellhop',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  }) as const;

/** @throws BellhopError that names each field at fault */
function parseGiven<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => [path.join('.'), message].join(' ').trim());
  throw new BellhopError('bad-input', `${problems.join('; ')}.`);
}

/** What our fields say to our forms. */
const hints = [
  'positional',
  'placeholder',
  'label',
  'aliases',
  'synonyms',
  'extension',
  'itemsMayContainCommas',
  'secret',
  'hostName',
];

const ownInputs = {
  suggest: told(jsonOf(suggestInput)),
  status: told(jsonOf(statusInput)),
  none: told(jsonOf(noInput)),
};
