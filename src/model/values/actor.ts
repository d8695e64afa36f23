import { z } from 'zod';

import { capitalized } from '../../text/words.ts';

/** Ids only, because a display name can be chosen to look like someone else's. */
export const actor = z.object({ team: z.string(), user: z.string() });
export type Actor = Readonly<z.output<typeof actor>>;

/** `thread` is the `ts` of its first message. Rules use only the channel. */
export const place = z.object({
  team: z.string(),
  channel: z.string(),
  thread: z.string().max(64).optional(),
});
export type Place = Readonly<z.output<typeof place>>;

export interface Person extends Actor {
  /** Of the bot's own team: not a guest, a stranger, a bot or a deactivated account. */
  readonly fullMember: boolean;
  /** Of the bot's team (`is_restricted`, `is_ultra_restricted`). Has only roles that list the guest's id. */
  readonly guest: boolean;
  /**
   * A person's account that is not deactivated and still belongs to the actor's team. Other accounts have no role, even if a role lists
   * their id.
   */
  readonly active: boolean;
  /** Workspaces of the same organization. Roles may list any of them. */
  readonly teams?: readonly string[] | undefined;
  /** IANA, for reading "yesterday" as the caller means it. */
  readonly timeZone: string;
  /** Only for display, because anyone can choose any name. */
  readonly name?: string | undefined;
}

/** Acts in its own name. People's ids never contain a colon, so a program can't be confused with a person. */
export const programActor = (team: string, kind: string, name: string): Actor => ({
  team,
  user: `${kind}:${name}`,
});

/** Undefined for a person. */
export function programOf({ user }: Pick<Actor, 'user'>): Record<'kind' | 'name', string> | undefined {
  const [kind = '', ...name] = user.split(':');
  return name.length === 0 ? undefined : { kind, name: name.join(':') };
}

/** For example `Agent holmes`. Undefined for a person. */
export function programTitle(by: Actor): string | undefined {
  const program = programOf(by);
  return program && `${capitalized(program.kind)} ${program.name}`;
}

export const sameActor = (one: Actor, other: Actor): boolean =>
  one.team === other.team && one.user === other.user;

/** Teams do not matter, so that no one can approve twice through two teams. */
export const samePerson = (one: Actor, other: Actor): boolean => one.user === other.user;

/** @param listed `U…` of `ownTeam`, or `T…/U…`, as roles list people */
export function listedActor(listed: string, ownTeam: string): Actor {
  const [user = '', team = ownTeam] = listed.split('/').toReversed();
  return { team, user };
}

/** A payload's record, as held by the process that handles it. Another process may hold a record of the same key. */
export interface HeldDelivery {
  readonly key: string;
  readonly by: string;
}

/**
 * The step that the payload leads to closes this record in the same transaction. From then on, due work shows the person the result, even
 * if this process dies.
 */
export interface OpenDelivery extends HeldDelivery {
  /** Called once the record is closed. */
  closed(): void;
}

/** Each command has one correlation id, from the Slack payload to the service. */
export interface Caller {
  readonly actor: Actor;
  readonly place: Place;
  readonly correlationId: string;
  /**
   * Called before a change is recorded. Resolves to false for a redelivery. Asks the store again if it could not tell on arrival, and
   * rejects with `store-unavailable`.
   */
  readonly recheckDuplicate?: (() => Promise<boolean>) | undefined;
  /** Undefined if there is no open record, or the store has not recorded it yet. */
  readonly openDelivery?: (() => OpenDelivery | undefined) | undefined;
  /** Identifies the button or form and the person, so that one press makes one change. Undefined for typed commands. */
  readonly press?: string | undefined;
  /**
   * The text of a pressed button with a stored command. If it does not name the whole command, a change is confirmed first, even where the
   * rule says `confirm: never`.
   */
  readonly button?: string | undefined;
  /** Called with the command when a read starts, because the answer may take a while. */
  readonly onRead?: ((words: string) => void) | undefined;
}

/** `unknown` can't be looked up right now. It grants nothing, and denials apply to it. */
export const membership = z.enum(['held', 'not held', 'unknown']);
export type Membership = z.output<typeof membership>;

export const messageRef = z.object({
  channel: z.string(),
  ts: z.string(),
  /** The `ts` of the thread's first message. */
  thread: z.string().optional(),
});
export type MessageRef = Readonly<z.output<typeof messageRef>>;
