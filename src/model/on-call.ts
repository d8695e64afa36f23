import { z } from 'zod';

import { type Actor, type Membership, membership } from './actor.ts';
import { commaSeparated, type TextPart } from './report.ts';

/**
 * What a schedule calls somebody, in small letters, to be compared. The sign of Kelvin is the one letter from elsewhere whose small one is of
 * ASCII: it would make one address of two.
 */
export const nameOnSchedule = (text: string): string =>
  text.trim().replaceAll('\u212A', '\uFFFD').toLowerCase();

/** Somebody whom a schedule puts on call. */
export interface OnCallPerson {
  /** `U…` of the own team: a schedule lets in nobody else. */
  readonly user: string;
  /** When the shift ends, in epoch milliseconds, where the schedule tells. */
  readonly until?: number | undefined;
}

/** What is known of who is on call by a schedule at this moment. Times are epoch milliseconds. */
export interface OnCall {
  readonly schedule: string;
  /** Undefined: it cannot be told, and nobody counts as on call. */
  readonly people?: readonly OnCallPerson[] | undefined;
  /** How the schedule names people of whom it is not known who they are in Slack. They do not count. */
  readonly unmatched: readonly string[];
  /** When the answer came that this goes by, or the last one there was. */
  readonly asOf?: number | undefined;
  /** Attempts to ask fail: why, and since when. */
  readonly problem?: { readonly text: string; readonly since: number } | undefined;
}

/** Whether somebody is on call. Of another team nobody is. */
export function isOnCall({ people }: OnCall, { team, user }: Actor, ownTeam: string): Membership {
  if (team !== ownTeam) return 'not held';
  if (!people) return 'unknown';
  return people.some((person) => person.user === user) ? 'held' : 'not held';
}

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** For the audit log: which answer of which time made somebody on call by a schedule, or did not. */
export const onCallAnswer = z.object({
  schedule: z.string(),
  /** `unknown`: it could not be asked, and nobody counted as on call. */
  held: membership,
  /** When the answer came, or since when there is none, in epoch milliseconds. */
  at: z.number().int().optional(),
  /** Who was, where the person in question was not. */
  users: z.array(z.string()).readonly().optional(),
});
export type OnCallAnswer = Readonly<z.output<typeof onCallAnswer>>;

export function answerOn(onCall: OnCall, actor: Actor, ownTeam: string): OnCallAnswer {
  const { schedule, people, asOf, problem } = onCall;
  const held = isOnCall(onCall, actor, ownTeam);
  const users = held === 'not held' ? people?.map(({ user }) => user) : undefined;
  return { schedule, held, at: people ? asOf : problem?.since, users };
}

export function onCallAnswerText({ schedule, held, at, users = [] }: OnCallAnswer): string {
  const when = at === undefined ? '' : ` ${held === 'unknown' ? 'since' : 'as of'} ${utc(at)}`;
  if (held === 'unknown') return `schedule ${schedule} cannot be asked${when}: nobody counts as on call`;
  if (held === 'held') return `on call by ${schedule}${when}`;
  return `not on call by ${schedule}${when}: ${users.length === 0 ? 'nobody is' : users.join(', ')}`;
}

const mostNamed = 10;

/** For people: who is on call, by which answer of which time; or that it cannot be told. */
export function onCallText({ schedule, people, unmatched, asOf, problem }: OnCall): readonly TextPart[] {
  if (!people) {
    const why = problem ? [` ${problem.text}, since `, { at: problem.since }] : [' has not answered yet'];
    return [`The schedule ${schedule}`, ...why, ': nobody counts as on call by it'];
  }
  const named = people.slice(0, mostNamed).map(({ user }) => ({ person: user }));
  const [first] = people;
  const ends = people.length === 1 && first?.until !== undefined ? ['until ', { at: first.until }, ', '] : [];
  const nobody = unmatched.length === 0 ? 'Nobody' : 'Slack knows nobody whom the schedule names: nobody';
  const others = unmatched.length === 0 ? [] : [`, and ${unmatched.length} whom Slack does not know`];
  return [
    ...(named.length === 0 ? [nobody] : [...commaSeparated(named), ...others]),
    ` ${people.length > 1 ? 'are' : 'is'} on call now (${schedule}, `,
    ...ends,
    ...(asOf === undefined ? ['as is assumed'] : ['as of ', { at: asOf }]),
    ')',
  ];
}
