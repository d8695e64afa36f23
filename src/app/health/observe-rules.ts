import type { AgentCallOutcome } from '../../features/agents/route.ts';
import type { HookOutcome } from '../../features/alerts/sources/hooks-route.ts';
import type { AgentStatus, HookStatus, RulesStatus } from '../../model/introspection.ts';
import type { OnCall } from '../../model/values/on-call.ts';
import { seconds } from '../../host/metrics.ts';
import type { Reports } from './health-routes.ts';
import { onceAMinute } from '../../model/ports.ts';

export const rulesPart = 'bellhop.yaml';
export const schedulesPart = 'schedules';

const longestProblem = 1000;

export function observeRules({
  clock,
  readiness,
  metrics,
}: Pick<Reports, 'clock' | 'readiness' | 'metrics'>) {
  let status: RulesStatus = { file: '', policyHash: '', since: clock.now(), warnings: [] };
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
    loaded(file: string, policyHash: string, warnings: readonly string[]): void {
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
    now: () => status,
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

/** Deliveries with any other outcome were rejected. */
const taken: ReadonlySet<HookOutcome> = new Set<HookOutcome>(['shown', 'folded', 'repeated', 'ignored']);

/** Reports this replica's deliveries for each hook. There are few hooks, because bellhop.yaml names them. */
export function observeHooks({ clock, log, metrics }: Reports) {
  const hooks = new Map<string, HookStatus>();
  const isDue = onceAMinute(clock);
  return {
    /** @param name undefined if there is no hook of that name */
    onDelivery: (name: string | undefined, outcome: HookOutcome, problem?: string): void => {
      const at = clock.now();
      const isTaken = taken.has(outcome);
      const hook = name ?? 'unknown';
      metrics.hookDeliveries.inc({ hook, outcome });
      if (isTaken) {
        metrics.hookLast.set({ hook }, seconds(at));
        log.info({ hook: name, outcome }, 'alerts received');
      } else if (isDue(`${name ?? ''} ${outcome}`))
        log.warn({ hook: name, reason: outcome, problem }, 'hook delivery rejected');
      if (name === undefined) return;
      const known = hooks.get(name) ?? { name, received: 0, folded: 0, rejected: 0 };
      hooks.set(name, {
        ...known,
        received: known.received + Number(isTaken),
        folded: known.folded + Number(outcome === 'folded'),
        rejected: known.rejected + Number(!isTaken),
        ...(isTaken ? { lastReceivedAt: at } : { lastRejected: { at, reason: outcome, problem } }),
      });
    },
    now: () => [...hooks.values()],
  };
}

/** Reports this replica's calls for each agent in bellhop.yaml. Callers without a valid token are counted together. */
export function observeAgents({ clock, log, metrics }: Reports) {
  const agents = new Map<string, AgentStatus>();
  const isDue = onceAMinute(clock);
  return {
    afterCall: (name = 'unknown', outcome: AgentCallOutcome, problem?: string): void => {
      metrics.agentCalls.inc({ agent: name, outcome });
      const isAnswered = outcome === 'answered';
      if (!isAnswered && isDue(`${name} ${outcome}`))
        log.warn({ agent: name, reason: outcome, problem }, 'agent call refused');
      const known = agents.get(name) ?? { name, answered: 0, refused: 0, refusedInARow: 0 };
      agents.set(name, {
        ...known,
        answered: known.answered + Number(isAnswered),
        refused: known.refused + Number(!isAnswered),
        refusedInARow: isAnswered ? 0 : known.refusedInARow + 1,
        ...(!isAnswered && { lastRefused: { at: clock.now(), reason: outcome, problem } }),
      });
    },
    now: () => [...agents.values()],
  };
}
