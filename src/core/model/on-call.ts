import type { Actor, Membership } from './actor.ts';

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
