import type { Clock } from '../../model/ports.ts';
import type { RulesStatus } from '../../model/introspection.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The part of `/readyz`. */
export const rulesPart = 'bellhop.yaml';

export interface RulesHealth {
  /** @param warnings what the rules say that is probably not meant, a line each */
  loaded(policyHash: string, warnings: readonly string[]): void;
  /** A newer file was refused: what was in force stays. A problem a line. */
  refused(problems: readonly string[]): void;
  now(): RulesStatus;
}

interface RulesHealthPorts {
  readonly clock: Clock;
  readonly readiness: Pick<Readiness, 'set'>;
  readonly metrics: Pick<Metrics, 'rules'>;
}

const longestProblem = 1000;

/** Which rules are in force since when, and whether a newer file was refused. */
export function createRulesHealth({ clock, readiness, metrics }: RulesHealthPorts): RulesHealth {
  let status: RulesStatus = { policyHash: '', since: clock.now(), warnings: [] };
  const show = (): void => {
    const { policyHash, since, refused } = status;
    const inForce = `${policyHash.slice(0, 12)} in force since ${new Date(since).toISOString()}`;
    readiness.set(rulesPart, refused === undefined, refused?.problems, inForce);
    metrics.rules(policyHash, since);
  };
  return {
    loaded(policyHash, warnings) {
      // A file that is as it was before it was broken has been in force all the time.
      const since = policyHash === status.policyHash ? status.since : clock.now();
      status = { policyHash, since, warnings, lastRefused: status.lastRefused };
      show();
    },
    refused(problems) {
      const refused = { at: clock.now(), problems: problems.join('\n').slice(0, longestProblem) };
      status = { ...status, refused, lastRefused: refused };
      show();
    },
    now: () => status,
  };
}
