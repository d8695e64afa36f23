import type { CallRecord } from '../../service/http/call-observer.ts';
import type { Area } from '../../service/schemas/endpoints.ts';
import type { OnCall } from '../../model/on-call.ts';
import type { Operation } from '../../model/operation.ts';
import type { Clock, DetailedLog } from '../../model/ports.ts';
import type { Store } from '../../store/store.ts';
import type { AuditStatus, ServiceStatus, Status } from '../../model/introspection.ts';
import type { CheckedSignature } from '../../slack/receive/signature.ts';
import { type ClockWatch, createClockWatch } from './clock-watch.ts';
import { createKeyWatch, createSignatureWatch, createTokenWatch, tokenPart } from './credentials-watch.ts';
import { createForwardHealth, type ForwardHealth } from './forward-health.ts';
import { createHooksHealth, type HooksHealth } from './hooks-health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { systemClock } from '../process/system-clock.ts';
import { withoutQuery } from '../process/logger.ts';
import { traceSlackCall } from '../process/tracing.ts';
import { readVersion, replicaId } from '../process/this-replica.ts';
import { createRulesHealth, type RulesHealth } from './rules-health.ts';
import { createUnreadableRows, type UnreadableRows } from './unreadable-rows.ts';

/** What the parts tell of themselves, for the log, `/metrics`, `/readyz` and `/bellhop status`. */
export interface Observer {
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly rules: RulesHealth;
  readonly unreadable: UnreadableRows;
  /** What the schedules told, after one was asked. */
  readonly schedulesAsked: (schedules: readonly OnCall[]) => void;
  readonly hooks: HooksHealth;
  /** A round of sealing ended, or the log is not sealed any more. */
  readonly sealing: (stopped: Error | undefined) => void;
  readonly forward: ForwardHealth;
  serviceCall(call: CallRecord): void;
  serviceBreaker(open: boolean, area: Area): void;
  slackCall(method: string, outcome: string, ms: number): void;
  signature(checked: CheckedSignature): void;
  readonly clockWatch: ClockWatch;
  /** Never rejects. */
  status(store: Pick<Store, 'tally'>, audit: () => Promise<AuditStatus | undefined>): Promise<Status>;
}

export function createObserver(operations: readonly Operation[], log: DetailedLog): Observer {
  const clock = systemClock;
  const version = readVersion();
  const startedAt = clock.now();
  const metrics = createMetrics(
    version,
    operations.map(({ name }) => name),
  );
  const readiness = createReadiness(clock, ['store', 'slack', tokenPart, 'running']);
  const service = createServiceHealth(clock);
  const rules = createRulesHealth({ clock, readiness, metrics });
  const unreadable = createUnreadableRows({ clock, log, readiness, metrics });
  const hooks = createHooksHealth({ clock, log, metrics });
  const forward = createForwardHealth({ clock, readiness, metrics });
  const tokenWatch = createTokenWatch(readiness, log);
  const keyWatch = createKeyWatch({ clock, log, readiness });
  return {
    metrics,
    readiness,
    rules,
    unreadable,
    schedulesAsked: createScheduleHealth(readiness, metrics),
    hooks,
    sealing: (stopped) => readiness.set(sealingPart, stopped === undefined, stopped?.message),
    forward,
    serviceCall(call) {
      metrics.serviceCall(call);
      service.ended(call);
      keyWatch(call);
      // Most calls are looks that succeed: what a shift has to read is the rest.
      const level = call.outcome === 'succeeded' && call.method === 'GET' ? 'debug' : 'info';
      log[level](
        { call: { ...call, path: withoutQuery(call.path), milliseconds: Math.round(call.milliseconds) } },
        'a call to the service ended',
      );
    },
    serviceBreaker(open, area) {
      metrics.serviceBreaker(open, area);
      service.breaker(open, area);
    },
    slackCall(method, outcome, ms) {
      metrics.slackCall(method, outcome, ms);
      traceSlackCall(method, outcome, ms);
      tokenWatch(method, outcome);
    },
    signature: createSignatureWatch({ clock, log, readiness }),
    clockWatch: createClockWatch({ clock, monotonic: () => performance.now(), log, readiness, metrics }),
    status: async (store, audit) => ({
      version,
      replica: replicaId(),
      startedAt,
      parts: readiness.parts(),
      service: service.now(),
      rules: rules.now(),
      hooks: hooks.now(),
      tally: await store.tally(clock.now()).catch(() => undefined),
      audit: await audit().catch(() => undefined),
      forwarding: forward.now(),
    }),
  };
}

/** How calls to the service went lately. */
interface ServiceHealth {
  ended(call: CallRecord): void;
  breaker(open: boolean, area: Area): void;
  now(): ServiceStatus;
}

function createServiceHealth(clock: Clock): ServiceHealth {
  let status: ServiceStatus = { leftAlone: [] };
  return {
    ended(call) {
      // A 4xx is an answer: the service works, and somebody asked for what it does not have.
      const answered = call.outcome === 'succeeded' || (call.status !== undefined && call.status < 500);
      const at = clock.now();
      const said = call.status === undefined ? call.outcome : `${call.outcome}, ${call.status}`;
      status = answered
        ? { ...status, lastSuccessAt: at }
        : { ...status, lastFailure: { at, call: `${call.method} ${call.path}`, outcome: said } };
    },
    breaker(open, area) {
      const others = status.leftAlone.filter((other) => other !== area);
      status = { ...status, leftAlone: open ? [...others, area] : others };
    },
    now: () => status,
  };
}

/** The part of `/readyz`: whether what is recorded gets into the signed log. */
export const sealingPart = 'sealing';

/** The part of `/readyz`. */
export const schedulesPart = 'schedules';

/** Reports what the schedules of `bellhop.yaml` told, after each time that one was asked. Without any there is no such part. */
function createScheduleHealth(
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
