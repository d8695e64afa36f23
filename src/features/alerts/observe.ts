import { type Declare, seconds } from '../../host/metrics.ts';
import { numbers, tableOf, texts } from '../../bellhop/parts/report-parts.ts';
import { type Clock, type Log, onceAMinute } from '../../model/ports.ts';
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

/** This replica's view of a hook. Times are epoch milliseconds. */
interface HookStatus {
  readonly name: string;
  readonly received: number;
  /** How many alerts were grouped into a message about many. */
  readonly folded: number;
  readonly rejected: number;
  readonly lastReceivedAt?: number | undefined;
  readonly lastRejected?:
    | { readonly at: number; readonly reason: string; readonly problem?: string | undefined }
    | undefined;
}

/** Deliveries with any other outcome were rejected. */
const taken: ReadonlySet<HookOutcome> = new Set<HookOutcome>(['shown', 'folded', 'repeated', 'ignored']);

/** Reports this replica's deliveries for each hook. There are few hooks, because bellhop.yaml names them. */
export function observeHooks(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  metrics: ReturnType<typeof hookMetrics>,
) {
  const hooks = new Map<string, HookStatus>();
  const isDue = onceAMinute(clock);
  const onDelivery: HooksRouteOptions['onDelivery'] = (name, outcome, problem) => {
    const at = clock.now();
    const isTaken = taken.has(outcome);
    const hook = name ?? 'unknown';
    metrics.deliveries.inc({ hook, outcome });
    if (isTaken) {
      metrics.last.set({ hook }, seconds(at));
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
  };
  return {
    onDelivery,
    problems: () => [...hooks.values()].flatMap(hookProblem),
    tables: () => hooksTable([...hooks.values()]),
  };
}

/** A hook is a problem if it has rejected everything since its last accepted delivery. */
function hookProblem({ name, lastReceivedAt = 0, lastRejected }: HookStatus): readonly string[] {
  if (!lastRejected || lastReceivedAt >= lastRejected.at) return [];
  const { reason, problem } = lastRejected;
  const why = problem === undefined ? reason : `${reason}: ${problem.replace(/\.$/u, '')}`;
  return [`hook ${name} is rejecting deliveries (${why})`];
}

const hooksTable = (hooks: readonly HookStatus[]): readonly Table[] =>
  tableOf(
    'Hooks, since this replica started',
    [
      ...texts('Hook'),
      ...numbers('Received', 'Grouped', 'Rejected'),
      ...texts('Last received', 'Last rejected', 'Why'),
    ],
    hooks.map(({ name, received, folded, rejected, lastReceivedAt, lastRejected }) => [
      name,
      received,
      folded,
      rejected,
      lastReceivedAt === undefined ? '' : { at: lastReceivedAt },
      lastRejected ? { at: lastRejected.at } : '',
      lastRejected?.reason ?? '',
    ]),
  );
