import type { OnCall } from '../../core/model/on-call.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The part of `/readyz`. */
export const schedulesPart = 'schedules';

/** Reports what the schedules of `bellhop.yaml` told, after each time that one was asked. Without any there is no such part. */
export function createScheduleHealth(
  readiness: Pick<Readiness, 'set' | 'parts'>,
  metrics: Pick<Metrics, 'schedules'>,
): (schedules: readonly OnCall[]) => void {
  return (schedules) => {
    metrics.schedules(schedules);
    const silent = schedules.flatMap(({ schedule, people, problem }) =>
      problem ? [`${schedule} ${problem.text}${people ? '' : ', and nobody counts as on call by it'}`] : [],
    );
    if (schedules.length > 0 || readiness.parts()[schedulesPart])
      readiness.set(schedulesPart, silent.length === 0, silent.length === 0 ? undefined : silent.join('; '));
  };
}
