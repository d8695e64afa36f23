import { z } from 'zod';

/** Who runs a command. Ids only, never a display name: names can be chosen to look like someone else's. */
export const actor = z.object({ team: z.string(), user: z.string() });
export type Actor = Readonly<z.output<typeof actor>>;

/**
 * Where a command is run: a channel of a Slack team, and the thread, if any, by the `ts` of its first message. Rules use only
 * the channel; results are shown in the thread.
 */
export const place = z.object({
  team: z.string(),
  channel: z.string(),
  thread: z.string().max(64).optional(),
});
export type Place = Readonly<z.output<typeof place>>;

/** An actor's current profile in the directory. */
export interface Person extends Actor {
  /** A full member of the bot's own team: not a guest, not a stranger, not deactivated, not a bot. */
  readonly fullMember: boolean;
  /** A guest of the bot's team (`is_restricted`, `is_ultra_restricted`), who has only roles that list the id. */
  readonly guest: boolean;
  /** A person's account that is not deactivated. Other accounts hold no role, not even one that lists their id. */
  readonly active: boolean;
  /** IANA zone from the profile, to read "yesterday" as the caller means it. */
  readonly timeZone: string;
  /** The profile's name, only for display, because anyone can choose any name. */
  readonly name?: string | undefined;
}

const agentPrefix = 'agent:';

/** An agent as an actor. People's ids never contain a colon, so the two can't be confused. */
export const agentActor = (team: string, name: string): Actor => ({ team, user: `${agentPrefix}${name}` });

/** The name of an agent in `bellhop.yaml`; undefined for a person. */
export const agentNamed = ({ user }: Pick<Actor, 'user'>): string | undefined =>
  user.startsWith(agentPrefix) ? user.slice(agentPrefix.length) : undefined;

export const sameActor = (one: Actor, other: Actor): boolean =>
  one.team === other.team && one.user === other.user;

/**
 * Whether two ids are the same human being, whatever their teams, so that no one can approve twice through two teams.
 */
export const samePerson = (one: Actor, other: Actor): boolean => one.user === other.user;

/** An actor as a role lists one: `U…` of `ownTeam`, or `T…/U…`. */
export function listedActor(listed: string, ownTeam: string): Actor {
  const [user = '', team = ownTeam] = listed.split('/').toReversed();
  return { team, user };
}

/** Who runs a command and where; one correlation id for each command, from the Slack payload to the service. */
export interface Caller {
  readonly actor: Actor;
  readonly place: Place;
  readonly correlationId: string;
  /**
   * If the store could not tell on arrival whether this is a redelivery, asks it again before a change is recorded. Rejects
   * with `store-unavailable`.
   */
  readonly recheckDuplicate?: (() => Promise<boolean>) | undefined;
  /** Identifies the button or form and the person who used it, so that it makes one change. Undefined for typed commands. */
  readonly press?: string | undefined;
  /** Called when a read starts, with its command, because the answer may take a while. */
  readonly onRead?: ((words: string) => void) | undefined;
}

/** `unknown`: it can't be looked up right now. An unknown membership grants nothing, and denials apply to it. */
export const membership = z.enum(['held', 'not held', 'unknown']);
export type Membership = z.output<typeof membership>;

/** A message in Slack. */
export const messageRef = z.object({
  channel: z.string(),
  ts: z.string(),
  /** The `ts` of the first message of the thread that it was posted in. */
  thread: z.string().optional(),
});
export type MessageRef = Readonly<z.output<typeof messageRef>>;
