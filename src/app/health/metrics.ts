import { collectDefaultMetrics, Registry } from 'prom-client';

import type { CallRecord } from '../../service/http/call-observer.ts';
import { areas, type Area, endpoints } from '../../service/schemas/endpoints.ts';
import type { AuditDraft, Forwarding } from '../../model/audit.ts';
import { dueKinds } from '../../model/due.ts';
import type { OnCall } from '../../model/on-call.ts';
import type { PartStatus, Tally } from '../../model/introspection.ts';
import { storedTables, type StoredTable } from '../../store/queries/parse-row.ts';
import type { HookOutcome } from '../../alerts/sources/hooks-route.ts';
import type { ForwardResult } from '../../audit/publish/forward-batch.ts';
import {
  type HandOutKind,
  handOutKinds,
  type HandOutOutcome,
  handOutOutcomes,
} from '../../audit/publish/hand-out.ts';
import { createMeters, type Meters } from './meters.ts';
import { answerResult, answerResults, operationOutcome, slackOutcome } from './outcome-labels.ts';

/** Whose clock ours is compared with. */
export type ClockSource = 'PostgreSQL' | 'Slack';

/** What is counted. Every label has few values: nothing that people type, and no id, is ever one. */
export interface Metrics {
  readonly contentType: string;
  /** @param parts what `/readyz` says at this moment */
  text(parts: Readonly<Record<string, PartStatus>>): Promise<string>;
  /** An answer to a payload of Slack, or to a request that is none. */
  ack(kind: string, status: number, ms: number): void;
  /** An audit entry: counted where it ends a command. */
  happened(draft: AuditDraft): void;
  serviceCall(call: CallRecord): void;
  serviceBreaker(open: boolean, area: Area): void;
  slackCall(method: string, outcome: string, ms: number): void;
  /** This clock is ahead of another's by at least so many milliseconds; negative: behind. */
  clockSkew(source: ClockSource, ms: number): void;
  storeCall(method: string, ok: boolean, ms: number): void;
  /**
   * A delivery to a hook; undefined: to none that there is.
   * @param receivedAt when it was taken in, in epoch milliseconds; undefined where it was refused
   */
  hookDelivery(name: string | undefined, outcome: HookOutcome, receivedAt: number | undefined): void;
  /** Undefined where the store could not tell. */
  tally(now: number, tally: Tally | undefined): void;
  removed(requests: number): void;
  /** Undefined where nothing is to be forwarded, or the store could not tell. */
  forwarding(now: number, forwarding: Forwarding | undefined): void;
  /** A checkpoint was handed out, or not taken. */
  readonly handedOut: (to: HandOutKind, outcome: HandOutOutcome) => void;
  /** A batch was sent to the collector. */
  forwarded(result: ForwardResult): void;
  /** The rules in force, and since when in epoch milliseconds. */
  rules(policyHash: string, since: number): void;
  /** What the schedules told of who is on call, and which do not answer. */
  schedules(schedules: readonly OnCall[]): void;
  /** The tables of the rows that cannot be read, one for each row. */
  unreadableRows(tables: readonly StoredTable[]): void;
}

/** The clock of the machine may be set back between the two ends of a measurement. */
const seconds = (ms: number): number => Math.max(0, ms) / 1000;

