import type { LinkGate } from '../src/model/gate.ts';
import type { Demand } from '../src/model/rulebook/rulebook.ts';
import type { Passes } from '../src/model/values/pass.ts';

/** A demand that no feature makes. */
export const token: Demand = {
  gate: 'token',
  verb: 'touch the token',
  how: 'touch it',
  act: 'touch',
  noun: 'touch',
};
export const touched: Passes = { token: { person: 'the hash of alice' } };

/** The gate of that demand. It passes anyone whose token it knows. */
export const tokenGate = (forgets = false): LinkGate => {
  const gate: LinkGate = {
    name: token.gate,
    demand: token,
    notes: [],
    ask: ({ decision: { demands = [] }, passes }) =>
      demands.includes(token) && !passes['token'] && !forgets ? { kind: 'link', gate } : undefined,
    link: () => Promise.resolve('https://token.example/'),
  };
  return gate;
};
