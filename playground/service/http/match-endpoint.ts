import type { Endpoint, Extension } from './endpoint.ts';
import { endpoints } from '../endpoints/index.ts';
import { Failure } from './failure.ts';

/** An endpoint and the path parameters of one call of it. */
export interface Match {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
}

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Failure(400, `${segment} in the path is not well encoded`);
  }
};

/** The extensions that a service has. */
export type Extensions = ReadonlySet<Extension>;

/** Whether a service with these extensions has the endpoint. */
export const isOn = ({ extension }: Endpoint, on: Extensions): boolean =>
  extension === undefined || on.has(extension);

const matchesAt = (
  path: string,
  on: Extensions,
): { endpoint: Endpoint; groups: Readonly<Record<string, string>> }[] =>
  patterns.flatMap(({ endpoint, pattern }) => {
    const match = pattern.exec(path);
    return match && isOn(endpoint, on) ? [{ endpoint, groups: match.groups ?? {} }] : [];
  });

/** The endpoint with this path and method; undefined if there is none. HEAD is answered as GET. */
export const findEndpoint = (method: string, path: string, on: Extensions): Endpoint | undefined =>
  matchesAt(path, on).find(({ endpoint }) => endpoint.method.toUpperCase() === method.replace('HEAD', 'GET'))
    ?.endpoint;

/**
 * The endpoint of a call with its path parameters, decoded. `path` is as it was sent.
 * @throws Failure 404 if no endpoint has the path, 405 if none has it with this method, 400 if the path is not encoded.
 */
export const matchEndpoint = (method: string, path: string, on: Extensions): Match => {
  const there = matchesAt(path, on);
  const endpoint = findEndpoint(method, path, on);
  const groups = there.find((each) => each.endpoint === endpoint)?.groups;
  if (endpoint && groups) {
    const params = Object.entries(groups).map(([name, segment]) => [name, decoded(segment)] as const);
    return { endpoint, params: Object.fromEntries(params) };
  }
  if (there.length === 0) throw new Failure(404, `There is nothing at ${path}`);
  const allow = there.map((each) => each.endpoint.method.toUpperCase()).join(', ');
  throw new Failure(405, `${method} is not allowed here, only ${allow}`, { headers: { allow } });
};
