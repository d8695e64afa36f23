import { hash } from 'node:crypto';

import type { LinkGate } from '../../model/gate.ts';
import type { Demand } from '../../model/rulebook/rulebook.ts';
import type { Login, Passes } from '../../model/values/pass.ts';
import { type LinkPorts, makeLink } from './links.ts';

export const signIn: Demand = {
  gate: 'sign-in',
  verb: 'sign in',
  how: 'sign in with SSO',
  act: 'sign-in',
  noun: 'login',
};

/** Sends people to the page where they sign in. */
export function signInGate(ports: LinkPorts): LinkGate {
  const gate: LinkGate = {
    name: signIn.gate,
    demand: signIn,
    notes: [
      'The link works once, for two minutes, and only for you.',
      "_Didn't press the button? Don't sign in, and tell your security team._",
    ],
    ask: ({ decision: { demands = [] }, passes }) =>
      demands.some((one) => one.gate === gate.name) && !passes[gate.name]
        ? { kind: 'link', gate }
        : undefined,
    link: (click) => makeLink(ports, click),
  };
  return gate;
}

/** Identifies a person across Slack accounts, as the SHA-256 of issuer and subject. */
export const personHash = ({ issuer, subject }: Pick<Login, 'issuer' | 'subject'>): string =>
  hash('sha256', JSON.stringify([issuer, subject]), 'base64url');

export const passOf = (login: Login): Passes => ({ [signIn.gate]: { person: personHash(login), login } });
