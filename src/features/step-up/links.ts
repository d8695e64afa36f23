import { createHmac, hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { badConfiguration } from '../../model/values/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { HeldClick } from '../../model/values/pass.ts';
import type { SignIns } from '../../model/records/sign-ins.ts';

/** In milliseconds. A link can be followed for this long. */
export const linkMs = 2 * 60_000;
/** In milliseconds. The person has this long to sign in and to press the page's button. */
export const browserMs = 5 * 60_000;

/** 256 bits in 43 characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const isSecret = (text: string | undefined): text is string =>
  text !== undefined && /^[\w-]{43}$/u.test(text);

export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** Must return unchanged from the issuer or the page. Not stored, because each replica can derive them. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The token of the page's form. */
  readonly csrf: string;
}

/** @param browser the secret in the cookie */
export function proofsOf(browser: string): Proofs {
  const derive = (purpose: string): string =>
    createHmac('sha256', browser).update(`step-up ${purpose}`).digest('base64url');
  return {
    state: derive('state'),
    nonce: derive('nonce'),
    verifier: derive('verifier'),
    csrf: derive('csrf'),
  };
}

export interface Cookie {
  read(request: IncomingMessage): string | undefined;
  set(secret: string): Readonly<Record<string, string>>;
}

/**
 * No other host of the domain can set a `__Host-` cookie. A `Lax` cookie is sent when the browser returns from the
 * issuer.
 */
export function createCookie(publicUrl: string): Cookie {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Host-bellhop-step-up' : 'bellhop-step-up';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    read({ headers: { cookie = '' } }) {
      const pairs = cookie.split(';').map((pair) => pair.trim());
      const secret = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return isSecret(secret) ? secret : undefined;
    },
    set: (secret) => ({ 'Set-Cookie': `${name}=${secret}; Max-Age=${browserMs / 1000}; ${attributes}` }),
  };
}

export interface LinkPorts {
  readonly store: Pick<SignIns, 'addSignIn'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** The click counts once the person has signed in. @throws BellhopError */
export async function makeToken({ store, clock }: LinkPorts, click: HeldClick): Promise<string> {
  const token = newSecret();
  await store.addSignIn(hashOf(token), click, clock.now(), linkMs);
  return token;
}

/** @param publicUrl without a slash at the end @throws BellhopError */
export function urlOf(publicUrl: string | undefined, token: string): string {
  if (publicUrl === undefined)
    throw badConfiguration('This needs a login, but PUBLIC_URL is not set. Nothing was run.');
  return `${publicUrl}/step-up/${token}`;
}
