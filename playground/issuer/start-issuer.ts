import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import type { Provider } from 'oidc-provider';
import { z } from 'zod';

import { type Person, signInPage } from './sign-in-page.ts';

/** The issuer's only client. */
interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface IssuerOptions extends Client {
  /** The port; 0 for any free one. */
  readonly port: number;
  /** The URL that browsers return to. */
  readonly redirectUri: string;
  /** The people who can sign in. There are no passwords here. */
  readonly people: readonly Person[];
  /** The value of `acr`. */
  readonly acr?: string | undefined;
}

/** An OpenID Connect issuer that runs. */
export interface LocalIssuer {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

const bound = z.object({ port: z.number() });

/** Starts a certified issuer that listens only on this machine. People sign in by choosing who they are. */
export async function startIssuer(options: IssuerOptions): Promise<LocalIssuer> {
  const server = createServer();
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${bound.parse(server.address()).port}`;
  const provider = await quietly(() => createProvider(url, options));
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/sign-in/') !== true) return void answer(request, response);
    const begun = signIn(provider, options, request, response);
    return void begun.catch(() => response.writeHead(400).end('Begin again.'));
  });
  return {
    url,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Hides the library's warning that it stores nothing, which is intended in a playground. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { console: loud } = globalThis;
  globalThis.console = { ...loud, warn: () => undefined };
  try {
    return await work();
  } finally {
    globalThis.console = loud;
  }
}

async function createProvider(url: string, options: IssuerOptions): Promise<Provider> {
  const oidc = await import('oidc-provider');
  const { clientId, clientSecret, redirectUri, people } = options;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new oidc.Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', kid: 'local', alg: 'RS256', use: 'sig' }],
    },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // The ID token says who the person is, as in most companies.
    conformIdTokenClaims: false,
    acrValues: options.acr === undefined ? [] : [options.acr],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 300,
      IdToken: 300,
      Interaction: 600,
      Session: 600,
    },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, id) => {
      const person = people.find(({ sub }) => sub === id);
      return person && { accountId: id, claims: () => ({ ...person }) };
    },
    // Signing in grants the only client the person's identity.
    async loadExistingGrant({ oidc: { provider, session } }) {
      const grant = new provider.Grant({ clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}

/** Shows the people to choose from, and signs in the chosen one. */
async function signIn(
  provider: Provider,
  { people, acr }: IssuerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response);
  const chosen = new URL(request.url ?? '/', provider.issuer).searchParams.get('as');
  const person = people.find(({ sub }) => sub === chosen);
  if (request.method === 'POST' && person && prompt.name === 'login') {
    const login = { accountId: person.sub, ...(acr !== undefined && { acr }) };
    await provider.interactionFinished(request, response, { login });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(signInPage(people));
}
