import { createHmac, hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { BellhopError } from '../model/values/errors.ts';
import type { Clock } from '../model/ports.ts';
import type { HeldClick, SignIns } from '../model/values/step-up.ts';

/** How long a link can be followed, in milliseconds. */
const linkMs = 2 * 60_000;
/** How long the person has to sign in and to press the page's button, in milliseconds. */
export const browserMs = 5 * 60_000;

/** The secret of a link, or of the browser that followed it: 256 bits, 43 characters. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const isSecret = (text: string | undefined): text is string =>
  text !== undefined && /^[\w-]{43}$/u.test(text);

/** A secret's hash, for the store. */
export const hashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** Values that must return unchanged from the issuer or the page. They are not stored: each replica derives them. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier. */
  readonly verifier: string;
  /** The form's token. */
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
  /** The secret of this browser. */
  read(request: IncomingMessage): string | undefined;
  set(secret: string): Readonly<Record<string, string>>;
  readonly cleared: Readonly<Record<string, string>>;
}

/** `__Host-`: no other name of the domain can set it. Lax: browsers send it on the way back from the issuer. */
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
    cleared: { 'Set-Cookie': `${name}=; Max-Age=0; ${attributes}` },
  };
}

export interface LinkPorts {
  readonly store: Pick<SignIns, 'addSignIn'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Where browsers reach Bellhop, without a slash at its end. */
  readonly publicUrl: string | undefined;
}

/** Makes a link that lets this click count once its person has signed in. @throws BellhopError */
export async function makeLink({ store, clock, publicUrl }: LinkPorts, click: HeldClick): Promise<string> {
  if (publicUrl === undefined)
    throw new BellhopError(
      'configuration',
      'This needs a login, but PUBLIC_URL is not set. Nothing was run.',
    );
  const token = newSecret();
  await store.addSignIn(hashOf(token), click, clock.now(), linkMs);
  return `${publicUrl}/step-up/${token}`;
}
