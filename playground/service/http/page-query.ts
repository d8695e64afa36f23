import { z } from '@hono/zod-openapi';

const maxOnPage = 1000;

const limit = z
  .string()
  .regex(/^\d{1,4}$/, 'expected an integer from 1 to 1000')
  .transform(Number)
  .refine((number) => number >= 1 && number <= maxOnPage, 'expected an integer from 1 to 1000')
  .default(maxOnPage)
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: maxOnPage,
    description: 'maximum number of results on the page',
  });

const offset = z
  .string()
  .regex(/^\d{1,15}$/, 'expected an integer that is not negative')
  .transform(Number)
  .default(0)
  .openapi({ type: 'integer', minimum: 0, description: 'results to skip before the page' });

/** Which page of a list is requested. */
export const page = z.object({ limit, offset });

/** One page of the matches, with the URLs of its neighbours. */
export const paged = <Item>(
  found: readonly Item[],
  path: string,
  query: Readonly<Record<string, string>>,
  { limit: most, offset: from }: z.output<typeof page>,
) => {
  const at = (start: number): string =>
    `${path}?${String(new URLSearchParams({ ...query, limit: String(most), offset: String(start) }))}`;
  return {
    count: found.length,
    next: from + most < found.length ? at(from + most) : null,
    previous: from > 0 ? at(Math.max(0, from - most)) : null,
    results: found.slice(from, from + most),
  };
};

const milliseconds = (text: string): number =>
  Date.parse(/Z$|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text}Z`);

/** A time in a query, in epoch milliseconds; one without a zone is UTC. */
export const queryTime = (description: string) =>
  z.iso
    .datetime({ offset: true, local: true, error: 'expected a time like 2026-11-20T12:00:00Z' })
    .transform(milliseconds)
    .optional()
    .openapi({ type: 'string', format: 'date-time', description });
