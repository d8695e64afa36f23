import { type Feature, withMetrics } from '../../host/feature.ts';
import { readCalendarInWorker } from './calendar/elsewhere.ts';
import { checkSchedules } from './check.ts';
import { homeLine } from './home.ts';
import { scheduleKind } from './kind.ts';
import { observeSchedules, scheduleMetrics } from './observe.ts';
import { createOnCallSchedules } from './on-call.ts';
import { oncall } from './operations.ts';
import { schedulesSection } from './section.ts';

/** Gives roles to the people who are on call in a schedule. */
export const onCall: Feature = {
  section: schedulesSection,
  sourceKind: scheduleKind,
  operations: [oncall],
  checkOutside: checkSchedules,
  ...withMetrics(scheduleMetrics, ({ localPage, rulebook, background, readiness, ...host }, metrics) => {
    const schedules = createOnCallSchedules({
      ...host,
      schedules: () => schedulesSection.of(rulebook()),
      userByEmail: background.userByEmail,
      readCalendar: readCalendarInWorker,
      // In the playground, the local workspace provides the schedule.
      localCalendar: localPage && `${localPage}/schedule.ics`,
      onAsked: observeSchedules(readiness, metrics),
    });
    return {
      sources: { [scheduleKind.key]: schedules.onCall },
      jobs: [{ name: 'schedules', everyMs: 1000, round: schedules.refresh }],
      beforeReady: schedules.refresh,
      homeLines: () => Promise.resolve(schedules.now().map(homeLine)),
    };
  }),
};
