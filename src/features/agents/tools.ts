import { z } from 'zod';

import { usage } from '../../command/grammar/help.ts';
import { fieldHints } from '../../command/grammar/registry.ts';
import type { Caller } from '../../model/values/actor.ts';
import { agentActor } from './suggestions/agent-actor.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import type { Entry } from '../../model/registry.ts';
import { offered } from '../../policy/authorize.ts';
import { submitForm } from '../../run/run-command.ts';
import { reportData, reportText } from './suggestions/read-answer.ts';
import {
  type NamedAgent,
  requestStatus,
  statusInput,
  suggestChange,
  type SuggestContext,
  suggestInput,
} from './suggestions/suggest.ts';

export interface Tool {
  readonly about: {
    readonly name: string;
    readonly description: string;
    /** A JSON schema. `run` checks the arguments, with Bellhop's own error messages. */
    readonly inputSchema: ObjectSchema;
    readonly annotations: Readonly<Record<string, boolean>>;
  };
  /** @throws BellhopError */
  run(
    context: SuggestContext,
    agent: NamedAgent,
    given: Readonly<Record<string, unknown>>,
  ): Promise<ToolAnswer>;
}

const objectSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.json()).default({}),
});
type ObjectSchema = Readonly<z.output<typeof objectSchema>>;

interface ToolAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  /** The text of the answer. The default is the data as JSON. */
  readonly text?: string;
}

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const suggesting = { ...readOnly, readOnlyHint: false, openWorldHint: true };

const ownTool = <S extends z.ZodObject>(
  about: Omit<Tool['about'], 'inputSchema'>,
  input: S,
  answer: (context: SuggestContext, agent: NamedAgent, given: z.output<S>) => Promise<ToolAnswer['data']>,
): Tool => ({
  about: { ...about, inputSchema: schemaOf(input) },
  run: async (context, agent, given) => ({ data: await answer(context, agent, parseGiven(input, given)) }),
});

/** @throws BellhopError that names each invalid field */
function parseGiven<S extends z.ZodObject>(schema: S, given: Readonly<Record<string, unknown>>): z.output<S> {
  const result = schema.safeParse(withoutNulls(schema, given));
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => [path.join('.'), message].join(' ').trim());
  throw badInput(`${problems.join('; ')}.`);
}

/** Newer models send null for the optional arguments that they do not use. A nullable argument keeps its null. */
function withoutNulls(schema: z.ZodObject, given: Readonly<Record<string, unknown>>) {
  const shape: z.ZodRawShape = schema.shape;
  const isOmitted = (name: string): boolean => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field !== undefined && !z.safeParse(field, null).success && z.safeParse(field, undefined).success;
  };
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || !isOmitted(name)),
  );
}

const schemaOf = (schema: z.ZodObject): ObjectSchema =>
  objectSchema.parse(
    z.toJSONSchema(schema, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        for (const hint of Object.keys(fieldHints.shape)) Reflect.deleteProperty(jsonSchema, hint);
      },
    }),
  );

const ownTools: readonly Tool[] = [
  ownTool(
    {
      name: 'suggest_change',
      description:
        'Suggest a change for the people on call to decide on. Posts the command, your reason and evidence with a button. Nothing else happens. Repeating an open suggestion returns the open one.',
      annotations: suggesting,
    },
    suggestInput,
    suggestChange,
  ),
  ownTool(
    {
      name: 'request_status',
      description: 'The state of a suggestion: whether a person pressed it, and how far along the change is.',
      annotations: readOnly,
    },
    statusInput,
    (context, agent, { id }) => requestStatus(context, agent, id),
  ),
  ownTool(
    {
      name: 'what_can_i_do',
      description: 'What you may read and suggest, and your limits.',
      annotations: readOnly,
    },
    z.strictObject({}),
    abilities,
  ),
];

export const toolsOf = async (context: SuggestContext, agent: NamedAgent): Promise<readonly Tool[]> => [
  ...(await readsOf(context, agent)).map(readTool),
  ...ownTools,
];

export async function findTool(
  context: SuggestContext,
  agent: NamedAgent,
  name: string,
): Promise<Tool | undefined> {
  const isIt = ({ about }: Tool): boolean => about.name === name;
  return ownTools.find(isIt) ?? (await toolsOf(context, agent)).find(isIt);
}

async function readsOf(context: SuggestContext, agent: NamedAgent): Promise<readonly Entry[]> {
  const { actor, place } = callerOf(context, agent);
  return (await offered(context, actor, place)).filter(
    ({ operation }) => operation.risk === 'read' && !operation.atOnce,
  );
}

const callerOf = ({ ownTeam, ids }: SuggestContext, { name, channel }: NamedAgent): Caller => ({
  actor: agentActor(ownTeam, name),
  place: { team: ownTeam, channel },
  correlationId: ids.correlation(),
});

/** Such as `cloud_ips`. */
const toolName = ({ area, verb }: Entry): string => `${area}_${verb}`;

/** Values are passed on unchanged, because the command checks them. */
function readTool(entry: Entry): Tool {
  const { operation, fields } = entry;
  const known = new Set(fields.map(({ name }) => name));
  const schema = readSchemas.getOrInsertComputed(operation.input, schemaOf);
  const properties = Object.entries(schema.properties).filter(([name]) => known.has(name));
  return {
    about: {
      name: toolName(entry),
      description: operation.summary,
      inputSchema: { ...schema, properties: Object.fromEntries(properties) },
      annotations: readOnly,
    },
    async run(context, agent, given) {
      context.admitRead(agent);
      const values = withoutNulls(operation.input, given);
      const result = await submitForm(context, callerOf(context, agent), operation.name, values, {});
      if (result.kind !== 'report') throw new BellhopError('denied', 'This is not a read-only command.');
      return { data: reportData(result.report), text: reportText(result.report) };
    },
  };
}

const readSchemas = new WeakMap<z.ZodObject, ObjectSchema>();

async function abilities(context: SuggestContext, agent: NamedAgent) {
  const { registry } = context;
  const { name, channel, suggestions, open, expireAfterMs, reads: mostReads } = agent;
  const reads = await readsOf(context, agent);
  return {
    agent: name,
    reads: reads.map((entry) => ({ tool: toolName(entry), does: entry.operation.summary })),
    most_reads_in_an_hour: mostReads,
    changes: registry.entries
      .filter(({ operation }) => operation.risk !== 'read' && operation.formOnly !== true)
      .map((entry) => ({
        command: usage(entry),
        does: entry.operation.summary,
        risk: entry.operation.risk,
      })),
    suggestions: {
      channel,
      most_in_an_hour: suggestions,
      most_open: open,
      expire_after_seconds: expireAfterMs / 1000,
    },
    people_decide: "The person who presses the button becomes the requester. You can't confirm or approve.",
  };
}
