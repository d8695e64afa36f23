import { z } from 'zod';
import { integer, text } from '../fields.ts';
import { lenient, type ReadBy } from '../lenient.ts';

/** The most that one purge takes of each. */
export const mostPurgedUrls = 100;
export const mostPurgedPatterns = 10;

/** The path that is every path of a resource. */
export const everything = '/*';

const path = z.string().max(2000, 'is longer than 2000 characters').regex(/^\//u, 'begins with “/”');

/** The body of `purgeResource`: exact paths, or patterns in which `*` stands for any characters. */
export const purgeRequest = z.union([
  z.strictObject({
    urls: z
      .array(path)
      .min(1, 'is empty')
      .max(mostPurgedUrls)
      .describe('exact paths, with the query string if any'),
  }),
  z.strictObject({
    paths: z.array(path).min(1, 'is empty').max(mostPurgedPatterns).describe('patterns; /* is everything'),
  }),
]);

export type PurgeRequest = z.output<typeof purgeRequest>;

/** The reply of `purgeResource`. */
export const purgeAccepted = z.strictObject({ purge_id: integer('identifier of the purge') });

/** How a purge is doing, as far as is known; a service may have more. */
const purgeStatuses = ['In progress', 'Successful', 'Failed', 'Status report disabled'] as const;

const purgeTypes = ['purge_by_url', 'purge_by_pattern', 'purge_all'] as const;

/** The reply of `listPurges`: newest first. */
export const purgeList = z.array(
  z.strictObject({
    purge_id: integer('identifier of the purge'),
    purge_type: z.enum(purgeTypes).describe('what was purged'),
    status: z.enum(purgeStatuses).describe('how it is doing'),
    created: text('when it was asked for, ISO 8601'),
    cname: text('host name of the resource'),
    resource: z
      .strictObject({ id: integer('number of the resource'), name: text('its name') })
      .describe('the resource'),
    payload: z
      .strictObject({
        urls: z.array(z.string()).nullable().describe('exact paths'),
        paths: z.array(z.string()).nullable().describe('patterns'),
      })
      .describe('what was asked for: one of the two'),
    user: z
      .strictObject({ id: integer('number of the user'), username: text('their name') })
      .describe('who asked for it'),
  }),
);

export type PurgeList = z.output<typeof purgeList>;

/** The same, read leniently. */
export const purgeAcceptedRead = lenient(purgeAccepted);
export const purgeListRead = lenient(purgeList);

export type PurgeAcceptedRead = ReadBy<typeof purgeAcceptedRead>;
export type PurgeListRead = ReadBy<typeof purgeListRead>;
