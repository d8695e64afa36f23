/** Somebody's turn to be on call. Times are epoch milliseconds, absent where they are open or not told. */
export interface Shift {
  /** What the schedule calls the person, in small letters: any of these may be what a map lists. */
  readonly names: readonly [string, ...string[]];
  /** To look them up by in Slack. */
  readonly email?: string | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** The time that is asked about, in epoch milliseconds: whoever is on call in some of it. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A schedule that could not be asked. The message is the end of a sentence that begins with its name, and holds no secret. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}
