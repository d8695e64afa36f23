import { type Declare, seconds } from '../../host/metrics.ts';
import type { Readiness } from '../../host/readiness.ts';
import type { Members } from '../../model/members.ts';

export const schedulesPart = 'schedules';

export const scheduleMetrics = ({ gauge, moment }: Declare) => ({
  answered: moment(
    'bellhop_schedule_answered_seconds',
    ['schedule'],
    'When a schedule of bellhop.yaml last answered, in Unix seconds. An answer is valid for five minutes.',
  ),
  failing: gauge(
    'bellhop_schedule_failing',
    ['schedule'],
    '1 while a schedule does not answer, or its answer is unreadable.',
  ),
  onCall: gauge(
    'bellhop_on_call',
    ['schedule'],
    'How many people count as on call in a schedule; 0 once it has not answered for five minutes.',
  ),
});

/** Without schedules, `/readyz` has no such part. */
export const observeSchedules =
  (readiness: Readiness, { answered, failing, onCall }: ReturnType<typeof scheduleMetrics>) =>
  (schedules: readonly Members[]): void => {
    for (const gauge of [answered, failing, onCall]) gauge.reset();
    for (const { source: schedule, people, asOf, problem } of schedules) {
      if (asOf !== undefined) answered.set({ schedule }, seconds(asOf));
      failing.set({ schedule }, problem ? 1 : 0);
      onCall.set({ schedule }, people?.length ?? 0);
    }
    const silent = schedules.flatMap(({ source, people, problem }) =>
      problem
        ? [
            `${source} is failing${people ? '' : ", so Bellhop can't tell who is on call"}: it ${problem.text}`,
          ]
        : [],
    );
    if (schedules.length > 0 || readiness.parts()[schedulesPart])
      readiness.set(schedulesPart, silent.length === 0, silent.length === 0 ? undefined : silent.join('; '));
  };
