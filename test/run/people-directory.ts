import type { Person } from '../../src/model/actor.ts';
import type { Directory } from '../../src/model/ports.ts';
import { people } from './people.ts';

const everybody: readonly (typeof people)[keyof typeof people][] = Object.values(people);

/** The people of the who-may table as a chat platform tells of them. One of its usergroups cannot be looked up. */
/** When the schedule `primary` answered, and since when `silent` does not. */
const askedAt = Date.UTC(2026, 10, 21, 2, 59);

export const peopleDirectory: Directory = {
  onCall: (schedule) =>
    schedule === 'primary'
      ? {
          schedule,
          people: ['U0BOB', 'U0GRETA', 'U0ALICE'].map((user) => ({ user })),
          unmatched: [],
          asOf: askedAt,
        }
      : { schedule, unmatched: [], problem: { text: 'answered 503', since: askedAt } },
  person(actor) {
    const someone = everybody.find(({ team, user }) => team === actor.team && user === actor.user);
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
    const inIt = everybody.some(
      ({ team, user, usergroups }) =>
        team === actor.team && user === actor.user && usergroups.some((member) => member === group),
    );
    return Promise.resolve(inIt ? 'held' : 'not held');
  },
};
