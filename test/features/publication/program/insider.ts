import { sql } from 'kysely';

import type { AuditDraft } from '../../../../src/model/records/audit.ts';
import { makeSigningKey } from '../../../../src/audit/tree/signing-key.ts';
import type { Database, Queries } from '../../../../src/store/database/database.ts';
import { openDatabase } from '../../../../src/store/open-store.ts';
import { stageEntries } from '../../../../src/store/queries/audit.ts';
import { sealedTables } from '../../../store/contract/opened.ts';
import { createStore } from '../../../store/open-store.ts';
import { aDraft } from '../../../store/sample-request.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

/** The log of these tests is sealed after each of these numbers of entries. */
export const sealedAt = [4, 8, 12];
const origin = 'bellhop.test/audit';

const drafts = (count: number, what: string): readonly AuditDraft[] =>
  Array.from({ length: count }, (_, index) => aDraft({ at: index, note: `${what} ${index + 1}` }));

/** The true story. */
export const honest = drafts(12, 'what happened');

/** The false story that an insider puts in its place. */
export const ways: Readonly<Record<string, readonly AuditDraft[]>> = {
  'edits an entry': honest.with(10, aDraft({ at: 10, note: 'a kinder story' })),
  'removes an entry': honest.toSpliced(9, 1),
  'inserts an entry': honest.toSpliced(9, 0, aDraft({ at: 9, note: 'never happened' })),
  'moves an entry': honest.toSpliced(8, 1).toSpliced(10, 0, ...honest.slice(8, 9)),
  'cuts off the tail': honest.slice(0, 10),
  'rebuilds everything': drafts(12, 'a kinder story'),
};

/** The sealed log as its tables hold it. */
type Rows = Awaited<ReturnType<typeof readRows>>;

const readRows = async (queries: Queries) => ({
  entries: await queries.selectFrom('audit').selectAll().orderBy('seq').execute(),
  nodes: await queries.selectFrom('audit_nodes').selectAll().execute(),
  checkpoints: await queries.selectFrom('audit_checkpoints').selectAll().orderBy('number').execute(),
  head: await queries.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow(),
});

/** Makes a log that is consistent in itself, with Bellhop's own code and the insider's own key. */
async function forge(story: readonly AuditDraft[]): Promise<Rows> {
  const database = await openDatabase({ dataDir: temporaryFolder() });
  try {
    const store = createStore(database);
    const key = makeSigningKey(origin);
    const ends = [...sealedAt.filter((size) => size < story.length), story.length];
    for (const [at, end] of ends.entries()) {
      await store.record(story.slice(at === 0 ? 0 : ends[at - 1], end));
      await store.seal([key], 0);
    }
    return await database.read(readRows);
  } finally {
    await database.close();
  }
}

/** How an insider with all rights on the database, but without the key, covers up the change. */
export const covers: Readonly<
  Record<string, (database: Database, story: readonly AuditDraft[]) => Promise<void>>
> = {
  'under checkpoints of another key': async (database, story) => replace(database, await forge(story)),
  'under the existing checkpoints': async (database, story) => {
    const { checkpoints } = await database.read(readRows);
    await replace(database, { ...(await forge(story)), checkpoints });
  },
  'back at an older checkpoint, for the bot to seal the rest': async (database, story) => {
    const { checkpoints } = await database.read(readRows);
    await replace(database, { ...(await forge(honest.slice(0, 8))), checkpoints: checkpoints.slice(0, 2) });
    await database.writeAlone((queries) => stageEntries(queries, database, story.slice(8)));
  },
  'in an empty log, for the bot to seal anew': async (database, story) => {
    const { head } = await forge([]);
    await replace(database, { entries: [], nodes: [], checkpoints: [], head });
    await database.writeAlone((queries) => stageEntries(queries, database, story));
  },
};

const replace = (database: Database, { entries, nodes, checkpoints, head }: Rows): Promise<void> =>
  database.writeAlone(async (queries) => {
    for (const statement of disarm(database)) await sql.raw(statement).execute(queries);
    for (const table of sealedTables) await sql`delete from ${sql.table(table)}`.execute(queries);
    await queries.updateTable('audit_head').set(head).execute();
    if (entries.length > 0) await queries.insertInto('audit').values(entries).execute();
    if (nodes.length > 0) await queries.insertInto('audit_nodes').values(nodes).execute();
    if (checkpoints.length > 0) await queries.insertInto('audit_checkpoints').values(checkpoints).execute();
  });

const disarm = ({ dialect }: Database): readonly string[] =>
  dialect === 'postgres'
    ? sealedTables.map((table) => `alter table ${table} disable trigger user`)
    : sealedTables.flatMap((table) => [
        `drop trigger ${table}_is_never_changed`,
        `drop trigger ${table}_is_never_removed`,
      ]);
