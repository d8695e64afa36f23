import type { Clock, Log } from '../../model/ports.ts';
import type { StoredTable, UnreadableRow } from '../../store/queries/parse-row.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The part of `/readyz`. */
export const rowsPart = 'stored rows';

/** A row that no list met for so long is taken for mended, removed or forgotten. In milliseconds. */
const rememberedMs = 10 * 60_000;
const mostRemembered = 1000;

interface SeenRow {
  readonly table: StoredTable;
  readonly message: string;
  seenAt: number;
}

/** What is known of rows that lists leave out because they cannot be read. */
export interface UnreadableRows {
  /** A list left it out: lists that are read every second do so every second. */
  leftOut(row: UnreadableRow): void;
  /** Forgets those that were not met for a while. Called every few seconds. */
  review(): void;
}

interface UnreadableRowsPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, 'set'>;
  readonly metrics: Pick<Metrics, 'unreadableRows'>;
}

/** Logs each such row once, and reports to `/readyz` and `/metrics` how many there are. */
export function createUnreadableRows({
  clock,
  log,
  readiness,
  metrics,
}: UnreadableRowsPorts): UnreadableRows {
  const rows = new Map<string, SeenRow>();
  const show = (): void => {
    metrics.unreadableRows([...rows.values()].map(({ table }) => table));
    const [first] = rows.values();
    if (!first) return readiness.set(rowsPart, true);
    const others = rows.size === 1 ? '' : ` And ${rows.size - 1} more.`;
    readiness.set(rowsPart, false, `${first.message}${others}`);
  };
  show();
  return {
    leftOut({ table, row, message }) {
      const key = `${table} ${row}`;
      const known = rows.get(key);
      if (known) {
        known.seenAt = clock.now();
        return;
      }
      if (rows.size >= mostRemembered) return;
      rows.set(key, { table, message, seenAt: clock.now() });
      log.error({ table, row, problem: message }, 'a row cannot be read; lists leave it out');
      show();
    },
    review() {
      // A clock that was set back would keep them for as long.
      const gone = [...rows].filter(([, { seenAt }]) => Math.abs(clock.now() - seenAt) >= rememberedMs);
      for (const [key] of gone) rows.delete(key);
      if (gone.length > 0) show();
    },
  };
}
