import { z } from 'zod';
import { integer, text } from '../../../service/schemas/fields.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';

export const maxPurgedUrls = 100;
export const maxPurgedPatterns = 10;

const path = z.string().max(2000, 'is longer than 2000 characters').regex(/^\//u, 'begins with “/”');

/**
 * The body of `purgeResource` has exact paths, or patterns whose last character may be a `*` for any characters.
 * Without URLs and patterns, everything is purged.
 */
export const purgeRequest = z.union([
  z.strictObject({
    urls: z
      .array(path)
      .min(1, 'is empty')
      .max(maxPurgedUrls)
      .describe('exact paths, with the query string if any'),
  }),
  z.strictObject({
    paths: z
      .array(path.regex(/^[^*]*\*?$/u, 'has a “*” before its end'))
      .max(maxPurgedPatterns)
      .describe('patterns; * is allowed only as the last character; an empty list means everything'),
  }),
]);

export type PurgeRequest = z.output<typeof purgeRequest>;

/** A service may have more states of a purge. */
export const purgeStatuses = ['In progress', 'Successful', 'Failed', 'Status report disabled'] as const;

export const purgeTypes = ['purge_by_url', 'purge_by_pattern', 'purge_all'] as const;

export interface PurgeFilter {
  /** In epoch milliseconds of the service's clock. Only purges requested at or after this time match. */
  readonly from?: number | undefined;
}

/** The reply to `listPurges` is one page, newest first. */
export const purgeList = z.strictObject({
  count: integer('number of matches, on all pages'),
  next: text('address of the next page, null on the last one').nullable(),
  previous: text('address of the page before, null on the first one').nullable(),
  results: z
    .array(
      z.strictObject({
        purge_id: integer('identifier of the purge'),
        purge_type: z.enum(purgeTypes).describe('kind of the purge'),
        status: z.enum(purgeStatuses).describe('its status'),
        created: text('time of the request, ISO 8601'),
        resource: z
          .strictObject({ id: integer('number of the resource'), cname: text('its host name') })
          .describe('the resource'),
        payload: z
          .strictObject({
            urls: z.array(z.string()).optional().describe('exact paths'),
            paths: z.array(z.string()).optional().describe('patterns'),
          })
          .describe('the request: urls or paths'),
      }),
    )
    .describe('the items on this page'),
});

export type PurgeList = z.output<typeof purgeList>;

export const purgeListRead = lenient(purgeList);

export type PurgeRead = NonNullable<ReadBy<typeof purgeListRead>['results']>[number];
