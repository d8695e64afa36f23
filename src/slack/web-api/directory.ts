import type { Actor, Person } from '../../model/values/actor.ts';
import type { Withheld } from '../../model/introspection.ts';
import type { Clock, Directory, Log, Schedules } from '../../model/ports.ts';
import type { SlackApi, SlackPerson } from './slack-api.ts';

/** In milliseconds. After this time, an entry is looked up again, and is no longer trusted if Slack does not answer. */
const freshMs = 5 * 60_000;
const maxKept = 5000;

/**
 * People and user groups from Slack, cached for 5 minutes. A failed look-up gives “unknown”, never a guess. If the scope is
 * missing, Slack is not asked.
 */
export function createDirectory(
  api: SlackApi,
  clock: Clock,
  log: Log,
  ownTeam: string,
  withheld: () => readonly Withheld[] = () => [],
): Omit<Directory, keyof Schedules> {
  const lacks = (kind: Withheld['what']): boolean => withheld().some(({ what }) => what === kind);
  const people = remembered(clock, log, api.person);
  const groups = remembered(clock, log, api.usergroupMembers);
  return {
    async person(actor) {
      const found = lacks('people') ? undefined : await people(actor.user);
      return found && personOf(actor, found, ownTeam);
    },
    async inUsergroup(group, actor) {
      const members = lacks('user groups') ? undefined : await groups(group);
      if (!members) return 'unknown';
      return members.includes(actor.user) ? 'held' : 'not held';
    },
  };
}

function personOf(actor: Actor, found: SlackPerson, ownTeam: string): Person {
  const stranger = found.isStranger || actor.team !== ownTeam || found.teamId !== ownTeam;
  return {
    ...actor,
    fullMember: !stranger && !found.isGuest && !found.isBot && !found.isDeleted,
    guest: found.isGuest,
    active: !found.isBot && !found.isDeleted,
    timeZone: found.timeZone,
    name: found.name?.trim() === '' ? undefined : found.name,
  };
}

/** One look-up at a time for each key. Failures are not cached. */
function remembered<T>(clock: Clock, log: Log, look: (key: string) => Promise<T>) {
  const copies = new Map<string, { readonly value: T; readonly at: number }>();
  const asking = new Map<string, Promise<T | undefined>>();

  const ask = async (key: string): Promise<T | undefined> => {
    try {
      const value = await look(key);
      copies.delete(key);
      copies.set(key, { value, at: clock.now() });
      const [oldest] = copies.keys();
      if (copies.size > maxKept && oldest !== undefined) copies.delete(oldest);
      return value;
    } catch (error) {
      log.warn(
        { err: error, key },
        'a person or user group could not be looked up in Slack; it grants nothing until that works',
      );
      return undefined;
    } finally {
      asking.delete(key);
    }
  };

  return async (key: string): Promise<T | undefined> => {
    const copy = copies.get(key);
    // The difference is absolute, because after the clock was set back the entry would look fresh for longer.
    if (copy && Math.abs(clock.now() - copy.at) < freshMs) return copy.value;
    const pending = asking.get(key) ?? ask(key);
    asking.set(key, pending);
    return pending;
  };
}
