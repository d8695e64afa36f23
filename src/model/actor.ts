import { z } from 'zod';

/** Who runs a command. Ids only, never a display name: names can be chosen to look like someone else's. */
export const actor = z.object({ team: z.string(), user: z.string() });
export type Actor = Readonly<z.output<typeof actor>>;

/**
 * Where a command is run: a channel of a Slack team, and the thread in it, by the `ts` of its first message, where there is one.
 * Rules go by the channel alone; what comes of the command is shown in the thread.
 */
export const place = z.object({
  team: z.string(),
  channel: z.string(),
  thread: z.string().max(64).optional(),
});
export type Place = Readonly<z.output<typeof place>>;

/** An actor as the directory knows them at this moment. */
export interface Person extends Actor {
  /** A full member of the bot's own team: not a guest, not a stranger, not deactivated, not a bot. */
  readonly fullMember: boolean;
  /** A guest of the own team (`is_restricted`, `is_ultra_restricted`): let in only where listed by id. */
  readonly guest: boolean;
  /** A person's account, and not deactivated: else no role is held by it, not even one that lists it by id. */
  readonly active: boolean;
  /** IANA zone from the profile, to read "yesterday" as the caller means it. */
  readonly timeZone: string;
  /** As the profile has it, for people to read and for nothing else: anybody can choose any. */
  readonly name?: string | undefined;
}

const agentPrefix = 'agent:';

/** An agent as an actor. No id of a person has a colon, so that neither is ever taken for the other. */
export const agentActor = (team: string, name: string): Actor => ({ team, user: `${agentPrefix}${name}` });

/** The name of an agent in `bellhop.yaml`; undefined for a person. */
export const agentNamed = ({ user }: Pick<Actor, 'user'>): string | undefined =>
  user.startsWith(agentPrefix) ? user.slice(agentPrefix.length) : undefined;

export const sameActor = (one: Actor, other: Actor): boolean =>
  one.team === other.team && one.user === other.user;

/**
 * For the separation of duties: one human being, whichever team the id came with. Nobody approves, or counts twice, by
 * being known to two teams.
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
   * Where the store could not tell on arrival whether this is a redelivery: asked once more, before a change is written
   * down. Rejects with `store-unavailable`.
   */
  readonly recheckDuplicate?: (() => Promise<boolean>) | undefined;
  /** Names the message's button, or the form, and the person who used it: a change comes of it once. Undefined for words. */
  readonly press?: string | undefined;
  /** Told when a read begins, with its command in words: the answer may take a while. */
  readonly onRead?: ((words: string) => void) | undefined;
}

/** `unknown`: it cannot be looked up now. Such a membership gives no right and escapes no denial. */
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
