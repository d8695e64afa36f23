import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { z } from 'zod';

import { reasonText } from '../http/exchange.ts';
import { responseOf, sendOnce } from '../http/send.ts';
import { canonical } from '../model/records/audit.ts';
import { badConfiguration, BellhopError } from '../model/values/errors.ts';
import type { Clock } from '../model/ports.ts';
import type { Identity, Rulebook } from '../model/rulebook/rulebook.ts';
import type { Login } from '../model/values/step-up.ts';
import type { Proofs } from './links.ts';
import { RefusedLoginError, type SignedIn } from './person.ts';

/** In milliseconds. A call to the issuer may take this long. A sign-in makes at most four calls. */
const callMs = 4_000;
/** In milliseconds. The discovery document is cached for this long. */
const believedMs = 5 * 60_000;
/** In seconds. The issuer's clock and ours may differ by this much. */
const toleranceSeconds = 5;
/** In bytes. */
const largestAnswer = 512 * 1024;

export interface IssuerPorts {
  readonly rulebook: () => Pick<Rulebook, 'identity'>;
  /** The value behind `secret:name`. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly redirectUri: string;
  /** The issuer that runs inside the playground, if there is one. */
  readonly localIssuer: string | undefined;
}

/** The identity provider where people sign in. Every method rejects with BellhopError `busy` if the issuer does not answer. */
export interface Issuer {
  /** Resolves to the issuer's URL for the browser. The URL does not reveal what is approved. */
  authorizeUrl(proofs: Proofs): Promise<string>;
  /**
   * Resolves to what the issuer proves about the person. Rejects with RefusedLoginError for anything that is not proved.
   * @param answer the query of the callback
   * @param ageMs the age of the link, since which the person must have signed in
   */
  signIn(proofs: Proofs, answer: string, ageMs: number): Promise<SignedIn>;
  check(): Promise<void>;
}

function createDiscovery({ rulebook, resolveSecret, clock, localIssuer }: IssuerPorts) {
  let known: { readonly of: string; readonly at: number; readonly configuration: Configuration } | undefined;
  return async () => {
    const { identity } = rulebook();
    if (!identity) throw badConfiguration('bellhop.yaml has no “identity”, so no one can sign in.');
    const issuer = identity.issuer === 'local' ? localIssuer : identity.issuer;
    if (issuer === undefined)
      throw badConfiguration(
        "bellhop.yaml names the playground's issuer, but the playground is not running.",
      );
    const secret = resolveSecret(identity.clientSecret);
    const of = canonical([issuer, identity.clientId, secret]);
    // The difference is absolute, because a clock that was set back would keep the document in the cache for longer.
    if (known?.of !== of || Math.abs(clock.now() - known.at) >= believedMs) {
      const configuration = await answered(() => configure(issuer, identity, secret));
      known = { of, at: clock.now(), configuration };
    }
    return { identity, configuration: known.configuration };
  };
}

export function createIssuer(ports: IssuerPorts): Issuer {
  const { clock, redirectUri } = ports;
  const discover = createDiscovery(ports);
  return {
    async authorizeUrl({ state, nonce, verifier }) {
      const { identity, configuration } = await discover();
      const { claim, acrValues } = identity;
      const scopes = ['openid', ...(claim === 'sub' ? [] : [claim === 'email' ? 'email' : 'profile'])];
      const parameters = {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: '0',
        ...(acrValues.length > 0 && { acr_values: acrValues.join(' ') }),
      };
      return answered(async () => buildAuthorizationUrl(configuration, parameters).href);
    },
    async signIn({ state, nonce, verifier }, answer, ageMs) {
      const { identity, configuration } = await discover();
      const url = new URL(redirectUri);
      url.search = answer;
      return answered(async () => {
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          // `maxAge` makes the library require auth_time, too.
          maxAge: Math.ceil(ageMs / 1000),
          idTokenExpected: true,
        });
        const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
        const login = provedLogin(claims, identity, clock.now());
        const { userinfo_endpoint: userInfo } = configuration.serverMetadata();
        const inToken = claims[identity.claim] !== undefined || userInfo === undefined;
        const about = inToken
          ? claims
          : await fetchUserInfo(configuration, tokens.access_token, login.subject);
        return { login, name: nameIn(about, identity, login) };
      });
    },
    check: async () => void (await discover()),
  };
}

