/** A person's turn to be on call. Times are epoch milliseconds, absent if open or unknown. */
export interface Shift {
  /** The person's names on the schedule, in lower case. A map of people may list any of these names. */
  readonly names: readonly [string, ...string[]];
  readonly email?: string | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** In epoch milliseconds. A shift counts if any part of it is in the window. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The message is the schedule's failure without a subject, such as `answered 503`, and holds no secret. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}
