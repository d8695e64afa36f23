import { createHmac, generateKeyPairSync, hash, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { client } from './client.ts';

/** Possible faults of an issuer, intended or not. Without them, it works like any other. */
export interface Misbehaviour {
  /** Changes the claims of the ID token. Undefined removes a claim. */
  readonly claims?: (now: number) => Readonly<Record<string, unknown>>;
  /** The parameters that the browser returns instead of `code`, `state` and `iss`. */
  readonly answer?: (parameters: URLSearchParams) => void;
  readonly algorithm?: 'none' | 'HS256' | 'HS512' | 'RS512';
  /** Signs with a key that it does not publish. */
  readonly otherKey?: true;
  /** Signs with a new key, which it publishes instead of the one from before. */
  readonly replacedKey?: true;
  /** Refuses the client's secret in this place, even if it announces the place. */
  readonly refusesSecretIn?: 'header' | 'body';
  /** The endpoint that never answers, or is down. */
  readonly hangs?: string;
  readonly down?: string;
  /** The status of the endpoint that is down. Default: 503. */
  readonly status?: number;
  /** The headers and body of that answer. */
  readonly reply?: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Additional members of the discovery document. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Claims at its userinfo endpoint. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

export interface BadIssuer {
  readonly url: string;
  misbehave(how: Misbehaviour): void;
  /** Parameters of the authorization requests so far. */
  readonly asked: readonly Readonly<Record<string, string>>[];
  /** The Authorization headers at its token endpoint so far; empty if there was none. */
  readonly authorizations: readonly string[];
  /** All that is secret: codes, verifiers, tokens, states, nonces. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

const bound = z.object({ port: z.number() });
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Made once per process, because a pair takes up to half a second of CPU. */
const [keys, others] = [keyPair(), keyPair()];

/** An issuer that signs everyone in immediately, as Carol. */
export async function startBadIssuer(): Promise<BadIssuer> {
  const { id: clientId, secret: clientSecret } = client;
  let how: Misbehaviour = {};
  const asked: Record<string, string>[] = [];
  const secrets: string[] = [];
  const authorizations: string[] = [];
  const codes = new Map<string, Record<string, string>>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (how.hangs === pathname) return;
    if (how.down === pathname) {
      const { headers, body } = how.reply ?? { headers: {}, body: 'down' };
      return void response.writeHead(how.status ?? 503, headers).end(body);
    }
    if (pathname === '/.well-known/openid-configuration')
      return json(response, { ...metadata(), ...how.metadata });
    if (pathname === '/jwks') {
      const published = how.replacedKey ? others : keys;
      const jwk = {
        ...published.publicKey.export({ format: 'jwk' }),
        kid: how.replacedKey ? 'k2' : 'k',
        use: 'sig',
      };
      return json(response, { keys: [jwk] });
    }
    if (pathname === '/authorize') return authorize(searchParams, response);
    if (pathname === '/me') return json(response, how.userInfo ?? {});
    if (pathname === '/token') {
      const { authorization = '' } = request.headers;
      authorizations.push(authorization);
      const place = authorization === '' ? 'body' : 'header';
      if (how.refusesSecretIn === place) return json(response, { error: 'invalid_client' }, 401);
      return void text(request).then((body) => token(new URLSearchParams(body), response));
    }
    return void response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${bound.parse(server.address()).port}`;

  const metadata = () => ({
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    ...(how.userInfo && { userinfo_endpoint: `${url}/me` }),
  });

  const authorize = (parameters: URLSearchParams, response: ServerResponse): void => {
    const given = Object.fromEntries(parameters);
    asked.push(given);
    const code = `code-${randomUUID()}`;
    codes.set(code, given);
    secrets.push(code, given['state'] ?? '', given['nonce'] ?? '');
    const back = new URL(given['redirect_uri'] ?? '');
    back.search = new URLSearchParams({ code, state: given['state'] ?? '', iss: url }).toString();
    how.answer?.(back.searchParams);
    response.writeHead(302, { location: back.href }).end();
  };

  const token = (body: URLSearchParams, response: ServerResponse): void => {
    const code = body.get('code') ?? '';
    const verifier = body.get('code_verifier') ?? '';
    const given = codes.get(code);
    codes.delete(code);
    secrets.push(verifier);
    const proved = hash('sha256', verifier, 'base64url') === given?.['code_challenge'];
    if (!given || !proved) return json(response, { error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: url,
      aud: clientId,
      sub: 'subject-of-carol',
      email: 'carol@example.com',
      email_verified: true,
      nonce: given['nonce'],
      iat: now,
      exp: now + 60,
      auth_time: now,
      acr: 'phr',
      ...how.claims?.(now),
    };
    const idToken = signed(
      claims,
      { ...how, kid: how.replacedKey ? 'k2' : 'k' },
      (how.otherKey || how.replacedKey ? others : keys).privateKey,
      clientSecret,
    );
    secrets.push(idToken);
    json(response, { access_token: 'access-token-of-carol', token_type: 'Bearer', id_token: idToken });
  };

  return {
    url,
    misbehave: (next) => void (how = next),
    asked,
    secrets,
    authorizations,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function signed(
  claims: object,
  { algorithm = 'RS256', kid }: { readonly algorithm?: string; readonly kid: string },
  key: KeyObject,
  secret: string,
): string {
  const input = `${base64({ alg: algorithm, kid, typ: 'JWT' })}.${base64(claims)}`;
  if (algorithm === 'none') return `${input}.`;
  if (algorithm.startsWith('HS'))
    return `${input}.${createHmac(`sha${algorithm.slice(2)}`, secret)
      .update(input)
      .digest('base64url')}`;
  return `${input}.${sign(algorithm === 'RS512' ? 'sha512' : 'sha256', Buffer.from(input), key).toString('base64url')}`;
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
