import { hash } from 'node:crypto';

import type { LinkGate } from '../../model/gate.ts';
import type { Demand } from '../../model/rulebook/rulebook.ts';
import type { Login, Passes } from '../../model/values/pass.ts';
import type { GatePorts } from '../../host/feature.ts';
import { makeToken, urlOf } from './links.ts';
import { countPress } from './presses.ts';

export const signIn: Demand = {
  gate: 'sign-in',
  verb: 'sign in',
  how: 'sign in with SSO',
  act: 'sign-in',
  noun: 'login',
};

export const linkNote = 'The link works once, for two minutes, and only for you.';

/** Further presses of the button are shown in one message. */
export function signInGate(ports: GatePorts): LinkGate {
  const gate: LinkGate = {
    name: signIn.gate,
    demand: signIn,
    notes: [
      `${linkNote} If you press again, a link comes as a direct message from Bellhop.`,
      "_Didn't press the button? Don't sign in, and tell your security team._",
    ],
    ask: ({ decision: { demands = [] }, passes }) =>
      demands.some((one) => one.gate === gate.name) && !passes[gate.name]
        ? { kind: 'link', gate }
        : undefined,
    link: async (click) =>
      (await countPress(ports, click)) === 1
        ? urlOf(ports.publicUrl, await makeToken(ports, click))
        : undefined,
  };
  return gate;
}

/** Identifies a person across Slack accounts, as the SHA-256 of issuer and subject. */
export const personHash = ({ issuer, subject }: Pick<Login, 'issuer' | 'subject'>): string =>
  hash('sha256', JSON.stringify([issuer, subject]), 'base64url');

export const passOf = (login: Login): Passes => ({ [signIn.gate]: { person: personHash(login), login } });
