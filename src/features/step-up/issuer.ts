import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client';
import { z } from 'zod';

import { nameOnSchedule } from '../../text/words.ts';
import type { Identity } from './section.ts';
import type { Login } from '../../model/values/pass.ts';
import { answered, createDiscovery, type DiscoveryPorts, toleranceSeconds } from './discovery.ts';
import type { Proofs } from './links.ts';
import { RefusedLoginError, type SignedIn } from './person.ts';

export interface IssuerPorts extends DiscoveryPorts {
  readonly redirectUri: string;
}

/** Every method rejects with BellhopError `busy` if the issuer does not answer. */
export interface Issuer {
  /** The URL does not reveal what is approved. */
  authorizeUrl(proofs: Proofs): Promise<string>;
  /**
   * Rejects with RefusedLoginError if the issuer's response does not prove the sign-in.
   * @param answer the query of the callback
   * @param ageMs the age of the link; the person must have signed in after the link was made
   */
  signIn(proofs: Proofs, answer: string, ageMs: number): Promise<SignedIn>;
  check(): Promise<void>;
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
        // Some issuers ignore max_age, and would not ask a person who is signed in already.
        prompt: 'login',
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
        if (userInfo === undefined || isWhole(claims, identity))
          return { login, name: nameIn(claims, identity, login) };
        const about = await fetchUserInfo(configuration, tokens.access_token, login.subject);
        const name = nameIn(about, identity, login);
        const inToken = claims[identity.claim] ?? name;
        if (typeof inToken === 'string' && nameOnSchedule(inToken) === nameOnSchedule(name))
          return { login, name };
        throw new RefusedLoginError(
          `Your SSO provider's ID token and its userinfo endpoint name different people in “${identity.claim}”.`,
          login,
        );
      });
    },
    check: async () => void (await discover()),
  };
}

/** openid-client leaves these checks of an ID token to its caller. */
const idToken = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  azp: z.string().optional(),
  auth_time: z.number(),
  acr: z.string().max(255).optional().catch(undefined),
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

/** Some issuers write the flag as text, or as the 1 of a language without booleans. */
const verifiedEmail = z.object({
  email: z.string().min(1).max(320),
  email_verified: z.literal([true, 'true', 1, '1']),
});

/** Some tokens leave the e-mail address, or whether it is verified, to the userinfo endpoint. */
const isWhole = (claims: Readonly<Record<string, unknown>>, { claim }: Identity): boolean =>
  claims[claim] !== undefined &&
  claims[claim] !== null &&
  (claim !== 'email' || (claims['email_verified'] ?? undefined) !== undefined);

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
