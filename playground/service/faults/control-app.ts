import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { instanceActions } from '../../../src/areas/cloud/client/instance.ts';
import { authorize } from '../http/authorization.ts';
import { read } from '../http/endpoint.ts';
import { Failure } from '../http/failure.ts';
import { fault } from './faults.ts';
import { parseJson, readBody } from '../http/request-body.ts';
import { changeInstance } from '../service.ts';
import { begin } from '../state/instance-life.ts';
import type { AppEnv, ServiceAppParts } from '../app-parts.ts';

const clockChange = z.strictObject({ advance_ms: z.int().min(0) });

/** Someone else changes an instance: in the provider's console, or with another key. */
const elsewhere = z.strictObject({
  project_id: z.int(),
  region_id: z.int(),
  instance_id: z.string(),
  action: z.enum(instanceActions),
  user_id: z.int().default(9001),
});

const bodyOf = async (context: Context): Promise<unknown> => parseJson(await readBody(context.req.raw));

const faultRoutes = (app: Hono<AppEnv>, { faults }: ServiceAppParts): void => {
  app.get('/faults', (context) => context.json(faults.list()));
  app.put('/faults/:endpoint', async (context) => {
    faults.put(context.req.param('endpoint'), read(fault, await bodyOf(context)));
    return context.json(faults.list());
  });
  app.delete('/faults/:endpoint', (context) => {
    faults.remove(context.req.param('endpoint'));
    return context.json(faults.list());
  });
  app.delete('/faults', (context) => {
    faults.clear();
    return context.json(faults.list());
  });
};

const requestRoutes = (app: Hono<AppEnv>, { requests }: ServiceAppParts): void => {
  app.get('/requests', (context) => context.json(requests.list()));
  app.delete('/requests', (context) => {
    requests.clear();
    return context.json(requests.list());
  });
};

/**
 * Endpoints for drills and tests, which are not part of the interface: faults, the log of calls, the clock, reset. They
 * take the same API key; a read-only key may not use them.
 */
export const controlApp = (parts: ServiceAppParts): Hono<AppEnv> => {
  const { service, keys, faults, requests } = parts;
  const app = new Hono<AppEnv>();
  app.use(async (context, next) => {
    if (authorize(context.req.header('authorization'), keys) === 'full') return next();
    throw new Failure(403, 'This API key may only read');
  });
  faultRoutes(app, parts);
  requestRoutes(app, parts);
  app.post('/clock', async (context) => {
    service.clock.advance(read(clockChange, await bodyOf(context)).advance_ms);
    service.store.keepClock(service.clock.now());
    return context.json({ now: new Date(service.clock.now()).toISOString() });
  });
  app.post('/elsewhere', async (context) => {
    const { action, user_id: user, ...path } = read(elsewhere, await bodyOf(context));
    return context.json(changeInstance(service, path, begin(action), { user }));
  });
  app.post('/reset', (context) => {
    service.store.reset();
    faults.clear();
    requests.clear();
    return context.json({ reset: true });
  });
  app.all('*', () => {
    throw new Failure(404, 'There is no such control');
  });
  app.onError((error) => {
    const failure = error instanceof Failure ? error : new Failure(500, error.message);
    return Response.json({ message: failure.message }, { status: failure.status });
  });
  return app;
};
