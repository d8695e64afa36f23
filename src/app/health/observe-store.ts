import type { AuditDraft, AuditEvent } from '../../model/records/audit.ts';
import type { DueKind } from '../../model/records/due.ts';
import type { Tally } from '../../model/introspection.ts';
import type { Store } from '../../store/store.ts';
import { type StoredTable, storedTables, type UnreadableRow } from '../../model/values/errors.ts';
import { seconds } from '../../host/metrics.ts';
import type { Reports } from './health-routes.ts';

export const sealingPart = 'sealing';
export const rowsPart = 'stored rows';

/** @param operations all operation names. Any other name is counted as `other`. */
export function observeStore({ clock, readiness, metrics }: Reports, operations: readonly string[]) {
  const known = new Set(operations);
  return {
    afterCall: (method: string, ok: boolean, ms: number): void => {
      metrics.store.observe({ method }, seconds(ms));
      metrics.storeErrors.inc({ method }, ok ? 0 : 1);
    },
    happened(draft: AuditDraft): void {
      if (draft.event === 'store set back') metrics.setBack.set(draft.at / 1000);
      const outcome = operationOutcome(draft);
      const { operation: named = '' } = draft;
      const operation = known.has(named) ? named : 'other';
      if (outcome !== undefined) metrics.operations.inc({ operation, outcome });
    },
    onSealed: (stopped: Error | undefined): void =>
      readiness.set(sealingPart, stopped === undefined, stopped?.message),
    async check(store: Pick<Store, 'ping'>): Promise<void> {
      try {
        await store.ping();
        readiness.set('store', true);
      } catch (error) {
        readiness.set('store', false, error instanceof Error ? error.message : 'unknown');
      }
    },
    /** An old number would look current, so unknown numbers are omitted. */
    async count(store: Pick<Store, 'tally'>, dueKinds: readonly DueKind[]): Promise<void> {
      const { requests, requestsOldest, due, dueOldest, auditEntries, auditUnsealed, oldestUnsealed } =
        metrics;
      // `check` reports a store that can't be reached.
      const now = clock.now();
      const tally: Tally | undefined = await store.tally(now).catch(() => undefined);
      for (const gauge of [requests, requestsOldest, due, dueOldest]) gauge.reset();
      for (const gauge of [auditEntries, auditUnsealed, oldestUnsealed]) gauge.remove();
      if (!tally) return;
      for (const [state, count] of Object.entries(tally.requests)) {
        requests.set({ state }, count);
        requestsOldest.set({ state }, seconds(now - (tally.oldest.get(state) ?? now)));
      }
      for (const kind of dueKinds) {
        due.set({ kind }, 0);
        dueOldest.set({ kind }, 0);
      }
      for (const { kind, count, oldestMs } of tally.due) {
        due.set({ kind }, count);
        dueOldest.set({ kind }, seconds(oldestMs));
      }
      const { entries, unsealed, oldestUnsealedAt = now } = tally.audit;
      auditEntries.set(entries);
      auditUnsealed.set(unsealed);
      oldestUnsealed.set(seconds(now - oldestUnsealedAt));
    },
  };
}

/** By the event that ends a command. `true` stands for the outcome in the entry. */
const outcomes: Partial<Readonly<Record<AuditEvent, true | string>>> = {
  read: true,
  ended: true,
  settled: true,
  cancelled: true,
  superseded: true,
  expired: true,
  refused: true,
  'denied approval': true,
  denied: 'denied',
  invalid: 'invalid',
  'ignored click': 'ignored click',
};

/** Undefined for steps that do not end the command. */
export function operationOutcome({ event, outcome, requestId }: AuditDraft): string | undefined {
  // Offers expire, too.
  if (event === 'expired' && requestId === undefined) return undefined;
  const known = outcomes[event];
  return known === true ? (outcome ?? 'other') : known;
}

/** In milliseconds. An unreadable row that no list has met for this long counts as fixed or removed. */
const rememberedMs = 10 * 60_000;
const maxRemembered = 1000;

export function observeUnreadableRows({ clock, log, readiness, metrics: { unreadable } }: Reports) {
  const rows = new Map<string, { readonly table: StoredTable; readonly message: string; seenAt: number }>();
  const show = (): void => {
    unreadable.reset();
    for (const table of storedTables) unreadable.set({ table }, 0);
    for (const { table } of rows.values()) unreadable.inc({ table });
    const [first] = rows.values();
    if (!first) return readiness.set(rowsPart, true);
    const others = rows.size === 1 ? '' : ` And ${rows.size - 1} more.`;
    readiness.set(rowsPart, false, `${first.message}${others}`);
  };
  show();
  return {
    /** Called when a list has skipped a row, which may happen every second. */
    leftOut({ table, row, message }: UnreadableRow): void {
      const key = `${table} ${row}`;
      const known = rows.get(key);
      if (known) {
        known.seenAt = clock.now();
        return;
      }
      if (rows.size >= maxRemembered) return;
      rows.set(key, { table, message, seenAt: clock.now() });
      log.error({ table, row, problem: message }, 'unreadable row; lists skip it');
      show();
    },
    review(): void {
      // The difference is absolute, because a clock that was set back would keep rows for longer.
      const gone = [...rows].filter(([, { seenAt }]) => Math.abs(clock.now() - seenAt) >= rememberedMs);
      for (const [key] of gone) rows.delete(key);
      if (gone.length > 0) show();
    },
  };
}
