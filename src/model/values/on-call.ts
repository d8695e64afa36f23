import { z } from 'zod';

import { type Actor, type Membership, membership } from './actor.ts';
import { type TextPart, commaSeparated } from '../../text/parts.ts';
import { counted } from '../../text/words.ts';

export interface OnCallPerson {
  /** `U…` of the bot's team, because schedules apply to no one else. */
  readonly user: string;
  /** When the shift ends, in epoch milliseconds, if the schedule says. */
  readonly until?: number | undefined;
}

/** The people on call in a schedule, as far as is known now. Times are epoch milliseconds. */
export interface OnCall {
  readonly schedule: string;
  /** Undefined if unknown. Then no one counts as on call. */
  readonly people?: readonly OnCallPerson[] | undefined;
  /** People on the schedule who were not found in Slack. They do not count as on call. */
  readonly unmatched: readonly string[];
  /** When the current answer came, or else the last answer. */
  readonly asOf?: number | undefined;
  readonly problem?: { readonly text: string; readonly since: number } | undefined;
}

/** People from other teams are never on call. */
export function isOnCall({ people }: OnCall, { team, user }: Actor, ownTeam: string): Membership {
  if (team !== ownTeam) return 'not held';
  if (!people) return 'unknown';
  return people.some((person) => person.user === user) ? 'held' : 'not held';
}

const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** The schedule's answer about a person, for the audit log. */
export const onCallAnswer = z.object({
  schedule: z.string(),
  /** `unknown` means that the schedule did not answer, and no one counted as on call. */
  held: membership,
  /** When the answer came, or since when there was no answer, in epoch milliseconds. */
  at: z.number().int().optional(),
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
  if (held === 'unknown') {
    const since = at === undefined ? '' : ` since ${utc(at)}`;
    return `schedule ${schedule} has not answered${since}, so no one counts as on call`;
  }
  const asOf = at === undefined ? '' : `, as of ${utc(at)}`;
  const on = `on call in schedule ${schedule}${asOf}`;
  return held === 'held' ? on : `not ${on} (on call: ${users.length === 0 ? 'no one' : users.join(', ')})`;
}

const maxNamed = 10;

export function onCallText({ schedule, people, unmatched, asOf, problem }: OnCall): readonly TextPart[] {
  if (!people) {
    const silent = `No one counts as on call, because schedule ${schedule} `;
    return problem
      ? [`${silent}has been failing since `, { at: problem.since }, `: it ${problem.text}`]
      : [`${silent}hasn't answered yet`];
  }
  const named = people.slice(0, maxNamed).map(({ user }) => ({ person: user }));
  const [first] = people;
  const ends = people.length === 1 && first?.until !== undefined ? ['until ', { at: first.until }, ', '] : [];
  const others = `${counted(unmatched.length, 'person', 'people')} not found in Slack`;
  const none = unmatched.length === 0 ? 'no one' : `no one, because the schedule lists ${others}`;
  return [
    'On call now: ',
    ...(named.length === 0 ? [none] : commaSeparated(named)),
    ...(named.length === 0 || unmatched.length === 0 ? [] : [`, plus ${others}`]),
    ` (${schedule}, `,
    ...ends,
    ...(asOf === undefined ? ['assumed'] : ['as of ', { at: asOf }]),
    ')',
  ];
}

/** A person's turn to be on call. Times are epoch milliseconds, absent if open or unknown. */
export interface Shift {
  /** The person's names on the schedule, in lower case. A map of people may list any of these names. */
  readonly names: readonly [string, ...string[]];
  readonly email?: string | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** In epoch milliseconds. People on call in any part of the window are of interest. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The message is the schedule's failure without a subject, such as `answered 503`, and holds no secret. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}
