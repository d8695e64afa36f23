import { sql } from 'kysely';

import { stepEntry } from '../../../audit/entries.ts';
import type { AuditDraft } from '../../../model/audit.ts';
import { plainPart } from '../../../model/report.ts';
import { openStates, type Request } from '../../../model/request.ts';
import {
  correctTo,
  type EndedBySetBack,
  type SetBack,
  type SetBackSign,
  type Step,
} from '../../../model/requests.ts';
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

const signs: Readonly<Record<SetBackSign, string>> = {
  restored: 'It was restored.',
  moved: 'It is a copy, or its server failed over.',
  'entries missing': 'Sealed entries of the audit log are gone.',
  'step missing': 'A recorded step is gone.',
  'start missing': 'The recorded start of a change is gone.',
};

const sourceOf = ({ source, checkpoint }: SetBack): string =>
  source ?? (checkpoint ? `the backup of ${plainPart({ at: checkpoint.at })}` : 'a backup');

/** Ends a request that the restored store holds open as unknown: it may have run after the backup. */
function unknownSince(setBack: SetBack, request: Request): Step {
  const { at } = setBack;
  const note = `restored from ${sourceOf(setBack)}; the request may have run since`;
  const error = { code: 'unknown-outcome', message: `The store was ${note}.` };
  const changes = { endedAt: at, outcome: { ...request.outcome, error } };
  const then = { clock: { now: () => at }, rulebook: () => ({ policy: { hash: request.policyHash } }) };
  return correctTo(at, request, 'unknown', changes, [stepEntry(then, 'ended', request, 'unknown', { note })]);
}

/** @param ended how many requests were open */
function setBackEntry(setBack: SetBack, ended: number): AuditDraft {
  const { at, sign, checkpoint } = setBack;
  const upTo = checkpoint
    ? `It ends with checkpoint ${checkpoint.number} of ${plainPart({ at: checkpoint.at })}, ${checkpoint.size} entries.`
    : 'It has no checkpoint.';
  const note = `The store was restored from ${sourceOf(setBack)}. ${signs[sign]} ${upTo} Open requests that became unknown: ${ended}.`;
  return { at, event: 'store set back', note, policyHash: '' };
}

/** Of the open requests, which are read and ended so many at a time. */
const pageLength = 500;

/** Ends every open request as unknown, with the entries that say why. */
export async function endOpenRequests(
  database: Pick<Database, 'sharedNow'>,
  queries: Queries,
  read: RowReader,
  about: Omit<SetBack, 'checkpoint'>,
): Promise<EndedBySetBack> {
  const setBack = { ...about, checkpoint: await newestCheckpoint(queries) };
  const ended: EndedBySetBack['ended'][number][] = [];
  const audit: AuditDraft[] = [];
  const pageAfter = (id: string) =>
    queries
      .selectFrom('requests')
      .selectAll()
      .where('state', 'in', openStates)
      .where('id', '>', id)
      .orderBy('id')
      .limit(pageLength)
      .execute();
  for (let page = await pageAfter(''); page.length > 0; page = await pageAfter(page.at(-1)?.id ?? '')) {
    for (const request of read(page, requestFromRow)) {
      const step = unknownSince(setBack, request);
      const { id, words } = request;
      if (await advanceRequest(queries, database, read, step)) ended.push({ id, words });
      audit.push(...step.audit);
    }
  }
  const entry = setBackEntry(setBack, ended.length);
  await stageEntries(queries, [entry]);
  return { setBack, ended, audit: [...audit, entry] };
}
