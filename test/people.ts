import type { Actor, Person } from '../src/model/values/actor.ts';
import type { Directory } from '../src/model/ports.ts';
import type { Roles } from '../src/model/rulebook/rulebook.ts';
import { noSources } from './sample-source.ts';

/** Someone who asks. */
export interface Someone {
  readonly team: string;
  readonly user: string;
  /** `unknown` can't be looked up right now. */
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

export type Who = keyof typeof people;

const actorOf = ({ team, user }: Someone): Actor => ({ team, user });

/** Alice as requests and entries name her. */
export const alice = actorOf(people.alice);
export const bob = actorOf(people.bob);
export const carol = actorOf(people.carol);

export const roles: Roles = {
  responders: {
    users: ['U0ALICE', 'U0GINA', 'U0DORA', 'U0UWE', 'T0OTHER/U0SARA'],
    usergroups: ['S0ONCALL'],
  },
  // Anyone who is not listed may be in this role or not, because its group can't be looked up.
  night: { users: ['U0LEE'], usergroups: ['S0BROKEN'] },
  'on call': { users: [], usergroups: ['S0ONCALL'] },
  visitors: { users: ['U0GRETA', 'T0OTHER/U0STAN'], usergroups: [] },
  leads: { users: ['T0LOCAL/U0CAROL'], usergroups: [] },
  // If this id was taken for a user of the own team, the role would admit anyone with the same id there.
  partners: { users: ['T0OTHER/U0BOB'], usergroups: [] },
};

const everyone: readonly (typeof people)[keyof typeof people][] = Object.values(people);

/** The people as a chat platform tells of them. One of its usergroups can't be looked up. */
export const peopleDirectory: Directory = {
  ...noSources,
  person(actor) {
    const someone = everyone.find(({ team, user }) => team === actor.team && user === actor.user);
    if (!someone || someone.is === 'unknown') return Promise.resolve(undefined);
    const { team, user, is } = someone;
    const person: Person = {
      team,
      user,
      fullMember: is === 'member',
      guest: is === 'guest',
      active: is !== 'deactivated',
      timeZone: 'UTC',
      name: user === 'U0ALICE' ? 'Alice *Liddell*' : undefined,
    };
    return Promise.resolve(person);
  },
  inUsergroup(group, actor) {
    if (group === 'S0BROKEN') return Promise.resolve('unknown');
    const inIt = everyone.some(
      ({ team, user, usergroups }) =>
        team === actor.team && user === actor.user && usergroups.some((member) => member === group),
    );
    return Promise.resolve(inIt ? 'held' : 'not held');
  },
};
