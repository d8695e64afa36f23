import { z } from '@hono/zod-openapi';

const mostOnPage = 1000;

const limit = z
  .string()
  .regex(/^\d{1,4}$/, 'expected an integer from 1 to 1000')
  .transform(Number)
  .refine((number) => number >= 1 && number <= mostOnPage, 'expected an integer from 1 to 1000')
  .default(mostOnPage)
  .openapi({ type: 'integer', minimum: 1, maximum: mostOnPage, description: 'most results of the page' });

const offset = z
  .string()
  .regex(/^\d{1,15}$/, 'expected an integer that is not negative')
  .transform(Number)
  .default(0)
  .openapi({ type: 'integer', minimum: 0, description: 'results left out before the page' });

/** Which page of a list is asked for. */
export const page = z.object({ limit, offset });