/** The checks of an ID token that openid-client leaves to its caller. */
const idToken = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  azp: z.string().optional(),
  auth_time: z.number(),
  acr: z.string().max(255).optional(),
});

/** @throws RefusedLoginError */
function provedLogin(claims: unknown, { clientId, acrValues }: Identity, now: number): Login {
  const read = idToken.safeParse(claims);
  if (!read.success)
    throw new RefusedLoginError(`The token's ${read.error.issues[0]?.path.join('.')} is not valid.`);
  const { iss: issuer, sub: subject, azp, auth_time, acr } = read.data;
  const login = { issuer, subject, auth_time, ...(acr !== undefined && { acr }) };
  if (azp !== undefined && azp !== clientId)
    throw new RefusedLoginError('The token was issued for another application (azp).', login);
  if (auth_time > now / 1000 + toleranceSeconds)
    throw new RefusedLoginError(
      'The sign-in time (auth_time) is in the future. Check the clocks of Bellhop and the SSO provider.',
      login,
    );
  if (acrValues.length > 0 && !(acr !== undefined && acrValues.includes(acr)))
    throw new RefusedLoginError(
      `This needs a stronger sign-in (acr ${acrValues.join(' or ')}, not ${acr ?? 'none'}).`,
      login,
    );
  return login;
}

const verifiedEmail = z.object({ email: z.string().min(1), email_verified: z.literal(true) });

/** @throws RefusedLoginError */
function nameIn(about: Readonly<Record<string, unknown>>, { claim }: Identity, login: Login): string {
  if (claim === 'email') {
    const { data } = verifiedEmail.safeParse(about);
    if (data) return data.email;
    throw new RefusedLoginError(
      'Your SSO provider does not confirm that your e-mail address is verified.',
      login,
    );
  }
  const { data = '' } = z.string().max(320).safeParse(about[claim]);
  if (data !== '') return data;
  throw new RefusedLoginError(
    `The sign-in has no “${claim}” claim, so Bellhop can't tell who you are.`,
    login,
  );
}

async function configure(issuer: string, { clientId }: Identity, secret: string): Promise<Configuration> {
  const execute = [
    // Without this option, nothing checks the signature of the ID token.
    enableNonRepudiationChecks,
    // The schema of the rules allows http only for this machine.
    ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
  ];
  return discovery(
    new URL(issuer),
    clientId,
    { [clockTolerance]: toleranceSeconds },
    // Sends the secret in a way that the issuer accepts. RFC 8414 defines the default.
    (server, client, body, headers) => {
      const { token_endpoint_auth_methods_supported: methods } = server;
      const usual = !methods || methods.includes('client_secret_basic');
      return (usual ? ClientSecretBasic : ClientSecretPost)(secret)(server, client, body, headers);
    },
    { execute, [customFetch]: send, timeout: callMs / 1000 },
  );
}

const away = (why: string): BellhopError =>
  new BellhopError('busy', `SSO is not available: ${why}. Nothing was approved. Try again in a minute.`, {
    retryable: true,
  });

/** Sends through the bot's own HTTP client, which bounds the answer, uses the proxy and follows no redirects. */
const send: CustomFetch = async (url, { method, headers, body }) => {
  const attempt = await sendOnce(url, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body instanceof URLSearchParams && { body: body.toString() }),
    timeoutMs: callMs,
    largest: largestAnswer,
  });
  if (attempt.kind === 'no-response') throw away(`it is not responding${reasonText(attempt)}`);
  const { status } = attempt;
  if (status >= 500 || status === 429) throw away(`it answered ${status}`);
  if (status === 401)
    throw badConfiguration(
      "The SSO provider does not accept Bellhop's client_id and client_secret. Nothing was approved. Contact the Bellhop admin.",
    );
  return responseOf(attempt, Response);
};

/**
 * Passes on only the error code or the library's own message, because the library's errors contain codes, tokens and claims.
 * @throws BellhopError
 */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const causes = causesOf(error);
    const known = causes.find((cause) => cause instanceof BellhopError);
    if (known) throw known;
    const code = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/u) }).safeParse(error).data?.error;
    const why = code ?? (causes[1] ?? causes[0])?.message ?? 'unexpected answer';
    throw new RefusedLoginError(`The login was not accepted: ${why.slice(0, 200)}.`);
  }
}

const causesOf = (error: unknown): readonly Error[] =>
  error instanceof Error ? [error, ...causesOf(error.cause)] : [];
