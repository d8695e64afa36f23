import type { Actor, Person } from './actor.ts';
import type { Directory } from './ports.ts';

/** A role of `bellhop.yaml`. `users` are `U…` of the own team or `T…/U…` of another. */
export interface Role {
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
}

export type Roles = Readonly<Record<string, Role>>;

/** The built-in role: full members of the bot's own team. Never guests, never people of another organisation. */
export const anyone = 'anyone';

/**
 * The roles that a person holds now. Guests and strangers hold only those that list them by id: a usergroup never
 * admits one, and neither does `anyone`. Someone who cannot be looked up holds only what lists them by id.
 */
export async function rolesOf(
  roles: Roles,
  actor: Actor,
  person: Person | undefined,
  directory: Directory,
  ownTeam: string,
): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  if (person?.fullMember) held.add(anyone);
  for (const [name, role] of Object.entries(roles)) {
    if (listed(role, actor, ownTeam)) held.add(name);
    else if (person?.fullMember && (await inAnyUsergroup(role, actor, directory))) held.add(name);
  }
  return held;
}

const listed = (role: Role, actor: Actor, ownTeam: string): boolean =>
  role.users.includes(`${actor.team}/${actor.user}`) ||
  (actor.team === ownTeam && role.users.includes(actor.user));

async function inAnyUsergroup(role: Role, actor: Actor, directory: Directory): Promise<boolean> {
  for (const group of role.usergroups) {
    if (await directory.inUsergroup(group, actor)) return true;
  }
  return false;
}
