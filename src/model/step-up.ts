import { z } from 'zod';

import { actor, place } from './actor.ts';

/** A sign-in as the issuer's token says it, in its words. */
export const login = z.object({
  issuer: z.string(),
  subject: z.string(),
  /** When the person signed in, in epoch seconds. */
  auth_time: z.number(),
  /** How, where the issuer says that. */
  acr: z.string().optional(),
});
export type Login = Readonly<z.output<typeof login>>;

/** A click on a card that counts once its person has signed in. */
export const heldClick = z.object({
  requestId: z.string(),
  /** Of the request as it was clicked: any step since ends the link. */
  version: z.number(),
  action: z.enum(['confirm', 'approve']),
  actor,
  place,
  /** The target's name, where the rule asks to type it. */
  typedName: z.string().optional(),
  correlationId: z.string(),
});
export type HeldClick = Readonly<z.output<typeof heldClick>>;

/**
 * Links to sign in by, of all replicas. Only SHA-256 hashes are kept of a link's token, and of the secret of the browser that
 * followed it. Each link goes through its stages once, whichever replica is asked: made, followed to the issuer, returned,
 * signed in, spent. Rejects with BellhopError `store-unavailable`.
 */
export interface SignIns {
  /** The link is good for `goodMs`. */
  addSignIn(token: string, click: HeldClick, now: number, goodMs: number): Promise<void>;
  /** Undefined if there is no such link. `isOpen`: it can still be followed. */
  findSignIn(
    token: string,
    now: number,
  ): Promise<{ readonly click: HeldClick; readonly isOpen: boolean } | undefined>;
  /** Uses the link up: `browser` has `goodMs` from now on to finish it. False if it cannot be followed any more. */
  followSignIn(token: string, browser: string, now: number, goodMs: number): Promise<boolean>;
  /** The browser is back from the issuer, once. `ageMs`: since the link was made. */
  returnSignIn(
    browser: string,
    now: number,
  ): Promise<{ readonly click: HeldClick; readonly ageMs: number } | undefined>;
  /** The person has signed in as whom the link was made for. */
  keepLogin(browser: string, by: Login): Promise<void>;
  /** The one use of that login. */
  spendLogin(
    browser: string,
    now: number,
  ): Promise<{ readonly click: HeldClick; readonly login: Login } | undefined>;
}
