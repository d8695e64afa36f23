import { z } from 'zod';

import { allVariables } from '../src/config/environment/variables.ts';
import { policyTestsFile } from '../src/config/policy/run-tests.ts';
import { secretVariableNames } from '../src/program/secret-variables.ts';
import { rulebookFile } from '../src/config/rulebook/rulebook-file.ts';

/** The parts of a JSON schema that are used here. */
interface Schema {
  readonly description?: string | undefined;
  readonly default?: unknown;
  /** A variable's default, if it is not in the schema. */
  readonly fallback?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    default: z.unknown().optional(),
    fallback: z.string().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    additionalProperties: z.union([schema, z.boolean()]).optional(),
  }),
);

/** One of our files as a JSON Schema, for editors that complete and check what is typed. */
export const editorSchema = (file: z.ZodType, title: string): object => ({
  title,
  ...z.toJSONSchema(file, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema: found }) {
      const { orItsOnlyItem, items, minItems, type } = found;
      delete found['orItsOnlyItem'];
      const { orFile: pattern } = found;
      delete found['orFile'];
      if (typeof pattern === 'string') {
        const inline = {
          type: found.type,
          propertyNames: found.propertyNames,
          additionalProperties: found.additionalProperties,
        };
        for (const key of ['type', 'propertyNames', 'additionalProperties'] as const) delete found[key];
        Object.assign(found, { anyOf: [{ type: 'string', pattern }, inline] });
      }
      const { orItsValue } = found;
      delete found['orItsValue'];
      if (orItsValue === true && type === 'string')
        Object.assign(found, { type: ['string', 'number', 'boolean'] });
      if (orItsOnlyItem !== true || type === undefined || !items || items === true || Array.isArray(items))
        return;
      for (const key of ['items', 'minItems', 'type'] as const) delete found[key];
      found.anyOf = [items, { type, items, minItems: minItems ?? 1 }];
    },
  }),
});

function line(name: string, { description = '', fallback, default: value }: Schema): string {
  const isShown = typeof value === 'number' || (typeof value === 'string' && value !== '');
  const otherwise = fallback ?? (isShown ? `\`${value}\`` : undefined);
  return `${name}: ${description}${otherwise === undefined ? '' : `; default: ${otherwise}`}`;
}

const jsonSchema = (of: z.ZodType): Schema =>
  schema.parse(z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' }));

/**
 * A list of all variables, and of how one can give a secret. @throws Error for a variable that its schema does not
 * describe
 */
export function variableList(): string {
  const variables = Object.entries(jsonSchema(allVariables).properties ?? {});
  return [
    ...variables.map(([name, variable]) => {
      if (variable.description === undefined) throw new Error(`${name} has no description in its schema`);
      return `- ${line(`\`${name}\``, variable)}`;
    }),
    `- ${secretVariableNames.map((name) => `\`${name}_FILE\``).join(', ')}: a file with the value, reloaded within a second of a change`,
    '- `BELLHOP_SECRET_<NAME>`: value of `secret:<name>`, with the name in capitals and `_` instead of `-`',
  ].join('\n');
}

/** The paths of all keys of `bellhop.yaml`, such as `hooks.<name>.secret`. */
export const keyPaths = (): readonly string[] =>
  [...keyList().matchAll(/^ *- \**`([^`]+)`/gmu)].flatMap(([, path]) => path ?? []);

/** A nested list of all keys of `bellhop.yaml`. @throws Error for a key that its schema does not describe */
export const keyList = (): string => keysOf(jsonSchema(rulebookFile)).join('\n');

/** A list of all keys of a case in `bellhop.tests.yaml`. @throws Error as above */
export const testKeyList = (): string => keysOf(jsonSchema(policyTestsFile).items ?? {}).join('\n');

function keysOf({ properties = {}, required = [] }: Schema, before = '', indent = ''): readonly string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const path = `${before}${key}`;
    if (value.description === undefined) throw new Error(`${path} has no description in its schema`);
    const name = required.includes(key) ? `**\`${path}\`**` : `\`${path}\``;
    return [`${indent}- ${line(name, value)}`].concat(keysInside(value, path, `${indent}  `));
  });
}

/** The keys of an object, of the entries under names that people choose, or of a list's items. */
function keysInside(value: Schema, path: string, indent: string): readonly string[] {
  const { items, additionalProperties: named } = value;
  if (items) return keysOf(items, `${path}[].`, indent);
  if (typeof named === 'object') return keysOf(named, `${path}.<name>.`, indent);
  return keysOf(value, `${path}.`, indent);
}
