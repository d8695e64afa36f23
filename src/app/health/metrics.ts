import { collectDefaultMetrics, Registry } from 'prom-client';

import { type Declare, declareIn } from '../../host/metrics.ts';
import { areas } from '../../areas/index.ts';

/** In seconds. Slack waits 3 s for an ack. */
const ackBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
/** In seconds. A call to the service may take 30 s. */
const callBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** In seconds. */
const storeBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

export type Metrics = ReturnType<typeof createMetrics>;

/** In milliseconds. The alert rule and the dashboard of the event loop's lag take this pause into account. */
const loopPauseMs = 100;

/** A label has few values. It is never an id, or anything that people type. */
export function createMetrics() {
  const registry = new Registry();
  // The monitor of the event loop wakes this process as often as it measures, and counts its own pause as lag.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopPauseMs });
  const declare = declareIn([registry]);
  return {
    registry,
    declare,
    ...callMetrics(declare),
    ...eventMetrics(declare),
    ...replicaMetrics(declare),
    ...storedMetrics(declare),
  };
}

const callMetrics = ({ counter, histogram }: Declare) => ({
  acks: histogram(
    'bellhop_acks_seconds',
    ['kind', 'status'],
    'Time from the arrival of a payload to its acknowledgement, by kind of payload or reason of rejection.',
    ackBuckets,
  ),
  slackCalls: histogram(
    'bellhop_slack_calls_seconds',
    ['method', 'outcome'],
    'Calls to Slack by method and outcome; a 429 has outcome="ratelimited".',
    callBuckets,
  ),
  serviceCalls: histogram(
    'bellhop_service_calls_seconds',
    ['account', 'endpoint', 'status', 'outcome'],
    'Calls to the service, retries included, by endpoint, last status and outcome.',
    callBuckets,
  ),
  serviceAnswers: counter(
    'bellhop_service_answers_total',
    ['account', 'area', 'result'],
    'Calls to the service by result: ok, rejected, refused (401, 403), failed (5xx or no answer).',
  ),
  store: histogram('bellhop_store_seconds', ['method'], 'Duration of store calls, by method.', storeBuckets),
  storeErrors: counter('bellhop_store_errors_total', ['method'], 'Failed store calls.'),
});

const eventMetrics = ({ counter }: Declare) => ({
  operations: counter(
    'bellhop_operations_total',
    ['operation', 'outcome'],
    'Outcomes of commands: answered, denied, succeeded, unknown. An unknown outcome that was settled counts twice.',
  ),
  ownOperationErrors: counter(
    'bellhop_own_operation_errors_total',
    ['kind'],
    'Errors in your own operations that did not affect an outcome: caught in a callback, or escaped from a promise, timer or emitter.',
  ),
  removed: counter(
    'bellhop_requests_removed_total',
    [],
    'Ended requests removed because they were older than requests.keep.',
  ),
});

const replicaMetrics = ({ gauge }: Declare) => ({
  info: gauge(
    'bellhop_info',
    ['version', 'node'],
    'Always 1; the labels are the running version and the version of Node.',
  ),
  ready: gauge(
    'bellhop_ready',
    ['part'],
    '1 while this part of /readyz is healthy. Optional parts are included.',
  ),
  rules: gauge(
    'bellhop_rules_in_force_since_seconds',
    ['policy'],
    'When the rules in force were loaded, in Unix seconds; the label is the start of their hash.',
  ),
  unreadable: gauge(
    'bellhop_unreadable_rows',
    ['table'],
    'Unreadable rows of the store, written by a newer version or edited by hand. Lists skip them.',
  ),
  clockSkew: gauge(
    'bellhop_clock_skew_seconds',
    ['source'],
    "Lower bound of this replica's clock offset from PostgreSQL and Slack; negative: behind.",
  ),
  breaker: gauge(
    'bellhop_service_breaker_open',
    ['account', 'area'],
    '1 while the circuit breaker of an area of the service is open.',
  ),
  slackConnections: gauge(
    'bellhop_slack_connections',
    ['by'],
    "Open Socket Mode connections: of this replica by its own count, or of the whole app by Slack's count when one last opened.",
  ),
  setBack: gauge(
    'bellhop_store_set_back_seconds',
    [],
    'When this replica last detected that the store was rolled back, by a restore or a failover, in Unix seconds; 0: never.',
  ),
});

const storedMetrics = ({ gauge }: Declare) => ({
  requests: gauge(
    'bellhop_requests',
    ['state'],
    'Open requests and unknown outcomes in the store, by state; open rollouts are rolling or paused.',
  ),
  requestsOldest: gauge(
    'bellhop_requests_oldest_seconds',
    ['state'],
    'How long the oldest of these requests has been in its state; 0 if there is no such request.',
  ),
  due: gauge(
    'bellhop_due',
    ['kind'],
    'Overdue work by kind: outdated messages in Slack, requests to expire, recover or check, and others.',
  ),
  dueOldest: gauge('bellhop_due_oldest_seconds', ['kind'], 'Age of the oldest overdue work.'),
  auditEntries: gauge('bellhop_audit_entries', [], 'Entries of the audit log, sealed or not.'),
  auditUnsealed: gauge(
    'bellhop_audit_unsealed_entries',
    [],
    'Entries of the audit log without a checkpoint.',
  ),
  oldestUnsealed: gauge(
    'bellhop_oldest_unsealed_audit_entry_seconds',
    [],
    'Age of the oldest entry of the audit log that has no number yet.',
  ),
});

export const answerResults = ['ok', 'rejected', 'refused', 'failed'] as const;

/** Counters start at 0, so that the first event shows as an increase. */
export function beginAtZero(metrics: Metrics, operations: readonly string[]): void {
  for (const operation of operations) metrics.operations.inc({ operation, outcome: 'unknown' }, 0);
  for (const kind of ['caught', 'escaped']) metrics.ownOperationErrors.inc({ kind }, 0);
  for (const status of [200, 503]) metrics.acks.zero({ kind: 'busy', status });
  for (const { name: area } of areas) {
    metrics.breaker.set({ area }, 0);
    for (const result of answerResults) metrics.serviceAnswers.inc({ area, result }, 0);
  }
}