/** @param operations names of all of them; anything else is counted as `other` */
export function createMetrics(version: string, operations: readonly string[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const known = new Set(operations);
  const meters = createMeters(registry);
  beginAtZero(meters, operations);
  meters.info.set({ version, node: process.version }, 1);
  return {
    contentType: registry.contentType,
    text(parts) {
      for (const [part, { ok }] of Object.entries(parts)) meters.ready.set({ part }, ok ? 1 : 0);
      return registry.metrics();
    },
    ack: (kind, status, ms) => meters.acks.observe({ kind, status }, seconds(ms)),
    happened(draft) {
      if (draft.event === 'store set back') meters.setBack.set({}, draft.at / 1000);
      const outcome = operationOutcome(draft);
      const { operation: named = '' } = draft;
      const operation = known.has(named) ? named : 'other';
      if (outcome !== undefined) meters.operations.inc({ operation, outcome });
    },
    serviceCall(call) {
      const { endpoint, status, outcome, milliseconds } = call;
      meters.serviceCalls.observe({ endpoint, status: status ?? 'none', outcome }, seconds(milliseconds));
      meters.serviceAnswers.inc({ area: endpoints[endpoint].area, result: answerResult(call) });
    },
    serviceBreaker: (open, area) => meters.breaker.set({ area }, open ? 1 : 0),
    slackCall: (method, outcome, ms) =>
      meters.slackCalls.observe({ method, outcome: slackOutcome(outcome) }, seconds(ms)),
    clockSkew: (source, ms) => meters.clockSkew.set({ source }, ms / 1000),
    storeCall(method, ok, ms) {
      meters.store.observe({ method }, seconds(ms));
      meters.storeErrors.inc({ method }, ok ? 0 : 1);
    },
    hookDelivery(name = 'unknown', outcome, receivedAt) {
      meters.hookDeliveries.inc({ hook: name, outcome });
      if (receivedAt !== undefined) meters.hookLast.set({ hook: name }, seconds(receivedAt));
    },
    tally: (now, tally) => showTally(meters, now, tally),
    removed: (requests) => meters.removed.inc(requests),
    forwarding: (now, forwarding) => showForwarding(meters, now, forwarding),
    handedOut: (to, outcome) => meters.handOuts.inc({ to, outcome }),
    forwarded: (result) => meters.forwardBatches.inc({ result }),
    rules(policyHash, since) {
      meters.rules.reset();
      meters.rules.set({ policy: policyHash.slice(0, 12) }, seconds(since));
    },
    schedules: (schedules) => showSchedules(meters, schedules),
    unreadableRows(tables) {
      meters.unreadable.reset();
      for (const table of storedTables) meters.unreadable.set({ table }, 0);
      for (const table of tables) meters.unreadable.inc({ table });
    },
  };
}

/** What has not happened yet is 0, so that its first time is seen as an increase. */
function beginAtZero(meters: Meters, operations: readonly string[]): void {
  for (const operation of operations) meters.operations.inc({ operation, outcome: 'unknown' }, 0);
  for (const status of [200, 503]) meters.acks.zero({ kind: 'busy', status });
  for (const area of areas) {
    meters.breaker.set({ area }, 0);
    for (const result of answerResults) meters.serviceAnswers.inc({ area, result }, 0);
  }
  for (const to of handOutKinds) {
    for (const outcome of handOutOutcomes) meters.handOuts.inc({ to, outcome }, 0);
  }
}

function showSchedules(meters: Meters, schedules: readonly OnCall[]): void {
  for (const gauge of [meters.scheduleAnswered, meters.scheduleFailing, meters.onCall]) gauge.reset();
  for (const { schedule, people, asOf, problem } of schedules) {
    if (asOf !== undefined) meters.scheduleAnswered.set({ schedule }, seconds(asOf));
    meters.scheduleFailing.set({ schedule }, problem ? 1 : 0);
    meters.onCall.set({ schedule }, people?.length ?? 0);
  }
}

function showForwarding(meters: Meters, now: number, forwarding: Forwarding | undefined): void {
  const { auditUnforwarded, oldestUnforwarded } = meters;
  auditUnforwarded.remove();
  oldestUnforwarded.remove();
  if (!forwarding) return;
  const { sent, newest, oldestAt } = forwarding;
  auditUnforwarded.set(Math.max(0, newest - sent));
  oldestUnforwarded.set(oldestAt === undefined ? 0 : seconds(now - oldestAt));
}

/** Numbers that nobody knows are left out: an old one would look like a fact. */
function showTally(meters: Meters, now: number, tally: Tally | undefined): void {
  const { requests, due, dueOldest, auditEntries, auditUnsealed, oldestUnsealed } = meters;
  for (const gauge of [requests, due, dueOldest]) gauge.reset();
  auditEntries.remove();
  auditUnsealed.remove();
  oldestUnsealed.remove();
  if (!tally) return;
  for (const [state, count] of Object.entries(tally.requests)) requests.set({ state }, count);
  for (const kind of dueKinds) {
    due.set({ kind }, 0);
    dueOldest.set({ kind }, 0);
  }
  for (const { kind, count, oldestMs } of tally.due) {
    due.set({ kind }, count);
    dueOldest.set({ kind }, seconds(oldestMs));
  }
  const age = (since: number | undefined): number => (since === undefined ? 0 : seconds(now - since));
  auditEntries.set(tally.audit.entries);
  auditUnsealed.set(tally.audit.unsealed);
  oldestUnsealed.set(age(tally.audit.oldestUnsealedAt));
}
