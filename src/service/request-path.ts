import { BellhopError } from '../model/values/errors.ts';
import type { CallRequest } from './http/transport.ts';
import { type EndpointName, endpoints } from './schemas/endpoints.ts';

/** The names between braces of a path template. */
type PathParameters<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/**
 * Fills a path template; each value becomes exactly one encoded segment.
 * @throws BellhopError `bad-input` if a value is empty or could change the path.
 */
export function requestPath<Template extends string>(
  template: Template,
  values: Readonly<Record<PathParameters<Template>, string | number>>,
): string {
  const given = new Map(Object.entries<string | number>(values));
  return template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => segment(name, given.get(name) ?? ''));
}

/** A call's query and body, besides the values in its path. */
interface CallParts extends Omit<CallRequest, 'endpoint' | 'path'> {
  readonly query?: Readonly<Record<string, string>>;
}

/** A call of an endpoint, ready to be sent. @throws BellhopError as {@link requestPath} does */
export function callOf<E extends EndpointName>(
  endpoint: E,
  values: Readonly<Record<PathParameters<(typeof endpoints)[E]['path']>, string | number>>,
  { query, ...rest }: CallParts = {},
): CallRequest {
  const search = new URLSearchParams(query).toString();
  const path = requestPath<(typeof endpoints)[E]['path']>(endpoints[endpoint].path, values);
  return { endpoint, path: search === '' ? path : `${path}?${search}`, ...rest };
}

function segment(name: string, value: string | number): string {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return String(value);
    throw badSegment(name, 'takes a whole number, 0 or more');
  }
  if (value.trim() === '') throw badSegment(name, 'is missing');
  if (!value.isWellFormed()) throw badSegment(name, 'contains half a character');
  if (climbs(value) || climbs(percentDecoded(value))) {
    throw badSegment(name, 'may not contain "." or ".." as a part of a path');
  }
  return encodeURIComponent(value);
}

// Proxies may decode %2F before they resolve dots, so dots are checked on either side of any slash.
function climbs(value: string): boolean {
  return value.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

function percentDecoded(value: string): string {
  return value.replaceAll(/%2e/gi, '.').replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\');
}

function badSegment(name: string, problem: string): BellhopError {
  return new BellhopError('bad-input', `${name} ${problem}. Nothing was sent.`);
}
