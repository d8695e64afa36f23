import { extname } from 'node:path';

import { askWorker } from '../../../program/worker.ts';
import type { CalendarAnswer, CalendarTask } from './calendar-worker.ts';
import { ScheduleError, type Shift, type Window } from './shift.ts';

const program = new URL(`./calendar-worker${extname(import.meta.filename)}`, import.meta.url);

/** Like `readCalendar`, without blocking the event loop, because reading may take a second. @throws ScheduleError */
export async function readCalendarInWorker(
  text: string,
  window: Window,
  timeZone: string | undefined,
  signal: AbortSignal,
): Promise<readonly Shift[]> {
  const task: CalendarTask = { text, window, timeZone };
  const answer = await askWorker<CalendarAnswer>(program, task, signal).catch(
    (error: unknown): CalendarAnswer => ({ problem: 'is not a readable calendar', cause: error }),
  );
  if ('problem' in answer) throw new ScheduleError(answer.problem, { cause: answer.cause });
  return answer.shifts;
}
