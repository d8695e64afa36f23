import { z } from 'zod';
import { MethodError } from './method.ts';

/**
 * Arguments come as JSON, where a list is a list, or as a form, where everything is a string. These schemas take both.
 */
export const flag = z
  .union([
    z.boolean(),
    z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1'),
  ])
  .default(false);

const count = (fallback: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .default(fallback)
    .transform((value) => Math.min(value, most));

/** JSON in a string, or the value itself. A string that is not JSON stays unchanged, and is refused later. */
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

/** Which page of a list is requested: `cursor` comes from the answer with the previous page. */
export const page = (fallback: number, most: number) => ({
  limit: count(fallback, most),
  cursor: z.string().default(''),
});

/** One page of a list, and the cursor of the next, empty on the last. @throws MethodError `invalid_cursor` */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, cursor }: { readonly limit: number; readonly cursor: string },
) {
  const start =
    cursor === '' ? 0 : Number(/^from:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]);
  if (Number.isNaN(start)) throw new MethodError('invalid_cursor');
  const end = start + limit;
  const next = end < items.length ? btoa(`from:${end}`) : '';
  return { items: items.slice(start, end), next };
}
