import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';

import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import { readOwnKey, lastSealedFile } from '../../../src/audit/own-files.ts';
import { createSealer } from '../../../src/audit/seal.ts';
import { verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { verifyAudit } from '../../../src/audit/verify/verify-audit.ts';
import { stateWord } from '../../../src/model/records/request.ts';
import { migrations } from '../../../src/store/migrate.ts';
import type { StoreLocation } from '../../../src/store/open-store.ts';
import { sqliteFile } from '../../../src/store/sqlite/open-sqlite.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { createDrivenClock } from '../../driven-clock.ts';
import { featureTests } from '../../features/index.ts';
import { recordingLog } from '../../log.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openStore } from '../open-store.ts';
import { dumpPostgres } from './dump-postgres.ts';
import { makeStore } from './make-store.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const newState = process.env['NEW_STATE'];

/**
 * Each folder is a store as an earlier version left it: never change one. Its name is the last step of the schema. Before
 * a release with a new step, write the store of that step: NEW_STATE=0002-… npm run test:system -- test/store/earlier
 */
const states = readdirSync(fixtures);

it.runIf(newState)('writes the store of this version', async () => {
  const folder = join(fixtures, newState ?? '');
  mkdirSync(folder);
  const dataDir = await makeStore();
  const packed = join(temporaryFolder(), 'packed.db');
  await run({ dataDir }, `vacuum into '${packed}'`);
  const database = new DatabaseSync(packed);
  database.exec('pragma journal_mode = wal');
  database.close();
  writeFileSync(join(folder, 'bellhop.db.gz'), gzipSync(readFileSync(packed), { level: 9 }));
  writeFileSync(join(folder, 'postgres.sql.gz'), gzipSync(await dumpPostgres(dataDir), { level: 9 }));
  copyFileSync(join(dataDir, 'audit-key'), join(folder, 'audit-key'));
  expect(readdirSync(folder)).toHaveLength(3);
});

const unpacked = (state: string, file: string): Buffer =>
  gunzipSync(readFileSync(join(fixtures, state, file)));

const locations: Readonly<Record<string, (state: string) => Promise<StoreLocation>>> = {
  'the embedded store': (state) => {
    const dataDir = temporaryFolder();
    writeFileSync(sqliteFile(dataDir), unpacked(state, 'bellhop.db.gz'));
    return Promise.resolve({ dataDir });
  },
  async PostgreSQL(state) {
    const databaseUrl = await commonPostgres.createDatabase();
    await query(databaseUrl, unpacked(state, 'postgres.sql.gz').toString());
    return { databaseUrl };
  },
};

type Row = Readonly<Record<string, unknown>>;

async function query(databaseUrl: string, statements: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statements)).rows;
  } finally {
    await client.end();
  }
}

const cases = states.flatMap((state) => Object.keys(locations).map((kind) => [state, kind] as const));

const placed = async (state: string, kind: string): Promise<StoreLocation> => {
  const location = await locations[kind]?.(state);
  if (!location) throw new Error(`there is no ${kind}`);
  return location;
};

describe.each(cases)('the store of %s, on %s', (state, kind) => {
  it('is opened and migrated, everything in it can be read, and its log continues', async () => {
    const location = await placed(state, kind);
    const unreadable: string[] = [];
    const store = await openStore(location, {
      onUnreadable: ({ message }) => void unreadable.push(message),
    });
    onTestFinished(() => store.close());

    const requests = await store.list({ limit: 100 });
    expect(requests.map((one) => `${one.words}: ${stateWord(one)}`).toSorted()).toEqual([
      '/cloud reboot --reason "new kernel" --each tier=web --pause 5s: paused',
      '/cloud reboot db-1 --reason hangs: awaiting approval',
      '/cloud reboot web-1 --reason "new kernel": succeeded',
      '/cloud reboot web-2 --reason "new kernel": unknown',
      '/cloud stop web-1: proposed',
      '/storage post reaching_used_space --bucket b --storage main --bytes 10GB --reason full: succeeded',
    ]);
    const open = requests.filter((one) => ['proposed', 'awaiting approval'].includes(one.state));
    expect(open).toHaveLength(2);
    expect(open.every(({ expiresAt }) => expiresAt > Date.UTC(2100, 0))).toBe(true);
    const unknown = requests.find((one) => one.state === 'unknown');
    expect(unknown?.outcome?.error?.message).toContain('500 Internal Server Error');
    expect(requests.find(({ rollout }) => rollout)?.rollout?.paused?.next).toBe(2);
    for (const { earlier } of featureTests) await earlier?.expectFilled(store);
    expect(unreadable).toEqual([]);

    const key = readOwnKey(join(fixtures, state));
    if (!key) throw new Error('the state has no key');
    const keys = [verifierOf(key, key.name)];
    expect(await verifyAudit(store, { keys })).toEqual({ intact: true, size: 18 });
    const [clock, file] = [createDrivenClock(), lastSealedFile(temporaryFolder())];
    const sealer = createSealer({ store, keys: [key], file, clock, log: recordingLog() });
    await sealer.seal();
    await sealer.close();
    expect(await verifyAudit(store, { keys })).toEqual({ intact: true, size: 20 });
  });

  it('is refused unchanged by a Bellhop that is older than the store, with what to do', async () => {
    const location = await placed(state, kind);
    await run(
      location,
      "insert into schema_version (number, name) values (99, '0099-of-tomorrow 0123456789abcdef')",
    );
    const before = await everything(location);
    await expect(openStore(location)).rejects.toThrow(
      'written by a newer Bellhop (schema 99; this one knows ' +
        `${migrations.length}). Start that version again, or restore the backup made before it.`,
    );
    expect(await everything(location)).toEqual(before);
  });
});

const run = async (location: StoreLocation, statement: string): Promise<unknown> => {
  if ('databaseUrl' in location) return query(location.databaseUrl, statement);
  const database = new DatabaseSync(sqliteFile(location.dataDir));
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
};

/** The whole content of a store: the bytes of the file, or the columns and rows of each table. */
async function everything(location: StoreLocation): Promise<unknown> {
  if ('dataDir' in location) return hash('sha256', readFileSync(sqliteFile(location.dataDir)));
  const tables = await query(
    location.databaseUrl,
    "select table_name, column_name from information_schema.columns where table_schema = 'public'",
  );
  const names = new Set(tables.map(({ table_name: name }) => String(name)));
  const rows = [...names].toSorted().map((name) => query(location.databaseUrl, `select * from ${name}`));
  return [tables, await Promise.all(rows)];
}
