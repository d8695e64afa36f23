import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds. Slack waits 3 s for an ack. */
const ackBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
/** Seconds. A call to the service may take 30 s. */
const callBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Seconds. */
const storeBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

export type Meters = ReturnType<typeof createMeters>;

/** Every metric of ours, by name. `deploy/alerts.yaml` uses them. */
export const createMeters = (registry: Registry) => ({
  ...eventMeters(registry),
  ...serviceMeters(registry),
  ...stateMeters(registry),
  ...storedMeters(registry),
  ...scheduleMeters(registry),
  ...hookMeters(registry),
});

/** How this replica is now. */
const stateMeters = (registry: Registry) => ({
  rules: gauge(
    registry,
    'bellhop_rules_in_force_since_seconds',
    'When the rules in force were loaded, in Unix seconds; the label is the beginning of their hash.',
    ['policy'],
  ),
  unreadable: gauge(
    registry,
    'bellhop_unreadable_rows',
    'Rows of the store that lists leave out because a newer version wrote them or somebody edited them.',
    ['table'],
  ),
  info: gauge(registry, 'bellhop_info', 'Always 1: the version that runs, and on which Node.', [
    'version',
    'node',
  ]),
  ready: gauge(
    registry,
    'bellhop_ready',
    '1 while the part of /readyz is well, also one that does not take the replica out.',
    ['part'],
  ),
  clockSkew: gauge(
    registry,
    'bellhop_clock_skew_seconds',
    "How far the clock of this replica is ahead of PostgreSQL's and Slack's at least; negative: behind.",
    ['source'],
  ),
  breaker: gauge(
    registry,
    'bellhop_service_breaker_open',
    '1 while an area of the service is left alone because it fails again and again.',
    ['area'],
  ),
});

/** What is in the store. */
const storedMeters = (registry: Registry) => ({
  requests: gauge(
    registry,
    'bellhop_requests',
    'Requests in the store that somebody still has to end or look at, by state.',
    ['state'],
  ),
  due: gauge(
    registry,
    'bellhop_due',
    'Work whose time has come and that is not done yet, by kind: messages in Slack that are behind, requests to expire, to recover or to look into, and the like.',
    ['kind'],
  ),
  dueOldest: gauge(registry, 'bellhop_due_oldest_seconds', 'For how long the oldest of it waits.', ['kind']),
  setBack: gauge(
    registry,
    'bellhop_store_set_back_seconds',
    'When this replica last found that the store went back in time, by a restore or a failover, in Unix seconds; 0: never.',
    [],
  ),
  auditEntries: gauge(registry, 'bellhop_audit_entries', 'Entries of the audit log, sealed or not.', []),
  auditUnsealed: gauge(
    registry,
    'bellhop_audit_unsealed_entries',
    'Entries of the audit log that no checkpoint covers yet.',
    [],
  ),
  oldestUnsealed: gauge(
    registry,
    'bellhop_oldest_unsealed_audit_entry_seconds',
    'Age of the oldest recorded entry that waits for its number in the audit log.',
    [],
  ),
  auditUnforwarded: gauge(
    registry,
    'bellhop_audit_unforwarded_entries',
    'Sealed entries of the audit log that the collector of audit.forward has not taken yet.',
    [],
  ),
  oldestUnforwarded: gauge(
    registry,
    'bellhop_oldest_unforwarded_audit_entry_seconds',
    'Age of the oldest sealed entry that the collector of audit.forward has not taken yet.',
    [],
  ),
});

/** Who is on call, and how that is known. */
const scheduleMeters = (registry: Registry) => ({
  scheduleAnswered: gauge(
    registry,
    'bellhop_schedule_answered_seconds',
    'When a schedule of bellhop.yaml last told who is on call, in Unix seconds. It is believed for five minutes.',
    ['schedule'],
  ),
  scheduleFailing: gauge(
    registry,
    'bellhop_schedule_failing',
    '1 while a schedule does not answer, or not with anything that can be read.',
    ['schedule'],
  ),
  onCall: gauge(
    registry,
    'bellhop_on_call',
    'How many people count as on call by a schedule; 0 once it has not answered for five minutes.',
    ['schedule'],
  ),
});

/** What happened, and how long it took. */
const eventMeters = (registry: Registry) => ({
  acks: histogram(
    registry,
    'bellhop_acks_seconds',
    'From the arrival of a payload to its acknowledgement, by kind of payload or reason of refusal.',
    ['kind', 'status'],
    ackBuckets,
  ),
  operations: counter(
    registry,
    'bellhop_operations_total',
    'Outcomes of commands: answered, denied, succeeded, unknown. One that was unknown and settled counts as both.',
    ['operation', 'outcome'],
  ),
  slackCalls: histogram(
    registry,
    'bellhop_slack_calls_seconds',
    'Calls to Slack by method and outcome; a 429 is the outcome ratelimited.',
    ['method', 'outcome'],
    callBuckets,
  ),
  store: histogram(
    registry,
    'bellhop_store_seconds',
    'How long the store took, by what it was asked for.',
    ['method'],
    storeBuckets,
  ),
  storeErrors: counter(
    registry,
    'bellhop_store_errors_total',
    'Times that the store could not do what it was asked for.',
    ['method'],
  ),
  forwardBatches: counter(
    registry,
    'bellhop_audit_forward_batches_total',
    'Batches of audit entries by what the collector of audit.forward said: accepted, rejected, unauthorized, or failed.',
    ['result'],
  ),
  handOuts: counter(
    registry,
    'bellhop_audit_hand_outs_total',
    'Checkpoints of the audit log by whom they were handed to and what became of it: taken, failed, or contradicted by what was handed out before.',
    ['to', 'outcome'],
  ),
  removed: counter(
    registry,
    'bellhop_requests_removed_total',
    'Settled requests removed because they were older than requests.keep.',
    [],
  ),
});

/** The calls to the service. */
const serviceMeters = (registry: Registry) => ({
  serviceCalls: histogram(
    registry,
    'bellhop_service_calls_seconds',
    'Calls to the service, retries included, by endpoint, last status and outcome.',
    ['endpoint', 'status', 'outcome'],
    callBuckets,
  ),
  serviceAnswers: counter(
    registry,
    'bellhop_service_answers_total',
    'Calls to the service by what came back: ok, rejected, refused (401, 403), failed (5xx or no answer).',
    ['area', 'result'],
  ),
});

/** What came to the hooks. */
const hookMeters = (registry: Registry) => ({
  hookDeliveries: counter(
    registry,
    'bellhop_hook_deliveries_total',
    'Deliveries to a hook by what became of them: shown, folded, repeated and ignored were taken in, the rest was refused. A name that there is not is the hook unknown.',
    ['hook', 'outcome'],
  ),
  hookLast: gauge(
    registry,
    'bellhop_hook_last_received_seconds',
    'When a hook last took alerts in, in Unix seconds.',
    ['hook'],
  ),
});

const gauge = <L extends string>(registry: Registry, name: string, help: string, labelNames: readonly L[]) =>
  new Gauge<L>({ name, help, labelNames, registers: [registry] });

const counter = <L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[],
) => new Counter<L>({ name, help, labelNames, registers: [registry] });

const histogram = <L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[],
  buckets: number[],
) => new Histogram<L>({ name, help, labelNames, buckets, registers: [registry] });
