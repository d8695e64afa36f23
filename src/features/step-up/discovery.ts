import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { z } from 'zod';

import { reasonText } from '../../http/exchange.ts';
import { responseOf, sendOnce } from '../../http/send.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { canonical } from '../../model/records/audit.ts';
import { badConfiguration, BellhopError } from '../../model/values/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { type Identity, identitySection } from './section.ts';
import { parseJson } from '../../text/words.ts';
import { RefusedLoginError } from './person.ts';

/** In milliseconds, for one call. A sign-in makes at most five calls. */
const callMs = 4_000;
/** In milliseconds, for the discovery document. */
const believedMs = 5 * 60_000;
/** The issuer's keys are read again at each sign-in, up to this rate. */
const keysRate = { burst: 5, perSecond: 0.1 };
/** In seconds: the allowed difference between the issuer's clock and ours. */
export const toleranceSeconds = 5;
/** In bytes. */
const largestAnswer = 512 * 1024;

export interface DiscoveryPorts {
  readonly rulebook: () => Pick<Rulebook, 'sections'>;
  /** The value behind `secret:name`. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly localIssuer: LocalIssuer | undefined;
}

/** The issuer of the playground starts with the first call. */
export type LocalIssuer = (
  clientId: string,
) => Promise<{ readonly url: string; readonly clientSecret: string }>;

/** `of` is the issuer, client and secret of the configuration. */
interface Known {
  readonly of: string;
  readonly at: number;
  readonly configuration: Configuration;
}

/** The function rejects with BellhopError. */
export function createDiscovery({ rulebook, resolveSecret, clock, localIssuer }: DiscoveryPorts) {
  let known: Known | undefined;
  const methods = new Map<string, ClientAuth>();
  const keys = createRateLimit(clock, keysRate);
  const addressOf = async ({ issuer, clientId, clientSecret }: Identity) => {
    if (issuer !== 'local') return [issuer, resolveSecret(clientSecret)] as const;
    if (!localIssuer)
      throw badConfiguration(
        "bellhop.yaml names the playground's issuer, but the playground is not running.",
      );
    const local = await localIssuer(clientId);
    return [local.url, local.clientSecret] as const;
  };
  return async () => {
    const identity = identitySection.of(rulebook());
    if (!identity) throw badConfiguration('bellhop.yaml has no “identity”, so no one can sign in.');
    const [issuer, secret] = await addressOf(identity);
    const of = canonical([issuer, identity.clientId, secret]);
    // The difference is absolute, because a clock that was set back would keep the document in the cache for longer.
    if (known?.of !== of || Math.abs(clock.now() - known.at) >= believedMs) {
      const described = await answered(() => describe(issuer, identity));
      const method = methods.get(of) ?? (await answered(() => clientAuth(described, identity, secret)));
      methods.clear();
      methods.set(of, method);
      known = { of, at: clock.now(), configuration: configure(described, identity, method) };
    } else if (keys.take('issuer') === 0) {
      // The library would keep a replaced key for a minute. A new configuration reads the keys again.
      const described = known.configuration.serverMetadata();
      const method = methods.get(of) ?? basic(secret);
      known = { ...known, configuration: configure(described, identity, method) };
    }
    return { identity, configuration: known.configuration };
  };
}

const execute = (issuer: string): readonly ((configuration: Configuration) => void)[] => [
  // Without this option, nothing checks the signature of the ID token.
  enableNonRepudiationChecks,
  // The schema of the rules allows http only for this machine.
  ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
];

/** If the address is for all tenants, Microsoft's own name has a placeholder for the tenant. */
const ofAnyTenant = (name: string): boolean => name.includes('{');

/** Rejects with a BellhopError `configuration` if the issuer's own name is not exactly the one in bellhop.yaml. */
export async function describe(
  issuer: string,
  { clientId }: Pick<Identity, 'clientId'>,
): Promise<ServerMetadata> {
  const options = { execute: [...execute(issuer)], [customFetch]: send, timeout: callMs / 1000 };
  try {
    const found = await discovery(new URL(issuer), clientId, undefined, None(), options);
    const server = found.serverMetadata();
    if (ofAnyTenant(server.issuer)) throw new Error('for any tenant');
    return server;
  } catch (error) {
    const name = await ownName(issuer);
    if (name === undefined || name === issuer) throw error;
    if (ofAnyTenant(name))
      throw badConfiguration(
        'This issuer is for all tenants. Set identity.issuer in bellhop.yaml to the address of your own tenant, such as https://login.microsoftonline.com/<tenant id>/v2.0.',
      );
    throw badConfiguration(
      `The SSO provider calls itself ${name}. Write exactly that as identity.issuer in bellhop.yaml.`,
    );
  }
}

/** The library's error does not contain the name that the issuer gives itself. */
async function ownName(issuer: string): Promise<string | undefined> {
  const url = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
  const attempt = await sendOnce(url, { timeoutMs: callMs, largest: largestAnswer });
  if (attempt.kind !== 'answer') return undefined;
  return z.object({ issuer: z.url().max(300) }).safeParse(parseJson(attempt.body.toString('utf8'))).data
    ?.issuer;
}

function configure(server: ServerMetadata, { clientId }: Identity, method: ClientAuth): Configuration {
  const configuration = new Configuration(server, clientId, { [clockTolerance]: toleranceSeconds }, method);
  configuration[customFetch] = send;
  configuration.timeout = callMs / 1000;
  for (const apply of execute(server.issuer)) apply(configuration);
  return configuration;
}

/** Leaves the unreserved characters of RFC 3986 as they are, because some issuers do not decode them. */
const formEncoded = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const basicHeader = (id: string, secret: string): string =>
  ['Basic', Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64')].join(' ');

const basic =
  (secret: string): ClientAuth =>
  (_, { client_id: id }, _body, headers) =>
    headers.set('authorization', basicHeader(id, secret));

/**
 * Chooses how to send the client's secret: with Basic, or in the body. Some issuers announce both and refuse Basic for
 * this client, so Basic is tried once, with an invalid code. Basic is the default of RFC 8414.
 */
async function clientAuth(
  server: ServerMetadata,
  { clientId }: Identity,
  secret: string,
): Promise<ClientAuth> {
  const { token_endpoint: endpoint, token_endpoint_auth_methods_supported: methods } = server;
  const usual = !methods || methods.includes('client_secret_basic');
  if (!usual) return ClientSecretPost(secret);
  if (methods?.includes('client_secret_post') !== true || endpoint === undefined) return basic(secret);
  const attempt = await sendOnce(endpoint, {
    method: 'POST',
    headers: {
      authorization: basicHeader(clientId, secret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code: 'check' }).toString(),
    timeoutMs: callMs,
    largest: largestAnswer,
  });
  return attempt.kind === 'answer' && refusesClient(attempt) ? ClientSecretPost(secret) : basic(secret);
}

/** Some issuers refuse the client with 400. */
const refusesClient = ({ status, body }: { readonly status: number; readonly body: Buffer }): boolean =>
  status === 401 || body.toString('utf8').includes('invalid_client');

const away = (why: string): BellhopError =>
  new BellhopError('busy', `SSO is not available: ${why}. Nothing was approved. Try again in a minute.`, {
    retryable: true,
  });

/** Sends through the bot's own HTTP client, which bounds the answer, uses the proxy and follows no redirects. */
const send: CustomFetch = async (url, { method, headers, body }) => {
  // Only the token endpoint gets a POST. Everything else is only read.
  const isToken = method === 'POST';
  const attempt = await sendOnce(url, {
    method: isToken ? 'POST' : 'GET',
    headers,
    ...(body instanceof URLSearchParams && { body: body.toString() }),
    timeoutMs: callMs,
    largest: largestAnswer,
  });
  if (attempt.kind === 'no-response') throw away(`it is not responding${reasonText(attempt)}`);
  const { status } = attempt;
  if (status >= 500 || status === 429) throw away(`it answered ${status}`);
  if (!isToken && (status === 401 || status === 403))
    throw away(`${new URL(url).pathname} answered ${status}`);
  if (isToken && refusesClient(attempt))
    throw badConfiguration(
      "The SSO provider does not accept Bellhop's client_id and client_secret. Nothing was approved. Contact the Bellhop admin.",
    );
  return responseOf(attempt, Response);
};

/** The library's error for an ID token that is signed with the client's secret, or by a method that the library does not know. */
const unsupported = z.object({ code: z.literal('OAUTH_UNSUPPORTED_OPERATION') });

/**
 * Passes on only the error code or the library's own message, because the library's errors contain codes, tokens and claims.
 * @throws BellhopError
 */
export async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const causes = causesOf(error);
    const known = causes.find((cause) => cause instanceof BellhopError);
    if (known) throw known;
    const code = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/u) }).safeParse(error).data?.error;
    const advice = unsupported.safeParse(error).success
      ? 'the SSO provider has to sign the ID token with a published key, such as RS256'
      : undefined;
    const why = code ?? advice ?? (causes[1] ?? causes[0])?.message ?? 'unexpected answer';
    throw new RefusedLoginError(`The login was not accepted: ${why.slice(0, 200)}.`);
  }
}

const causesOf = (error: unknown): readonly Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];
