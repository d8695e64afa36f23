import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { LIMITS } from '../limits.ts';
import { readJson } from '../page-api/read-json.ts';
import { respond, responseSchema } from '../page-api/respond.ts';
import type { Workspace } from '../workspace.ts';
import { callMethod } from './call.ts';
import { chatMethods } from './chat.ts';
import { connectionMethods } from './connections.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods, receiveUpload, sendPrivateFile } from './files.ts';
import type { Method } from './method.ts';
import { peopleMethods } from './people.ts';
import { reactionMethods } from './reactions.ts';
import { viewMethods } from './views.ts';

const BODY_BYTES = 1024 * 1024;

/**
 * The app's API: the Web API, response_urls, upload URLs and private files. `socketUrl` returns a new WebSocket URL.
 */
export function appRoutes(workspace: Workspace, socketUrl: () => string): Hono {
  const methods = new Map<string, Method>(
    [
      ...chatMethods,
      ...viewMethods,
      ...peopleMethods,
      ...conversationMethods,
      ...fileMethods,
      ...reactionMethods,
      ...connectionMethods(socketUrl),
    ].map((method) => [method.name, method]),
  );
  const routes = new Hono();

  routes.on(['GET', 'POST'], '/api/:method', bodyLimit({ maxSize: BODY_BYTES }), (c) => {
    const name = c.req.param('method');
    return callMethod(workspace, c, name, methods.get(name));
  });

  routes.post('/response/:secret', bodyLimit({ maxSize: BODY_BYTES }), async (c) => {
    const at = workspace.clock.now();
    const request = await c.req.text();
    const { status, body } = answerResponse(workspace, c.req.param('secret'), request);
    const response = JSON.stringify(body);
    const error = body.ok ? '' : body.error;
    const duration_ms = workspace.clock.now() - at;
    workspace.wire.record({
      direction: 'from-bot',
      at,
      duration_ms,
      name: 'response_url',
      status,
      error,
      retry: 0,
      request,
      response,
    });
    return c.json(body, status);
  });

  routes.get('/files-pri/:file/*', (c) => sendPrivateFile(workspace, c));

  routes.post('/upload/v1/:secret', bodyLimit({ maxSize: LIMITS.fileBytes + BODY_BYTES }), async (c) => {
    const { status, text } = receiveUpload(workspace, c.req.param('secret'), await uploadedBytes(c.req.raw));
    return c.text(text, status);
  });
  return routes;
}

type ResponseAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly error: string; readonly messages?: string[] };

/** A response_url answers 404 once it is used up or too old, and 400 to an invalid body. */
function answerResponse(
  workspace: Workspace,
  secret: string,
  request: string,
): { status: 200 | 400 | 404; body: ResponseAnswer } {
  const redeemed = workspace.responseUrls.redeem(secret);
  if (!redeemed.ok) return { status: 404, body: redeemed };
  const parsed = responseSchema.safeParse(readJson(request));
  if (!parsed.success) return { status: 400, body: { ok: false, error: 'invalid_payload' } };
  const responded = respond(workspace, redeemed.target, parsed.data);
  return { status: responded.ok ? 200 : 400, body: responded };
}

/** The file in a multipart form, or the body itself. */
async function uploadedBytes(request: Request): Promise<Uint8Array> {
  if (!(request.headers.get('content-type') ?? '').startsWith('multipart/form-data'))
    return new Uint8Array(await request.arrayBuffer());
  const form = await request.formData();
  const file = [...form.values()].find((value) => value instanceof File);
  return file === undefined ? new Uint8Array() : new Uint8Array(await file.arrayBuffer());
}
