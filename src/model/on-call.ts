import type { Actor, Membership } from './actor.ts';
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

/** For the audit log: which answer of which time made somebody on call, or did not. */
export function onCallNote(onCall: OnCall, actor: Actor, ownTeam: string): string {
  const { schedule, people, asOf, problem } = onCall;
  if (!people) {
    const since = problem ? ` since ${utc(problem.since)}` : '';
    return `schedule ${schedule} cannot be asked${since}: nobody counts as on call`;
  }
  const answered = asOf === undefined ? '' : ` as of ${utc(asOf)}`;
  if (isOnCall(onCall, actor, ownTeam) === 'held') return `on call by ${schedule}${answered}`;
  const whom = people.length === 0 ? 'nobody is' : people.map(({ user }) => user).join(', ');
  return `not on call by ${schedule}${answered}: ${whom}`;
}

/** What such notes, one after another, told of somebody and a schedule; undefined where they say nothing of it. */
export function membershipNoted(notes: string, schedule: string): Membership | undefined {
  for (const note of notes.split('; ')) {
    const words = note.replace(/:.*$/u, '').replace(/ (?:as of|since) [\dTZ-]+$/u, '');
    if (words === `on call by ${schedule}`) return 'held';
    if (words === `not on call by ${schedule}`) return 'not held';
    if (words === `schedule ${schedule} cannot be asked`) return 'unknown';
  }
  return undefined;
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
