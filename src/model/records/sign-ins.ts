import type { Actor } from '../values/actor.ts';
import type { HeldClick, Login } from '../values/pass.ts';

/** SHA-256 hashes of the link's token, or of the secret of the browser that followed the link. */
export type SignInKey = { readonly token: string } | { readonly browser: string };

export type SignInStep =
  | { readonly to: 'followed'; readonly token: string; readonly browser: string; readonly goodMs: number }
  | { readonly to: 'returned' | 'spent'; readonly browser: string }
  | { readonly to: 'signed in'; readonly browser: string; readonly login: Login };

/** A link after its step. `ageMs` is the time since it was made. */
export interface SignIn {
  readonly click: HeldClick;
  readonly ageMs: number;
  readonly login?: Login | undefined;
}

export interface FoundSignIn {
  readonly click: HeldClick;
  /** Whether the link can still be followed. */
  readonly isOpen: boolean;
  /** Whether the person who pressed the button signed in through the link. */
  readonly isSignedIn: boolean;
}

/**
 * Sign-in links of all replicas. Each link passes its stages once, on any replica: made, followed to the issuer, returned, signed in,
 * spent. Rejects with BellhopError `store-unavailable`.
 */
export interface SignIns {
  /** Valid for `goodMs`. Only the newest links of a person are kept. */
  addSignIn(token: string, click: HeldClick, now: number, goodMs: number): Promise<void>;
  findSignIn(by: SignInKey, now: number): Promise<FoundSignIn | undefined>;
  /** With which this person signed in lately, newest first. */
  loginsOf(person: Actor): Promise<readonly Login[]>;
  /** Undefined if the link is not in the previous stage, or has expired. */
  moveSignIn(step: SignInStep, now: number): Promise<SignIn | undefined>;
}
