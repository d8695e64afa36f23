import { z } from 'zod';

import { format, fromText, readWords, type Values } from '../../command/grammar/grammar.ts';
import { fieldsOf } from '../../command/grammar/registry.ts';
import { splitWords } from '../../command/grammar/words.ts';
import { canonical } from '../../model/records/audit.ts';
import type { Operation } from '../../model/operation.ts';
import type { Entry, Field } from '../../model/registry.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { orUndefined } from '../../text/words.ts';
import { type JsonSchema, type Mistake, notEntered } from './check-input.ts';

/** Types a sample of each field as people do, and finds the fields whose value does not arrive. */
export function* entryMistakes(operation: Operation): Generator<Mistake> {
  const fields = fieldsOf(operation.input);
  const [area = '', verb = ''] = operation.name.split('.');
  const entry: Entry = { operation, area, verb, fields };
  const shape: z.ZodRawShape = operation.input.shape;
  const samples = fields.map((field) => ({
    field,
    samples: samplesOf(field, shape[field.name] ?? z.never()),
  }));
  const first = Object.fromEntries(samples.map(({ field, samples: [sample] }) => [field.name, sample]));
  for (const { field, samples: all } of samples)
    for (const sample of all) {
      const isRead =
        field.kind === 'rows'
          ? columnsAreRead(field, sample)
          : arrives(entry, field, { ...first, [field.name]: sample });
      if (isRead === true) continue;
      const message = isRead === false ? notEntered : isRead;
      yield { path: ['input', field.name], message };
      break;
    }
}

/** Returns the message of the error if the words are refused. */
function arrives(entry: Entry, { name }: Field, values: Values): boolean | string {
  try {
    const { values: read } = readWords(entry, splitWords(format(entry, values)).slice(2));
    const part: z.core.$ZodType | undefined = (entry.operation.input.shape as z.ZodRawShape)[name];
    const wanted = part && orUndefined(() => z.safeParse(part, values[name]).success);
    if (wanted !== true) return canonical(read[name]) === canonical(values[name]);
    return part !== undefined && z.safeParse(part, read[name]).success;
  } catch (error) {
    if (error instanceof BellhopError) return `can't be typed: ${error.message}`;
    throw error;
  }
}

const columnsAreRead = ({ columns }: Field, sample: unknown): boolean => {
  const [row] = z.array(z.record(z.string(), z.unknown())).catch([]).parse(sample);
  return columns.every((column) => !row || column.accepts(fromText(column, String(row[column.name]))));
};

const texts = [
  'a',
  'abc',
  '1',
  '10.0.0.1',
  '2001:db8::1',
  '2026-01-01',
  '12:00',
  '2026-01-01T12:00:00Z',
  'P1D',
];
const moreTexts = ['a@example.com', 'https://example.com', '6c6aa80f-7836-4dc2-a2ae-125e248be476'];

/** Values that the schema takes, one for each choice and each member of a union. */
function samplesOf(field: Field, part: z.core.$ZodType): readonly unknown[] {
  if (field.secret) return ['secret:a'];
  const taken = (value: unknown): boolean => orUndefined(() => z.safeParse(part, value).success) === true;
  const json = z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' });
  const all = valuesOf(json, [field.fallback, field.placeholder]);
  return all.some(taken) ? all.filter(taken) : all.slice(0, 1);
}

function valuesOf(json: JsonSchema, more: readonly unknown[] = []): readonly unknown[] {
  if (typeof json === 'boolean') return [];
  if (json.const !== undefined) return [json.const];
  if (json.enum) return json.enum;
  if (json.anyOf) return json.anyOf.flatMap((one) => valuesOf(one, more));
  switch (json.type) {
    case 'boolean':
      return [true];
    case 'integer':
    case 'number': {
      const { minimum, maximum, exclusiveMinimum, multipleOf } = json;
      const found = [1, minimum, maximum, Number(exclusiveMinimum ?? 0) + 1, multipleOf, -1, 0];
      return found.filter((one) => one !== undefined);
    }
    case 'array':
      return valuesOf(Array.isArray(json.items) ? false : (json.items ?? false)).map((item) =>
        Array.from({ length: Math.max(1, Math.min(json.minItems ?? 1, 20)) }, () => item),
      );
    case 'object':
      return [
        Object.fromEntries(
          Object.entries(json.properties ?? {}).map(([name, one]) => [name, valuesOf(one)[0]]),
        ),
      ];
    case 'string':
      return [...more, ...texts, ...moreTexts].filter((one) => typeof one === 'string');
    case 'null':
    case undefined:
    default:
      return [];
  }
}
