import type { Roles } from '../../src/model/rulebook.ts';

/** Somebody who asks. */
export interface Someone {
  readonly team: string;
  readonly user: string;
  /** `unknown` cannot be looked up now. */
  readonly is: 'member' | 'guest' | 'stranger' | 'deactivated' | 'unknown';
  readonly usergroups: readonly string[];
}

const own = (user: string, is: Someone['is'] = 'member', usergroups: readonly string[] = []): Someone => ({
  team: 'T0LOCAL',
  user,
  is,
  usergroups,
});

export const people = Object.freeze({
  alice: own('U0ALICE'),
  bob: own('U0BOB'),
  carol: own('U0CAROL'),
  lee: own('U0LEE'),
  'dan on call': own('U0DAN', 'member', ['S0ONCALL']),
  'erin of a group that cannot be looked up': own('U0ERIN', 'member', ['S0BROKEN']),
  'gus, a guest': own('U0GUS', 'guest'),
  'gina, a guest listed by id': own('U0GINA', 'guest'),
  'greta, a guest on call': own('U0GRETA', 'guest', ['S0ONCALL']),
  'sara of another team, listed with it': { team: 'T0OTHER', user: 'U0SARA', is: 'stranger', usergroups: [] },
  'steve of another team': { team: 'T0OTHER', user: 'U0STEVE', is: 'stranger', usergroups: [] },
  'stan of another team, on call': {
    team: 'T0OTHER',
    user: 'U0STAN',
    is: 'stranger',
    usergroups: ['S0ONCALL'],
  },
  "another team's user with alice's id": { team: 'T0OTHER', user: 'U0ALICE', is: 'stranger', usergroups: [] },
  "another team's user with carol's id": { team: 'T0OTHER', user: 'U0CAROL', is: 'stranger', usergroups: [] },
  'ulla, unknown now': own('U0ULLA', 'unknown', ['S0ONCALL']),
  'dora, who left, listed by id': own('U0DORA', 'deactivated', ['S0ONCALL']),
  'uwe, unknown now but listed by id': own('U0UWE', 'unknown'),
} satisfies Record<string, Someone>);

export const roles: Roles = {
  responders: {
    users: ['U0ALICE', 'U0GINA', 'U0DORA', 'U0UWE', 'T0OTHER/U0SARA'],
    usergroups: ['S0ONCALL'],
  },
  // Whoever is not listed may be in it or not: its group cannot be looked up.
  night: { users: ['U0LEE'], usergroups: ['S0BROKEN'] },
  'on call': { users: [], usergroups: ['S0ONCALL'] },
  visitors: { users: ['U0GRETA', 'T0OTHER/U0STAN'], usergroups: [] },
  leads: { users: ['T0LOCAL/U0CAROL'], usergroups: [] },
  // Misread as a user of the own team it would let in whoever has this id there.
  partners: { users: ['T0OTHER/U0BOB'], usergroups: [] },
};
