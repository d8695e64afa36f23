import type { Actor, Membership, Person } from '../model/values/actor.ts';
import { isMember, type Members } from '../model/members.ts';
import type { Directory } from '../model/ports.ts';
import type { Role, Roles, Source } from '../model/rulebook/rulebook.ts';

/** Full members of the bot's own team, never guests or people from other organizations. */
export const anyone = 'anyone';

/** The people, user groups and other sources that these roles list, each once. */
export function listedIn(roles: Roles, names: readonly string[]) {
  const found = names.flatMap((name) => roles[name] ?? []);
  return {
    users: [...new Set(found.flatMap(({ users }) => users))],
    usergroups: [...new Set(found.flatMap(({ usergroups }) => usergroups))],
    sources: once(
      found.flatMap(({ sources = [] }) => sources),
      ({ key, name }: Source) => `${key} ${name}`,
    ),
  };
}

/** A person's roles, as far as they are known now. A role that is missing from a map is not held. */
export interface Memberships {
  /** These roles can allow something. User groups and `anyone` include only full members. */
  readonly granting: ReadonlyMap<string, Membership>;
  /** These roles can deny something. They also include guests, and everyone in a user group. */
  readonly denying: ReadonlyMap<string, Membership>;
  /** The members from the sources of roles, by role. Without an answer, no one holds the role through its source. */
  readonly sources?: ReadonlyMap<string, readonly Members[]> | undefined;
}

/**
 * Anyone listed by id holds the role, unless the account is deactivated or a bot. While a person can't be looked up, every role that the
 * person might hold is `unknown`.
 */
export async function rolesOf(
  roles: Roles,
  actor: Actor,
  person: Person | undefined,
  directory: Directory,
  ownTeam: string,
): Promise<Memberships> {
  const admitted = fullMembership(actor, person, ownTeam);
  const sources = new Map(
    Object.entries(roles).map(([name, { sources: named = [] }]) => [
      name,
      named.map((source) => directory.membersOf(source)),
    ]),
  );
  const found = await Promise.all(
    Object.entries(roles).map(async ([name, role]): Promise<[string, Membership, Membership]> => {
      if (isListed(role, actor, person, ownTeam)) return [name, whileActive(person), 'held'];
      const inGroup = await inAnyUsergroup(role, actor, directory);
      const given = sources.get(name) ?? [];
      const inSource = any(given.map((one) => isMember(one, actor, ownTeam)));
      // Without an answer, a source gives the role to no one. Rules for other people still apply, and so does break-glass.
      const certainly = inSource === 'held' ? 'held' : 'not held';
      const maybe = given.some(({ unmatched }) => unmatched.length > 0)
        ? any([inSource, 'unknown'])
        : inSource;
      return [name, both(admitted, any([inGroup, certainly])), any([inGroup, maybe])];
    }),
  );
  return {
    granting: new Map([[anyone, admitted], ...found.map(([name, grants]) => [name, grants] as const)]),
    denying: new Map([
      [anyone, person?.guest && actor.team === ownTeam ? 'held' : admitted],
      ...found.map(([name, , denies]) => [name, denies] as const),
    ]),
    sources,
  };
}

export function membershipIn(
  wanted: readonly string[],
  memberships: ReadonlyMap<string, Membership>,
): Membership {
  return any(wanted.map((role) => memberships.get(role) ?? 'not held'));
}

export const holdsAny = (wanted: readonly string[], roles: Memberships): boolean =>
  membershipIn(wanted, roles.granting) === 'held';

export const unknownOf = (
  wanted: readonly string[],
  memberships: ReadonlyMap<string, Membership>,
): readonly string[] => wanted.filter((role) => memberships.get(role) === 'unknown');

/** The members from the sources of these roles, each source once. */
export const sourcesOf = (wanted: readonly string[], { sources }: Memberships): readonly Members[] =>
  once(
    wanted.flatMap((role) => sources?.get(role) ?? []),
    ({ kind, source }) => `${kind.key} ${source}`,
  );

const once = <T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] => [
  ...new Map(all.map((one) => [nameOf(one), one])).values(),
];

export const rolesThatAre = (
  membership: Exclude<Membership, 'not held'>,
  { granting }: Memberships,
): ReadonlySet<string> => new Set([...granting].flatMap(([name, is]) => (is === membership ? [name] : [])));

/** A person of another team is never a full member, so no look-up is needed. */
function fullMembership(actor: Actor, person: Person | undefined, ownTeam: string): Membership {
  if (actor.team !== ownTeam) return 'not held';
  if (!person) return 'unknown';
  return person.fullMember ? 'held' : 'not held';
}

const whileActive = (person: Person | undefined): Membership =>
  person ? (person.active ? 'held' : 'not held') : 'unknown';

/** Whether the role lists the person with a team: the actor's, or another one of the same organization. */
export const listedWithTeam = ({ users }: Role, { team, user }: Actor, person?: Person): boolean =>
  [team, ...(person?.teams ?? [])].some((one) => users.includes(`${one}/${user}`));

export const isListed = (role: Role, actor: Actor, person: Person | undefined, ownTeam: string): boolean =>
  listedWithTeam(role, actor, person) || (actor.team === ownTeam && role.users.includes(actor.user));

const inAnyUsergroup = async (role: Role, actor: Actor, directory: Directory): Promise<Membership> =>
  any(await Promise.all(role.usergroups.map((group) => directory.inUsergroup(group, actor))));

function any(memberships: readonly Membership[]): Membership {
  if (memberships.includes('held')) return 'held';
  return memberships.includes('unknown') ? 'unknown' : 'not held';
}

function both(one: Membership, other: Membership): Membership {
  if (one === 'not held' || other === 'not held') return 'not held';
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'held';
}
