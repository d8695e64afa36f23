import * as fc from 'fast-check';
import { z } from 'zod';

import { hostileText } from '../slack/hostile.ts';

/** Any JSON; small, so that many fit into a reply. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }),
  fc.constantFrom<unknown>(null, '', [], {}, 0, -1, 1e308, 2 ** 60, true, 'true', '7'),
);

const numbers = fc.oneof(
  fc.nat(5),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, Number.MAX_SAFE_INTEGER + 2),
);

interface Strange {
  readonly arbitrary: fc.Arbitrary<unknown>;
  /** How many fitting values there are for each strange one. */
  readonly rarity: number;
}

const anyJunk: Strange = { arbitrary: junk, rarity: 12 };

export const oftenNull: Strange = { arbitrary: fc.constant(null), rarity: 4 };

/** Mostly what the schema describes, with hostile texts in it, and here and there something else altogether. */
export function nearSchema(schema: unknown, strange = anyJunk): fc.Arbitrary<unknown> {
  const fitting = fittingSchema(schema, strange);
  return fc.oneof(
    { arbitrary: fitting, weight: strange.rarity },
    { arbitrary: strange.arbitrary, weight: 1 },
  );
}

function fittingSchema(schema: unknown, strange: Strange): fc.Arbitrary<unknown> {
  const near = (inner: unknown): fc.Arbitrary<unknown> => nearSchema(inner, strange);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return near(schema.def.innerType);
  if (schema instanceof z.ZodObject) return nearObject(Object.entries(schema.shape), near);
  if (schema instanceof z.ZodArray) return fc.array(near(schema.def.element), { maxLength: 6 });
  if (schema instanceof z.ZodRecord) {
    return fc.dictionary(hostileText, near(schema.def.valueType), { maxKeys: 5 });
  }
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.def.options.map(near));
  if (schema instanceof z.ZodEnum) return fc.oneof(fc.constantFrom(...schema.options), hostileText);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return numbers;
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return hostileText;
  return strange.arbitrary;
}

function nearObject(
  fields: readonly (readonly [string, unknown])[],
  near: (schema: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const known = fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, near(schema)])), {
    requiredKeys: [],
  });
  const more = fc.dictionary(fc.string({ maxLength: 10 }), junk, { maxKeys: 2 });
  return fc.tuple(known, more).map(([own, others]) => Object.assign({}, others, own));
}
