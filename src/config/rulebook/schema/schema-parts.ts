import { z } from 'zod';

import { abridged } from '../../../command/grammar/typed-text.ts';
import { readAs } from '../../../command/grammar/words.ts';
import { readDuration, readMoment } from '../../../command/grammar/times.ts';

/** Text that is in a list twice is a mistake. */
export const distinct = <T extends z.ZodType>(item: T) =>
  z.array(item).superRefine(
    (items, context) => {
      const seen = new Set<unknown>();
      for (const [index, one] of items.entries()) {
        if (typeof one === 'string' && seen.has(one))
          context.addIssue({
            code: 'custom',
            path: [index],
            message: `“${abridged(one)}” is in this list already.`,
          });
        seen.add(one);
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  );

export const listOf = <T extends z.ZodType>(item: T) => distinct(item).min(1);

/** A list, or what would be its only item. */
export const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.preprocess((one) => (typeof one === 'object' ? one : [one]), listOf(item)).meta({ orItsOnlyItem: true });

/** Text that YAML may have read as a number or as true and false. */
const written = <T extends z.ZodType>(text: T) =>
  z.preprocess(
    (value) => (typeof value === 'boolean' || typeof value === 'number' ? String(value) : value),
    text,
  );

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Text that may be written as a number or as true and false, for editors too. */
export const writtenValue = <T extends z.ZodType>(text: T) => written(text).meta({ orItsValue: true });

/** `1h30m` → milliseconds, between two bounds that are written alike. */
export function duration(least: number, most: number, range: string, example = '15m, 60s or 1h30m') {
  const read = (text: string): number | undefined => {
    const milliseconds = readDuration(text) ?? 0;
    return milliseconds >= least && milliseconds <= most ? milliseconds : undefined;
  };
  return written(z.string().transform(readAs(read, `must be a duration from ${range}, such as ${example}.`)));
}

/** A time that says its zone → epoch milliseconds. */
export const time = written(
  z
    .string()
    .transform(
      readAs(readMoment, 'must be a time that exists and says its zone, such as 2026-12-24T18:00:00+01:00.'),
    ),
);
