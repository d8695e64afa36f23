import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Identity } from '../../../src/features/step-up/section.ts';
import { assertIsPerson } from '../../../src/features/step-up/person.ts';
import { carol } from '../../people.ts';

const identity: Identity = {
  issuer: 'https://login.example.com',
  clientId: 'bellhop',
  clientSecret: 'secret:oidc',
  claim: 'email',
  acrValues: [],
  people: { 'carol@example.com': 'U0CAROL', 'bob@example.com': 'U0BOB' },
  byEmail: false,
};
const login = { issuer: identity.issuer, subject: 's', auth_time: 1 };

/** The result of a sign-in if Slack has these addresses. */
async function outcome(
  name: string,
  of: Partial<Identity> = {},
  slack: Readonly<Record<string, string>> = {},
  actor = carol,
): Promise<string> {
  const rulebook = () => ({ sections: { identity: { ...identity, ...of } } });
  const ports = {
    context: { ownTeam: 'T0LOCAL', rulebook },
    userByEmail: (email: string) => Promise.resolve(slack[email]),
  };
  try {
    await assertIsPerson(ports, { name, login }, actor);
    return 'passes';
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return error.message;
  }
}

describe('the person who signed in is the one who clicked', () => {
  it.each<[string, Parameters<typeof outcome>, RegExp]>([
    ['by people', ['carol@example.com'], /^passes$/u],
    ['in other capitals', ['Carol@Example.com'], /^passes$/u],
    ['not with a letter that looks like another', ['\u212Aarol@example.com'], /does not say who/u],
    ['not as someone else', ['bob@example.com'], /someone else pressed/u],
    ['not as an unlisted person', ['dan@example.com'], /does not say who dan@example.com is/u],
    ['not under a name that every object has', ['constructor', { claim: 'sub' }], /does not say who/u],
    [
      'by another claim, letter for letter',
      ['aB1', { claim: 'sub', people: { aB1: 'U0CAROL' } }],
      /^passes$/u,
    ],
    [
      'not by one that differs in capitals',
      ['ab1', { claim: 'sub', people: { aB1: 'U0CAROL' } }],
      /does not say who/u,
    ],
    [
      'not of another team',
      ['carol@example.com', {}, {}, { ...carol, team: 'T0OTHER' }],
      /someone else pressed/u,
    ],
  ])('%s', async (_, asked, said) => {
    expect(await outcome(...asked)).toMatch(said);
  });

  const listsOthers = { byEmail: true, people: { 'bob@example.com': 'U0BOB' } };
  it.each<[string, Parameters<typeof outcome>, RegExp]>([
    [
      'if people does not list them',
      ['carol@example.com', listsOthers, { 'carol@example.com': 'U0CAROL' }],
      /^passes$/u,
    ],
    [
      'not if Slack says someone else',
      ['carol@example.com', listsOthers, { 'carol@example.com': 'U0DAN' }],
      /someone else/u,
    ],
    ['not if Slack does not know the person', ['carol@example.com', listsOthers], /does not say who/u],
    [
      'not if people lists the person under another address: an admin may have given the account this one',
      ['mallory@example.com', { byEmail: true }, { 'mallory@example.com': 'U0CAROL' }],
      /does not say who mallory/u,
    ],
    [
      'not if people lists the address as someone else',
      ['bob@example.com', { byEmail: true }, { 'bob@example.com': 'U0CAROL' }],
      /someone else/u,
    ],
  ])('by their address in Slack, %s', async (_, asked, said) => {
    expect(await outcome(...asked)).toMatch(said);
  });
});
