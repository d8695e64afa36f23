import type { TextPart } from '../text/parts.ts';
import type { EntryData } from './audit-event.ts';
import type { Actor, Membership } from './values/actor.ts';

/** The people whom a source gives a role, as far as is known. Times are epoch milliseconds. */
export interface Members {
  readonly kind: SourceKind;
  readonly source: string;
  /** Undefined if unknown. Then rules that allow treat the role as empty, and rules that deny treat everyone as a member. */
  readonly people?: readonly Member[] | undefined;
  /** Not found in Slack, so they do not count as members. */
  readonly unmatched: readonly string[];
  /** When the last answer came. */
  readonly asOf?: number | undefined;
  readonly problem?: { readonly text: string; readonly since: number } | undefined;
}

export interface Member {
  /** `U…` of the bot's team, because sources apply to no one else. */
  readonly user: string;
  /** In epoch milliseconds, if the source says. */
  readonly until?: number | undefined;
}

/** About a person, for the audit log. */
export interface SourceAnswer {
  readonly kind: SourceKind;
  readonly source: string;
  /** `unknown` means that the source did not answer, and gave the role to no one. */
  readonly held: Membership;
  /** When the answer came, or when the source stopped answering, in epoch milliseconds. */
  readonly at?: number | undefined;
  /** The members, if the person is not among them. */
  readonly users?: readonly string[] | undefined;
}

/** Belongs to one feature. */
export interface SourceKind {
  /** The key of a role that names a source. */
  readonly key: string;
  readonly description: string;
  /** In policy tests, gives the members by source. */
  readonly assumed: { readonly key: string; readonly description: string };
  readonly answers: EntryData<readonly SourceAnswer[]>;
  readonly words: SourceWords;
}

export interface SourceWords {
  readonly label: string;
  /** Or why they are unknown. */
  readonly now: (members: Members) => readonly TextPart[];
  readonly named: (source: string, names: string) => string;
  /** Also says what follows from that. */
  readonly unknown: (sources: readonly string[]) => string;
  /** Why someone is a member, after “you are”. */
  readonly because: (sources: readonly string[]) => string;
  readonly answer: (answer: SourceAnswer) => string;
}

/** People from other teams are never members. */
export function isMember({ people }: Members, { team, user }: Actor, ownTeam: string): Membership {
  if (team !== ownTeam) return 'not held';
  if (!people) return 'unknown';
  return people.some((person) => person.user === user) ? 'held' : 'not held';
}

export function answerOn(members: Members, actor: Actor, ownTeam: string): SourceAnswer {
  const { kind, source, people, asOf, problem } = members;
  const held = isMember(members, actor, ownTeam);
  const users = held === 'not held' ? people?.map(({ user }) => user) : undefined;
  return { kind, source, held, at: people ? asOf : problem?.since, users };
}

export const byKind = (
  of: readonly Pick<Members, 'kind' | 'source'>[],
): readonly (readonly [SourceKind, readonly string[]])[] =>
  [...Map.groupBy(of, ({ kind }) => kind)].map(([kind, group]) => [kind, group.map(({ source }) => source)]);

/** For a denial: who is allowed, and where. The ids are shown by name. */
export interface WhoMay {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
  readonly channels: readonly string[];
  /** From the sources of these roles. */
  readonly sources?: readonly Members[] | undefined;
  /** Set if the current rules allow the command to no one, in no channel. */
  readonly noOne?: boolean | undefined;
  /** Roles that may use break-glass here, shown while a source does not answer. */
  readonly breakGlass?: readonly string[] | undefined;
}
