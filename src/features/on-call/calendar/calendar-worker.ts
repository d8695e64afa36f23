import { reply } from '../../../program/worker.ts';
import { readCalendar } from './ical.ts';
import { ScheduleError, type Shift, type Window } from './shift.ts';

export interface CalendarTask {
  readonly text: string;
  readonly window: Window;
  readonly timeZone: string | undefined;
}

/** Only these members of a ScheduleError survive a message between processes. */
export type CalendarAnswer =
  | { readonly shifts: readonly Shift[] }
  | { readonly problem: string; readonly cause: unknown };

process.once('message', (task: CalendarTask) => void reply(answer(task)));

function answer({ text, window, timeZone }: CalendarTask): CalendarAnswer {
  try {
    return { shifts: readCalendar(text, window, timeZone) };
  } catch (error) {
    if (error instanceof ScheduleError) return { problem: error.message, cause: error.cause };
    throw error;
  }
}
