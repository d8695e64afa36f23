import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { AppEnv, ServiceAppParts } from './app-parts.ts';
import { authorize } from './http/authorization.ts';
import { controlApp } from './faults/control-app.ts';
import { areaOf, errorBody } from './http/error-body.ts';
import type { Endpoint } from './http/endpoint.ts';
import { Failure } from './http/failure.ts';
import { findEndpoint, type Match, matchEndpoint } from './http/match-endpoint.ts';
import { openApiDocument } from './openapi-document.ts';
import { playFault } from './faults/play-fault.ts';
import { parseJson, readBody } from './http/request-body.ts';
import type { LoggedRequest } from './http/request-log.ts';
import type { Service } from './service.ts';

type AppContext = Context<AppEnv>;

/** The path as it was sent: Hono's own is decoded in part. */
const pathOf = (context: AppContext): string => new URL(context.req.url).pathname;

const failureOf = (error: unknown): Failure =>
  error instanceof Failure ? error : new Failure(500, 'The local service failed');

const fail = (context: AppContext, failure: Failure, newId: () => string): Response =>
  Response.json(errorBody(areaOf(pathOf(context)), failure, newId()), {
    status: failure.status,
    headers: failure.headers,
  });

const permit = (context: AppContext, { keys, extensions }: ServiceAppParts): Match => {
  const access = authorize(context.req.header('authorization'), keys);
  const match = matchEndpoint(context.req.method, pathOf(context), extensions);
  if (access === 'read-only' && match.endpoint.changes) throw new Failure(403, 'This API key may only read');
  return match;
};

/**
 * An unknown filter is refused, because ignoring it would look like a filter that matches everything. @throws Failure
 */
const refuseUnknownQuery = ({ query }: Endpoint, given: Readonly<Record<string, string>>): void => {
  const unknown = Object.keys(given).filter((name) => query?.shape[name] === undefined);
  if (unknown.length > 0) throw new Failure(400, `Unknown in the query: ${unknown.join(', ')}`);
};

const answer = async (
  context: AppContext,
  { endpoint, params }: Match,
  service: Service,
  taskError?: string,
): Promise<Response> => {
  const body = await readBody(context.req.raw);
  const json = endpoint.body ? parseJson(body) : undefined;
  refuseUnknownQuery(endpoint, context.req.query());
  const answered = endpoint.run({ params, query: context.req.query(), json, taskError }, service);
  const { status = 200, response } = endpoint;
  return response ? Response.json(answered, { status }) : new Response(null, { status });
};

const respond = async (
  context: AppContext,
  parts: ServiceAppParts,
  logged: LoggedRequest,
): Promise<Response> => {
  const { service, closing } = parts;
  const failing = (error: unknown) => fail(context, failureOf(error), service.newId);
  try {
    const match = permit(context, parts);
    const taken = parts.faults.take(match.endpoint.name);
    if (taken === undefined) return await answer(context, match, service);
    const { fault, over } = taken;
    const call = { incoming: context.env.incoming, logged, closing, over, fail: failing };
    const { after, task_error: taskError } = fault;
    if (after !== true)
      return (await playFault(fault, call)) ?? (await answer(context, match, service, taskError));
    const truth = await answer(context, match, service, taskError).catch(failing);
    return (await playFault(fault, call)) ?? truth;
  } catch (error) {
    return failing(error);
  }
};

const interfaceCall = async (context: AppContext, parts: ServiceAppParts): Promise<Response> => {
  const path = pathOf(context);
  const logged = parts.requests.add({
    time: new Date(parts.service.clock.now()).toISOString(),
    endpoint: findEndpoint(context.req.method, path, parts.extensions)?.name ?? null,
    method: context.req.method,
    path,
    request_id: context.req.header('x-request-id') ?? null,
  });
  const response = await respond(context, parts, logged);
  // The time by the service's own clock, as in every server's Date.
  if (response !== RESPONSE_ALREADY_SENT && !response.headers.has('date'))
    response.headers.set('date', new Date(parts.service.clock.now()).toUTCString());
  logged.status ??= response.status;
  return response;
};

/** The whole service over HTTP: its description, the control endpoints, and all endpoints. */
export const serviceApp = (parts: ServiceAppParts): Hono<AppEnv> => {
  const app = new Hono<AppEnv>();
  app.get('/openapi.json', (context) => context.json(openApiDocument(parts.extensions)));
  app.route('/_local', controlApp(parts));
  app.all('*', (context) => interfaceCall(context, parts));
  return app;
};
