import type { RulesStatus } from '../../model/introspection.ts';
import type { OnCall } from '../../model/values/on-call.ts';
import { seconds } from '../../host/metrics.ts';
import type { Reports } from './health-routes.ts';

export const rulesPart = 'bellhop.yaml';
export const schedulesPart = 'schedules';

const longestProblem = 1000;

interface Status extends Omit<RulesStatus, 'warnings'> {
  readonly warnings: () => readonly string[];
}

export function observeRules({
  clock,
  readiness,
  metrics,
}: Pick<Reports, 'clock' | 'readiness' | 'metrics'>) {
  let status: Status = { file: '', policyHash: '', since: clock.now(), warnings: () => [] };
  const show = (): void => {
    const { policyHash, since, refused } = status;
    const policy = policyHash.slice(0, 12);
    const inForce = `${policy} in force since ${new Date(since).toISOString()}`;
    readiness.set(rulesPart, refused === undefined, refused?.problems, inForce);
    metrics.rules.reset();
    metrics.rules.set({ policy }, seconds(since));
  };
  return {
    /** @param warnings probable mistakes in the rules, one line each */
    loaded(file: string, policyHash: string, warnings: () => readonly string[]): void {
      // A file that was restored to its earlier form has been in force all the time.
      const since = policyHash === status.policyHash ? status.since : clock.now();
      status = { file, policyHash, since, warnings, lastRefused: status.lastRefused };
      show();
    },
    /** Called when a newer file was rejected. The current rules stay in force. @param problems one line each */
    refused(problems: readonly string[]): void {
      const refused = { at: clock.now(), problems: problems.join('\n').slice(0, longestProblem) };
      status = { ...status, refused, lastRefused: refused };
      show();
    },
    now: (): RulesStatus => ({ ...status, warnings: status.warnings() }),
  };
}

/** Reports the schedules' answers after each poll. Without schedules, `/readyz` has no such part. */
export const observeSchedules =
  ({ readiness, metrics: { scheduleAnswered, scheduleFailing, onCall } }: Reports) =>
  (schedules: readonly OnCall[]): void => {
    for (const gauge of [scheduleAnswered, scheduleFailing, onCall]) gauge.reset();
    for (const { schedule, people, asOf, problem } of schedules) {
      if (asOf !== undefined) scheduleAnswered.set({ schedule }, seconds(asOf));
      scheduleFailing.set({ schedule }, problem ? 1 : 0);
      onCall.set({ schedule }, people?.length ?? 0);
    }
    const silent = schedules.flatMap(({ schedule, people, problem }) =>
      problem
        ? [`${schedule} is failing${people ? '' : ', so no one counts as on call'}: it ${problem.text}`]
        : [],
    );
    if (schedules.length > 0 || readiness.parts()[schedulesPart])
      readiness.set(schedulesPart, silent.length === 0, silent.length === 0 ? undefined : silent.join('; '));
  };
