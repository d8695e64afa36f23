import { type RawBuilder, sql } from 'kysely';

import type { DueKind } from '../../model/records/due.ts';
import type { StoredCheckpoint } from '../../model/records/sealed-log.ts';
import type { Database, Queries } from '../database/database.ts';
import { anyDue } from './due.ts';
import { anySilent } from './inbox.ts';
import { anyUnsealed } from './seal.ts';

export const homeRow = 1;

/**
 * `actual` is the database's identity. The rest is recorded in it: its home, the leaves of the newest checkpoint, and the version of one
 * request.
 */
export interface Held {
  readonly actual: string | null;
  readonly home: string | null;
  readonly size: number | null;
  readonly version: number | null;
}

export interface Look {
  /** By this process's clock. */
  readonly now: number;
  /** Of due work that the caller could do. */
  readonly kinds?: readonly DueKind[];
}

/** Whether a replica has anything to do, read in one statement. */
export interface Glance extends Held {
  readonly newest: StoredCheckpoint | undefined;
  readonly isUnsealed: boolean;
  readonly isDue: boolean;
  /** The process of a delivery has gone silent. */
  readonly isSilent: boolean;
}

const pastOf = async ({ home }: Pick<Database, 'home'>, requestId = '') => sql`${await home()} as actual,
  (select home from store_home where id = ${sql.lit(homeRow)}) as home,
  (select version from requests where id = ${requestId}) as version`;

/**
 * Whether a store has all that this process wrote: the leaves, and this version of a request. A store without a recorded home, or whose
 * home is unknown, has not moved.
 */
export const isIntact = (
  home: RawBuilder<string | null>,
  leaves: number,
  step: { readonly id: string; readonly version: number } | undefined,
): RawBuilder<boolean> => sql`coalesce((select home from store_home where id = ${sql.lit(homeRow)}) = ${home}, true)
    and coalesce((select size from audit_checkpoints order by number desc limit 1), 0) >= ${leaves}
    and coalesce((select version from requests as known where id = ${step?.id ?? ''}), 0) >= ${step?.version ?? 0}`;

const nothingHeld = { actual: null, home: null, size: null, version: null };

export async function findHeld(
  database: Pick<Database, 'home'>,
  queries: Queries,
  requestId?: string,
): Promise<Held> {
  const { rows } = await sql<Held>`select ${await pastOf(database, requestId)},
    (select size from audit_checkpoints order by number desc limit 1) as size`.execute(queries);
  return rows[0] ?? nothingHeld;
}

interface GlanceRow extends Held {
  readonly number: number | null;
  readonly sealed_at: number | null;
  readonly note: string | null;
  readonly unsealed: number;
  readonly due: number;
  readonly silent: number;
}

export const latest = (looks: readonly Look[]): number => Math.max(0, ...looks.map(({ now }) => now));

export async function readGlance(
  database: Pick<Database, 'home' | 'sharedNow'>,
  queries: Queries,
  looks: readonly Look[],
  requestId?: string,
): Promise<Glance> {
  const now = database.sharedNow(latest(looks));
  const kinds = [...new Set(looks.flatMap((look) => look.kinds ?? []))];
  const { rows } = await sql<GlanceRow>`select ${await pastOf(database, requestId)},
    newest.number, newest.size, newest.sealed_at, newest.note,
    case when ${anyUnsealed} then 1 else 0 end as unsealed,
    case when ${anyDue(now, kinds)} then 1 else 0 end as due,
    case when ${anySilent(now)} then 1 else 0 end as silent
    from (select 1 as one) as one left join (
      select number, size, at as sealed_at, note from audit_checkpoints order by number desc limit 1
    ) as newest on one.one = 1`.execute(queries);
  const [row] = rows;
  if (!row) return { ...nothingHeld, newest: undefined, isUnsealed: false, isDue: false, isSilent: false };
  const { actual, home, size, version, number, sealed_at: at, note } = row;
  const newest =
    number === null || size === null || at === null || note === null ? undefined : { number, size, at, note };
  const { unsealed, due, silent } = row;
  const found = { isUnsealed: unsealed === 1, isDue: due === 1, isSilent: silent === 1 };
  return { actual, home, size, version, newest, ...found };
}
