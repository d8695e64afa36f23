import type { Endpoint } from './endpoint.ts';

/** Statuses that every endpoint can answer, and when. */
const always: Readonly<Record<number, string>> = {
  400: 'the request does not fit; the message names the field',
  401: 'the Authorization header is missing or its key is not known',
  413: 'the body is larger than 1 MiB',
};

/** Every failing status of an endpoint, and when it comes. */
export const failingStatuses = (endpoint: Endpoint): Readonly<Record<number, string>> => ({
  ...always,
  ...(endpoint.changes && { 403: 'the key may only read' }),
  ...endpoint.failures,
});
