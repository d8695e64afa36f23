import { sql } from 'kysely';

import { openStates, type Request } from '../../../model/request.ts';
import type { EndedBySetBack, SetBack } from '../../../model/requests.ts';
import { setBackEntry, unknownSince } from '../../../request/steps/set-back.ts';
import type { Database, Queries } from '../../database/database.ts';
import { stageEntries } from '../audit.ts';
import type { RowReader } from '../parse-row.ts';
import { requestFromRow } from './request-row.ts';
import { advanceRequest } from './steps.ts';
import { newestCheckpoint } from '../sealed-log.ts';

const homeRow = 1;

/** What a store says of its past: its home, the leaves of its newest checkpoint, and the version of one request. */
interface Held {
  readonly home: string | null;
  readonly size: number | null;
  readonly version: number | null;
}

export async function findHeld(queries: Queries, requestId: string): Promise<Held> {
  const { rows } = await sql<Held>`select
    (select home from store_home where id = ${sql.lit(homeRow)}) as home,
    (select size from audit_checkpoints order by number desc limit 1) as size,
    (select version from requests where id = ${requestId}) as version`.execute(queries);
  return rows[0] ?? { home: null, size: null, version: null };
}

export async function keepHome(queries: Queries, home: string): Promise<void> {
  await queries
    .insertInto('store_home')
    .values({ id: homeRow, home })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ home }))
    .execute();
}

/** Ends every open request as unknown, with the entries that say why. */
export async function endOpenRequests(
  database: Pick<Database, 'sharedNow'>,
  queries: Queries,
  read: RowReader,
  about: Omit<SetBack, 'checkpoint'>,
): Promise<EndedBySetBack> {
  const setBack = { ...about, checkpoint: await newestCheckpoint(queries) };
  const open = await queries.selectFrom('requests').selectAll().where('state', 'in', openStates).execute();
  const steps = read(open, requestFromRow).map((request) => unknownSince(setBack, request));
  const ended: Request[] = [];
  for (const step of steps) {
    const after = await advanceRequest(queries, database, read, step);
    if (after) ended.push(after);
  }
  const entry = setBackEntry(setBack, ended.length);
  await stageEntries(queries, [entry]);
  return { setBack, ended, audit: [...steps.flatMap(({ audit }) => audit), entry] };
}
