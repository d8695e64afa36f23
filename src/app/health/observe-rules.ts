import type { RulesStatus } from '../../model/introspection.ts';
import { seconds } from '../../host/metrics.ts';
import type { Reports } from './health-routes.ts';

export const rulesPart = 'bellhop.yaml';

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
      // If a rejected file is replaced by the earlier version, that version applied all the time.
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
