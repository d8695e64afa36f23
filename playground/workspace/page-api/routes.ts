import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { findPerson } from '../conversations/directory.ts';
import { LIMITS } from '../limits.ts';
import { readJson } from './read-json.ts';
import { streamEvents } from './events.ts';
import { runGesture } from './run-gesture.ts';
import { sendFile } from './send-file.ts';
import { stateFor } from './state.ts';
import type { Workspace } from '../workspace.ts';

const BODY_BYTES = LIMITS.fileBytes * 2;

/** The page's API, under `/_workspace`. */
export function pageRoutes(workspace: Workspace): Hono {
  const routes = new Hono();

  routes.get('/state', async (c) => {
    const person = findPerson(c.req.query('as') ?? '');
    if (person === undefined) return c.json({ message: 'as= must name one of the people.' }, 404);
    await workspace.faults.refresh();
    c.header('cache-control', 'no-store');
    return c.json(stateFor(workspace, person, c.req.query('session') ?? ''));
  });

  routes.get('/events', (c) => {
    const { as: user = '', session = '' } = c.req.query();
    if (findPerson(user) === undefined) return c.json({ message: 'as= must name one of the people.' }, 404);
    return streamEvents(c, workspace.bus, { user, session });
  });

  routes.get('/wire', (c) => c.json(workspace.wire.entries()));
  routes.get('/wire/:id', (c) => {
    const entry = workspace.wire.find(Number(c.req.param('id')));
    return entry === undefined ? c.json({ message: 'This request is forgotten.' }, 404) : c.json(entry);
  });

  routes.get('/files/:id/:name', (c) => sendFile(workspace, c, c.req.param('id')));

  routes.post('/:gesture', bodyLimit({ maxSize: BODY_BYTES }), async (c) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && origin !== new URL(c.req.url).origin)
      return c.json({ message: 'This page may not act here.' }, 403);
    if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
      return c.json({ message: 'Send JSON.' }, 415);
    const performed = await runGesture(workspace, c.req.param('gesture'), readJson(await c.req.text()));
    return performed.status === 200
      ? c.json(performed.outcome)
      : c.json({ message: performed.message }, performed.status);
  });
  return routes;
}
