import { OpenAPIHono } from '@hono/zod-openapi';
import { type Endpoint, extensions } from './http/endpoint.ts';
import { type Extensions, isOn } from './http/match-endpoint.ts';
import { endpoints } from './endpoints/index.ts';
import { areaOf, errorBodies, type Area } from './http/error-body.ts';

type Registry = OpenAPIHono['openAPIRegistry'];

const errorNames = {
  cloud: 'CloudError',
  cdn: 'CdnError',
  'raw-logs': 'RawLogSettingsError',
  storage: 'StorageError',
} as const satisfies Record<Area, string>;

const tags = { cloud: 'Cloud', cdn: 'CDN', 'raw-logs': 'CDN', storage: 'Storage notifications' } as const;

const json = (schema: Parameters<Registry['register']>[1]) => ({ 'application/json': { schema } });

/** Statuses that every endpoint can answer, and when. */
const always: Readonly<Record<number, string>> = {
  400: 'the request does not fit; the message names the field',
  401: 'the Authorization header is missing or its key is not known',
  413: 'the body is larger than 1 MiB',
};

/** The status for an endpoint whose extension is missing: its path may have an endpoint that every service has. */
const statusWithout = ({ path }: Endpoint): number =>
  endpoints.some((other) => other.path === path && other.extension === undefined) ? 405 : 404;

/** Every error status of an endpoint, and when it occurs. */
const failingStatuses = (endpoint: Endpoint): Readonly<Record<number, string>> => ({
  ...always,
  ...(endpoint.changes && { 403: 'the key may only read' }),
  ...(endpoint.extension !== undefined && {
    [statusWithout(endpoint)]: `the service lacks ${endpoint.extension}`,
  }),
  ...endpoint.failures,
});

const registerEndpoint = (
  registry: Registry,
  endpoint: Endpoint,
  errors: Readonly<Record<Area, Parameters<Registry['register']>[1]>>,
): void => {
  const { params, query, body, description, extension } = endpoint;
  const area = areaOf(endpoint.path);
  const failures = Object.entries(failingStatuses(endpoint)).map(
    ([status, when]) => [status, { description: when, content: json(errors[area]) }] as const,
  );
  registry.registerPath({
    operationId: endpoint.name,
    method: endpoint.method,
    path: endpoint.path,
    summary: endpoint.summary,
    tags: [tags[area]],
    ...(description !== undefined && { description }),
    ...(extension !== undefined && { 'x-extension': extension }),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: json(body) } }),
    },
    responses: {
      [endpoint.status ?? 200]: {
        description: 'done',
        ...(endpoint.response && { content: json(endpoint.response) }),
      },
      ...Object.fromEntries(failures),
    },
  });
};

/**
 * The OpenAPI 3.1 description of a service with these extensions, made from the schemas with which it validates and
 * answers calls. Each endpoint of an extension names it in `x-extension`.
 */
export const openApiDocument = (on: Extensions = new Set(extensions)) => {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word apikey, one space, the API key.',
  });
  const errors = {
    cloud: registry.register(errorNames.cloud, errorBodies.cloud),
    cdn: registry.register(errorNames.cdn, errorBodies.cdn),
    'raw-logs': registry.register(errorNames['raw-logs'], errorBodies['raw-logs']),
    storage: registry.register(errorNames.storage, errorBodies.storage),
  };
  for (const endpoint of endpoints.filter((each) => isOn(each, on)))
    registerEndpoint(registry, endpoint, errors);
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Local cloud, CDN and storage notification service',
      version: '1.0.0',
      description: 'The HTTP interface that Bellhop uses, as the local service implements it.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
  });
};
