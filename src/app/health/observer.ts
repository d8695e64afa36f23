import type { AuditStatus, FeatureStatus, Status } from '../../model/introspection.ts';
import type { Operation } from '../../model/operation.ts';
import type { Clock, DetailedLog } from '../../model/ports.ts';
import { createGrantedScopes } from '../../slack/web-api/scopes.ts';
import type { Store } from '../../store/store.ts';
import { readVersion, replicaId } from '../process/this-process.ts';
import { createClockWatch } from './clock-watch.ts';
import { beginAtZero, createMetrics } from './metrics.ts';
import { observeRules } from './observe-rules.ts';
import {
  observeOwnOperations,
  observePassages,
  observeService,
  observeSlack,
  tokenPart,
} from './observe-calls.ts';
import { observeStore, observeUnreadableRows } from './observe-store.ts';
import { createReadiness } from '../../host/readiness.ts';
import { healthRoutes } from './health-routes.ts';

export type Observer = ReturnType<typeof createObserver>;

type Named = Pick<Operation, 'name'>;

export function createObserver(operations: readonly Named[], log: DetailedLog, clock: Clock) {
  const version = readVersion();
  const startedAt = clock.now();
  const names = operations.map(({ name }) => name);
  const metrics = createMetrics();
  beginAtZero(metrics, names);
  metrics.info.set({ version, node: process.version }, 1);
  const readiness = createReadiness(clock, ['store', 'slack', tokenPart, 'running']);
  const reports = { clock, log, metrics, readiness };
  const service = observeService(reports);
  const rules = observeRules(reports);
  const clockWatch = createClockWatch({ ...reports, monotonic: () => performance.now() });
  const scopes = createGrantedScopes(log);
  return {
    metrics,
    readiness,
    routes: healthRoutes(readiness, metrics),
    store: observeStore(reports, names),
    slack: {
      ...observeSlack(reports),
      onDate: clockWatch.slackAnswered,
      clockIsRight: clockWatch.isRight,
      scopes,
    },
    service,
    passages: observePassages(reports),
    ownOperations: observeOwnOperations(reports),
    rules,
    unreadable: observeUnreadableRows(reports),
    clockWatch,
    /** Never rejects. */
    status: async (
      store: Pick<Store, 'tally'>,
      audit: () => Promise<AuditStatus | undefined>,
      features: FeatureStatus,
    ): Promise<Status> => ({
      version,
      replica: replicaId(),
      startedAt,
      parts: readiness.parts(),
      service: service.now(),
      accounts: service.accounts(),
      withheld: scopes.withheld(),
      rules: rules.now(),
      tally: await store.tally(clock.now()).catch(() => undefined),
      audit: await audit().catch(() => undefined),
      features,
    }),
  };
}
