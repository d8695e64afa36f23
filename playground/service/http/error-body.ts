import { z } from '@hono/zod-openapi';
import type { Failure } from './failure.ts';

/** The parts of the interface, each of which has its own shape of errors. */
export type Area = 'cloud' | 'cdn' | 'raw-logs' | 'storage';

/** Error bodies by area. */
export const errorBodies = {
  cloud: z
    .strictObject({
      exception_class: z.string().describe('kind of the error, like NotFoundError'),
      message: z.string().describe('the reason'),
      request_id: z.string().describe('identifier of the call'),
    })
    .describe('error of the cloud area'),
  cdn: z
    .strictObject({
      status: z.int().describe('the HTTP status'),
      message: z.string().describe('the reason'),
    })
    .describe('error of the CDN area'),
  'raw-logs': z
    .union([
      z.strictObject({ errors: z.record(z.string(), z.array(z.string())).describe('reasons by field') }),
      z.strictObject({ message: z.string().describe('the reason') }),
    ])
    .describe('error of the raw log settings'),
  storage: z.strictObject({ error: z.string().describe('the reason') }).describe('error of the storage area'),
} as const satisfies Record<Area, z.ZodType>;

const exceptionClasses: Readonly<Record<number, string>> = {
  400: 'ValidationError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'HTTPError',
  409: 'ConflictError',
  413: 'PayloadTooLargeError',
  429: 'TooManyRequestsError',
};

const prefixes: readonly (readonly [prefix: string, area: Area])[] = [
  ['/cloud/', 'cloud'],
  ['/cdn/advanced/', 'cdn'],
  ['/storage/', 'storage'],
];

/** The area that a path belongs to; any other path gets the plainest shape. */
export const areaOf = (path: string): Area =>
  prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'raw-logs';

/** The body of an error in the area's own shape. */
export const errorBody = (
  area: Area,
  failure: Pick<Failure, 'status' | 'message' | 'fields'>,
  requestId: string,
): object => {
  const { status, message, fields } = failure;
  if (area === 'cloud') {
    return { exception_class: exceptionClasses[status] ?? 'HTTPError', message, request_id: requestId };
  }
  if (area === 'cdn') return { status, message };
  if (area === 'storage') return { error: message };
  return fields ? { errors: fields } : { message };
};
