import { type Declare, seconds } from '../../host/metrics.ts';
import type { Host } from '../../host/feature.ts';
import { type CallerTally, createTally } from '../../host/tally.ts';
import { numbers, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import type { Table } from '../../model/values/report.ts';
import type { HookOutcome, HooksRouteOptions } from './sources/hooks-route.ts';

export const hookMetrics = ({ counter, moment }: Declare) => ({
  deliveries: counter(
    'bellhop_hook_deliveries_total',
    ['hook', 'outcome'],
    'Deliveries to a hook by result: shown, folded, repeated and ignored were accepted, others rejected. Unknown names count under hook="unknown".',
  ),
  skippedReads: counter(
    'bellhop_hook_reads_skipped_total',
    ['hook'],
    'Reads of a hook for new alerts that were skipped, because there were more than ten in a minute.',
  ),
  last: moment(
    'bellhop_hook_last_received_seconds',
    ['hook'],
    'When a hook last accepted alerts, in Unix seconds.',
  ),
});

/** Deliveries with any other outcome were rejected. */
const taken: ReadonlySet<HookOutcome> = new Set<HookOutcome>(['shown', 'folded', 'repeated', 'ignored']);

/** bellhop.yaml names the hooks, so there are few of them. */
export function observeHooks(context: Pick<Host, 'clock' | 'log'>, metrics: ReturnType<typeof hookMetrics>) {
  const tally = createTally(context, 'hook', 'hook delivery rejected');
  const onDelivery: HooksRouteOptions['onDelivery'] = (name, outcome, problem) => {
    const isTaken = taken.has(outcome);
    const hook = name ?? 'unknown';
    metrics.deliveries.inc({ hook, outcome });
    if (isTaken) {
      metrics.last.set({ hook }, seconds(context.clock.now()));
      context.log.info({ hook: name, outcome }, 'alerts received');
    }
    tally.count(name, outcome, isTaken, problem);
  };
  return {
    onDelivery,
    problems: () => tally.callers().flatMap(hookProblem),
    tables: () => hooksTable(tally.callers()),
  };
}

/** A hook is a problem if it has rejected everything since its last accepted delivery. */
function hookProblem({ name, refusedInARow, lastRefused }: CallerTally): readonly string[] {
  if (!lastRefused || refusedInARow === 0) return [];
  const { reason, problem } = lastRefused;
  const why = problem === undefined ? reason : `${reason}: ${problem.replace(/\.$/u, '')}`;
  return [`hook ${name} is rejecting deliveries (${why})`];
}

const hooksTable = (hooks: readonly CallerTally[]): readonly Table[] =>
  tableOf(
    'Hooks, since this replica started',
    [
      ...texts('Hook'),
      ...numbers('Received', 'Grouped', 'Rejected'),
      ...texts('Last received', 'Last rejected', 'Why'),
    ],
    hooks.map(({ name, taken: received, refused, outcomes, lastTakenAt, lastRefused }) => [
      name,
      received,
      outcomes['folded'] ?? 0,
      refused,
      lastTakenAt === undefined ? '' : { at: lastTakenAt },
      lastRefused ? { at: lastRefused.at } : '',
      lastRefused?.reason ?? '',
    ]),
  );
