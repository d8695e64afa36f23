// oxlint-disable eslint/no-underscore-dangle -- `_zod` is where zod lets libraries define schema types of their own
import { z } from 'zod';

interface LenientArrayDef extends z.core.$ZodTypeDef {
  type: 'custom';
  item: z.ZodType;
}

interface LenientArrayInternals extends z.core.$ZodTypeInternals {
  def: LenientArrayDef;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

interface LenientArray extends z.ZodType {
  _zod: LenientArrayInternals;
}

/** An array that is copied only where an item changes: zod's own copies each, of every record of a long list. */
const LenientArray: z.core.$constructor<LenientArray, LenientArrayDef> = z.core.$constructor(
  'LenientArray',
  (array, def) => {
    z.ZodType.init(array, def);
    const { item } = def;
    array._zod.parse = (payload, context) => {
      const input: unknown = payload.value;
      if (!isList(input)) {
        payload.issues.push({ code: 'invalid_type', expected: 'array', input, inst: array });
        return payload;
      }
      let output: unknown[] | undefined;
      for (let index = 0; index < input.length; index += 1) {
        const value = input[index];
        const result = item._zod.run({ value, issues: [] }, context);
        if (result instanceof Promise) throw new z.core.$ZodAsyncError();
        if (result.issues.length > 0) payload.issues.push(...z.core.util.prefixIssues(index, result.issues));
        if (result.value === value) continue;
        output ??= [...input];
        output[index] = result.value;
      }
      if (output) payload.value = output;
      return payload;
    };
  },
);

/** The lenient form of an array of these items. */
export const lenientArray = (item: z.ZodType): z.ZodType => new LenientArray({ type: 'custom', item });
