import type { Context } from 'hono';
import { LIMITS } from '../limits.ts';
import { slackIssues } from '../blocks/slack-issue.ts';
import { grantedScopes, type Workspace } from '../workspace.ts';
import { MethodError, type Method, type TokenKind } from './method.ts';

interface Called {
  readonly status: 200 | 429 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers a call of the Web API, and writes it into the wire log. `method` is undefined if Slack knows none. */
export async function callMethod(
  workspace: Workspace,
  c: Context,
  name: string,
  method: Method | undefined,
): Promise<Response> {
  const at = workspace.clock.now();
  const raw = await c.req.text();
  const { input, token } = readArguments(c, raw);
  const { status, headers, body } = answer(workspace, name, method, input, token);
  const response = JSON.stringify(body);
  workspace.wire.record({
    direction: 'from-bot',
    at,
    duration_ms: workspace.clock.now() - at,
    name,
    status,
    error: body['ok'] === true ? '' : String(body['error']),
    retry: 0,
    request: JSON.stringify(input),
    response,
  });
  return c.body(response, status, { 'content-type': 'application/json; charset=utf-8', ...headers });
}

/** The arguments in the query and in the body (JSON or a form), and the token from the header or the arguments. */
function readArguments(c: Context, raw: string): { input: Record<string, unknown>; token: string } {
  const isJson = (c.req.header('content-type') ?? '').includes('application/json');
  const body = isJson ? parseObject(raw) : Object.fromEntries(new URLSearchParams(raw));
  const { token, ...input } = { ...c.req.query(), ...body };
  return { input, token: bearerOf(c) ?? (typeof token === 'string' ? token : '') };
}

const bearerOf = (c: Context): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];

/** Whether a request has a token that may call this method. */
export const mayCall = (workspace: Workspace, c: Context, method: Method): boolean =>
  refusalOf(workspace, method, bearerOf(c) ?? '') === undefined;

function parseObject(raw: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(raw);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

function answer(
  workspace: Workspace,
  name: string,
  method: Method | undefined,
  input: Record<string, unknown>,
  token: string,
): Called {
  const { drills } = workspace;
  const scopes = { 'x-oauth-scopes': grantedScopes(workspace).join(',') };
  if (drills.current.web_api_down) return refusal(new MethodError('service_unavailable'), {}, 503);
  try {
    if (method === undefined) throw new MethodError('unknown_method', { fields: { req_method: name } });
    const refused = refusalOf(workspace, method, token);
    if (refused !== undefined) throw refused;
    limit(workspace, method);
    const parsed = method.input.safeParse(input);
    if (!parsed.success)
      throw new MethodError('invalid_arguments', { messages: slackIssues(parsed.error.issues, '', input) });
    const accepted = { ...scopes, 'x-accepted-oauth-scopes': method.scopes.join(',') };
    return { status: 200, headers: accepted, body: { ok: true, ...method.run(workspace, input) } };
  } catch (error) {
    if (error instanceof MethodError)
      return refusal(error, scopes, error.retryAfter === undefined ? 200 : 429);
    throw error;
  }
}

function refusal(error: MethodError, headers: Record<string, string>, status: Called['status']): Called {
  const { code, messages, fields, retryAfter } = error;
  return {
    status,
    headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) },
    body: {
      ok: false,
      error: code,
      ...fields,
      ...(messages.length === 0
        ? {}
        : {
            errors: messages,
            response_metadata: { messages: messages.map((message) => `[ERROR] ${message}`) },
          }),
    },
  };
}

/** Slack's error for a token that may not call the method. */
function refusalOf(workspace: Workspace, method: Method, token: string): MethodError | undefined {
  const { settings } = workspace;
  const granted = grantedScopes(workspace);
  if (token === '') return method.name === 'api.test' ? undefined : new MethodError('not_authed');
  const kind: TokenKind | undefined =
    token === settings.botToken
      ? 'bot'
      : settings.appToken !== '' && token === settings.appToken
        ? 'app'
        : undefined;
  if (kind === undefined) return new MethodError('invalid_auth');
  if (method.token !== 'any' && method.token !== kind) return new MethodError('not_allowed_token_type');
  if (method.scopes.length === 0 || method.scopes.some((scope) => granted.includes(scope))) return undefined;
  return new MethodError('missing_scope', {
    fields: { needed: method.scopes.join(','), provided: granted.join(',') },
  });
}

/** @throws MethodError `ratelimited` */
function limit({ drills, rates }: Workspace, { name }: Method): void {
  const drilled = drills.current.rate_limit;
  if (drilled.includes(name) || drilled.includes('*'))
    throw new MethodError('ratelimited', { retryAfter: 1 });
  const wait = rates.take(`method/${name}`, LIMITS.method);
  if (wait > 0) throw new MethodError('ratelimited', { retryAfter: wait });
}
