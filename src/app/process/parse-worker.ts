import type { RulebookElsewhere, RulebookPlace } from '../../config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../model/section.ts';
import { ScheduleError, type Shift, type Window } from '../../model/values/on-call.ts';

export type ParseTask =
  | {
      readonly kind: 'rulebook';
      readonly bytes: Uint8Array;
      readonly place: RulebookPlace;
      readonly surroundings: Surroundings;
    }
  | {
      readonly kind: 'calendar';
      readonly text: string;
      readonly window: Window;
      readonly timeZone: string | undefined;
    };

/** A function can't be sent. */
export interface RulebookAnswer extends Omit<RulebookElsewhere, 'warnings'> {
  readonly warnings: readonly string[];
}

/** Only these members of a ScheduleError survive a message between processes. */
export type CalendarAnswer =
  | { readonly shifts: readonly Shift[] }
  | { readonly problem: string; readonly cause: unknown };

/** `parse-in-worker.ts` starts this process for one task, which gets one answer of plain data. */
process.once('message', (task: ParseTask) => void answer(task));
process.once('disconnect', () => process.exit());

async function answer(task: ParseTask): Promise<void> {
  const found = await (task.kind === 'rulebook' ? parseRules(task) : readShifts(task));
  process.send?.(found);
}

// Each task loads only what it needs.
async function parseRules({
  bytes,
  place,
  surroundings,
}: Extract<ParseTask, { kind: 'rulebook' }>): Promise<RulebookAnswer> {
  const { operations } = await import('../../operations/index.ts');
  const { rulebookLines, loadRulebook } = await import('../../config/rulebook/read-rulebook.ts');
  const loaded = await loadRulebook(bytes, place, operations, surroundings);
  const { warnings, ...lines } = rulebookLines(loaded);
  return { ...lines, warnings: warnings(), files: loaded.files };
}

async function readShifts({
  text,
  window,
  timeZone,
}: Extract<ParseTask, { kind: 'calendar' }>): Promise<CalendarAnswer> {
  const { readCalendar } = await import('../../features/on-call/calendar/ical.ts');
  try {
    return { shifts: readCalendar(text, window, timeZone) };
  } catch (error) {
    if (error instanceof ScheduleError) return { problem: error.message, cause: error.cause };
    throw error;
  }
}
