import type { Actor, Person } from '../../model/values/actor.ts';
import type { Withheld } from '../../model/introspection.ts';
import type { Clock, Directory, Log, Sources } from '../../model/ports.ts';
import { remembered } from '../../model/remembered.ts';
import { createGrantedScopes, type GrantedScopes } from './scopes.ts';
import type { SlackApi, SlackPerson } from './slack-api.ts';
import { isOutage, SlackError } from './slack-error.ts';

/** In milliseconds. An older entry is never used, even if Slack does not answer. */
const freshMs = 5 * 60_000;

/** In milliseconds. Slack lets a form open for 3 s after a command. */
const answerWithinMs = 1_500;

export interface PeopleDirectory extends Omit<Directory, keyof Sources> {
  /**
   * Resolves to our team if Slack says that the person is a member, and to another team if not. Without an answer, the payload's team is
   * kept, and no role can be verified.
   */
  readonly identify: (claimed: Actor) => Promise<Actor>;
}

/** Cached for 5 minutes. A failed look-up gives “unknown”, never a guess. Without the scope, Slack is not asked. */
export function createDirectory(
  api: SlackApi,
  clock: Clock,
  log: Log,
  ownTeam: string,
  scopes: Pick<GrantedScopes, 'withheld' | 'heardOfGroup'> = createGrantedScopes(log),
): PeopleDirectory {
  const lacks = (kind: Withheld['what']): boolean => scopes.withheld().some(({ what }) => what === kind);
  const onFailure = (error: unknown, key: string): void =>
    log.warn(
      { err: error, key },
      'a person or user group could not be looked up in Slack; it grants nothing until that works',
    );
  const people = remembered(clock, api.person, { freshMs, waitMs: answerWithinMs, onFailure });
  const groups = remembered(
    clock,
    async (group) => {
      const listed = await api.usergroupMembers(group);
      scopes.heardOfGroup(group);
      return listed;
    },
    {
      freshMs,
      waitMs: answerWithinMs,
      onFailure(error, group) {
        // Slack refused the group itself, so only a change of the group, the app, the plan or bellhop.yaml helps.
        const isLost = error instanceof SlackError && !isOutage(error.slackCode);
        if (isLost) scopes.heardOfGroup(group, error.slackCode);
        else onFailure(error, group);
      },
    },
  );
  const handles = remembered(clock, api.usergroupHandles, {
    freshMs,
    waitMs: answerWithinMs,
    onFailure: (error) =>
      log.warn({ err: error }, 'the names of user groups could not be looked up in Slack'),
  });
  const look = async ({ user }: Actor) => (lacks('people') ? undefined : people(user));
  const members = async (group: string) => (lacks('user groups') ? undefined : groups(group));
  return {
    members,
    handle: async (group) => (lacks('user groups') ? undefined : (await handles(''))?.get(group)),
    async identify(claimed) {
      const found = await look(claimed);
      if (!found) return claimed;
      if (isTeamMember(found, ownTeam)) return { ...claimed, team: ownTeam };
      const others = [claimed.team, found.teamId, ...found.teams].filter((id) => id.startsWith('T'));
      return { ...claimed, team: others.find((id) => id !== ownTeam) ?? claimed.team };
    },
    async person(actor) {
      const found = await look(actor);
      return found && personOf(actor, found, ownTeam);
    },
    async inUsergroup(group, actor) {
      const listed = await members(group);
      if (!listed) return 'unknown';
      return listed.includes(actor.user) ? 'held' : 'not held';
    },
  };
}

/** On Enterprise Grid, `team_id` is one of the person's workspaces and `teams` has them all. */
export const isTeamMember = ({ isStranger, teamId, teams }: SlackPerson, team: string): boolean =>
  !isStranger && (teamId === team || teams.includes(team));

function personOf(actor: Actor, found: SlackPerson, ownTeam: string): Person {
  const isOwn = actor.team === ownTeam;
  const active = !found.isBot && !found.isDeleted && (!isOwn || isTeamMember(found, ownTeam));
  return {
    ...actor,
    fullMember: isOwn && active && !found.isGuest,
    guest: found.isGuest,
    active,
    teams: found.teams,
    timeZone: found.timeZone,
    name: found.name?.trim() === '' ? undefined : found.name,
  };
}
