import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { addLater } from './conversations/messages.ts';
import { parseManifest, readManifest } from './manifest.ts';
import { pageRoutes } from './page-api/routes.ts';
import { pageFiles } from './page-api/page-files.ts';
import type { StolenSessionSettings } from './drills/stolen-session.ts';
import { answerSchedule } from './page-api/schedule.ts';
import { appRoutes } from './web-api/routes.ts';
import { createWorkspace, type Workspace as Parts } from './workspace.ts';

export interface WorkspaceOptions {
  /** Loopback only. */
  readonly host?: '127.0.0.1' | undefined;
  /** Port 0 picks a free port. */
  readonly port: number;
  /** The folder for the history. */
  readonly dataDir: string;
  /** The URL at which the app accepts requests, e.g. http://127.0.0.1:3000/slack/events. Not needed in Socket Mode. */
  readonly appUrl?: string | undefined;
  readonly botToken: string;
  readonly signingSecret: string;
  /** The app-level token. With it, the app may connect over Socket Mode, and then gets its payloads there. */
  readonly appToken?: string | undefined;
  readonly manifestPath: string;
  /** Instead of the file, for tests. */
  readonly manifest?: unknown;
  /** The local service, for the drill panel. */
  readonly service?: { readonly url: string; readonly apiKey: string } | undefined;
  /** The URL at which the app accepts alerts, `…/hooks/alertmanager`, and the secret for `Authorization: Bearer`. */
  readonly alertHook?: { readonly url: string; readonly secret: string } | undefined;
  /** Addresses of the app that the drills call: `/hooks/…` takes alerts, `/mcp` is for agents. Callers send the secret. */
  readonly doors?:
    | readonly { readonly path: string; readonly url: string; readonly secret: string }[]
    | undefined;
  /** Whose session the drill steals, and which change a colleague requests. */
  readonly stolenSession?: StolenSessionSettings | undefined;
  /** Names of instances that alerts can be about. */
  readonly instances?: readonly string[] | undefined;
  /** Epoch milliseconds; for tests to drive. */
  readonly now?: (() => number) | undefined;
  /** The time in signatures, in epoch milliseconds. Default: `now`. */
  readonly signedAt?: (() => number) | undefined;
  /** Deletes the history of earlier runs. */
  readonly reset?: boolean | undefined;
  /** The folder of the page, absolute; for tests, which bundle it. */
  readonly pageFolder?: string | undefined;
  /** Turns Slack's rate limits off, for stress tests of something else. */
  readonly unlimited?: boolean | undefined;
}

/** A running workspace. */
export interface Workspace {
  /** Address of the page, without a slash at the end. The Web API is at `<url>/api/`. */
  readonly url: string;
  readonly port: number;
  /** Asks every Socket Mode client to reconnect. */
  refreshSockets(): void;
  /** Drops one Socket Mode connection, like a network failure. */
  cutSocket(): void;
  close(): Promise<void>;
}

function drilled({ alertHook, doors = [] }: WorkspaceOptions) {
  const agents = doors.find(({ path }) => path === '/mcp');
  return {
    alertHook: alertHook ?? doors.find(({ path }) => path.startsWith('/hooks/')),
    agentDoor: agents && { url: agents.url, token: agents.secret },
  };
}

/** Starts the stand-in for Slack. @throws Error if the manifest cannot be read or the port is taken */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { host = '127.0.0.1', port, appUrl = '', manifestPath, signingSecret } = options;
  const manifest =
    options.manifest === undefined
      ? readManifest(manifestPath)
      : parseManifest(options.manifest, 'options.manifest');
  const workspace = createWorkspace(
    {
      appUrl,
      botToken: options.botToken,
      signingSecret,
      appToken: options.appToken ?? '',
      dataDir: options.dataDir,
      reset: options.reset ?? false,
      unlimited: options.unlimited ?? false,
      service: options.service,
      ...drilled(options),
      instances: options.instances ?? ['web-1'],
      stolenSession: options.stolenSession,
      signedAt: options.signedAt,
    },
    manifest,
    options.now,
  );
  const { sockets } = workspace;
  for (const one of workspace.scheduled.all()) addLater(workspace, one);
  const app = routes(
    workspace,
    () => workspace.origin.replace('http', 'ws') + sockets.ticket(),
    options.pageFolder,
  );
  const server = await listen(app, host, port).catch((error: unknown) => {
    workspace.history.close();
    throw error;
  });
  server.on('upgrade', (request, socket, head) => {
    if (hostIsLocal(request.headers.host)) sockets.upgrade(request, socket, head);
    else socket.destroy();
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  workspace.origin = `http://${host}:${bound}`;
  return {
    url: workspace.origin,
    port: bound,
    refreshSockets: () => sockets.refresh(),
    cutSocket: () => sockets.cut(),
    async close() {
      workspace.clock.stop();
      workspace.alerts.close();
      workspace.agent.close();
      sockets.close();
      server.close();
      server.closeAllConnections();
      await workspace.http.close();
      workspace.history.close();
    },
  };
}

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether a Host header names this machine; a request under a foreign name (DNS rebinding) is refused. */
function hostIsLocal(host: string | undefined): boolean {
  return host !== undefined && LOCAL_NAMES.has(host.replace(/:\d+$/, '').toLowerCase());
}

function routes(workspace: Parts, socketUrl: () => string, pageFolder: string | undefined): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (!hostIsLocal(c.req.header('host'))) return c.text('This server answers to this machine only.', 403);
    await next();
    c.res.headers.set('x-content-type-options', 'nosniff');
    c.res.headers.set('referrer-policy', 'no-referrer');
    c.res.headers.set('cross-origin-resource-policy', 'same-origin');
    return undefined;
  });
  app.route('/', appRoutes(workspace, socketUrl));
  app.route('/_workspace', pageRoutes(workspace));
  app.get('/schedule.ics', (c) => answerSchedule(workspace, c));
  app.get('/archives/:channel/*', (c) => {
    const thread = c.req.query('thread_ts');
    return c.redirect(`/#${c.req.param('channel')}${thread === undefined ? '' : `/${thread}`}`);
  });
  app.route('/', pageFiles(pageFolder));
  return app;
}

/** @throws Error if the port is taken */
async function listen(app: Hono, host: string, port: number): Promise<Server> {
  const server = createAdaptorServer({ fetch: app.fetch });
  if (!('closeAllConnections' in server)) throw new Error('The workspace speaks HTTP/1.1 only.');
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Error(`Port ${port} of ${host} cannot be listened on: stop what uses it, or choose another.`, {
      cause,
    });
  }
  return server;
}
