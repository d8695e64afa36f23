import { z } from 'zod';

/**
 * Arguments come as JSON, where a list is a list, or as a form, where everything is a string. These schemas take both.
 */
export const flag = z
  .union([
    z.boolean(),
    z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
  ])
  .default(false);

export const count = (fallback: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .default(fallback)
    .transform((value) => Math.min(value, most));

/** JSON in a string, or what it says already. A string that is not JSON is left as it is, to be refused. */
export const json = z.unknown().transform((value): unknown => {
  if (typeof value !== 'string') return value;
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
});

/** Comma-separated, or a list. */
export const list = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').map((item) => item.trim()))])
  .optional();
