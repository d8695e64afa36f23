import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';

import { CompiledQuery } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';

import { migrate } from '../../src/store/migrate.ts';
import { openDatabase, openRecord } from '../../src/store/open-store.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import { entryCount, expectIntact } from './contract/opened.ts';
import { aDraft, aProposal, aRequest, aStep } from './sample-request.ts';
import { StoreUnavailableError } from '../../src/store/database/database.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { createStore, openStore } from './open-store.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = join(temporaryFolder(), 'data');
});

/** Another process that opens the store, then records entries until it is killed, one line for each answer. */
function startRecorder() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'recorder.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
}

async function edit(statement: string): Promise<void> {
  using database = new DatabaseSync(join(dataDir, 'bellhop.db'));
  database.exec(statement);
}

describe('the data directory', () => {
  it('is made for its owner alone, and so are the files in it', async () => {
    const store = await openStore({ dataDir });
    const modes = await Promise.all(
      (await readdir(dataDir)).map(async (file) => [file, (await stat(join(dataDir, file))).mode % 0o1000]),
    );
    expect(Object.fromEntries(modes)).toEqual({
      'bellhop.db': 0o600,
      'bellhop.db-shm': 0o600,
      'bellhop.db-wal': 0o600,
      'bellhop.lock': 0o600,
      'bellhop.pid': 0o600,
    });
    expect((await stat(dataDir)).mode % 0o1000).toBe(0o700);
    await store.close();
  });

  it('belongs to one process, and to the next after a kill -9, which loses nothing that was answered', async () => {
    const { child, lines } = startRecorder();
    await lines.next();
    await expect(openStore({ dataDir })).rejects.toMatchObject({
      code: 'configuration',
      message: `The data directory ${dataDir} is in use by process ${child.pid}. Stop that process first, or set DATA_DIR to another directory. Replicas need DATABASE_URL.`,
    });
    let answered = 0;
    while (answered < 500) answered = Number((await lines.next()).value);
    child.kill('SIGKILL');
    for await (const line of lines) answered = Number(line);

    const store = await openStore({ dataDir });
    expect(store.soleProcess).toBe(true);
    await expectIntact(store);
    expect((await store.newestCheckpoint())?.size).toBeGreaterThanOrEqual(answered);
    await store.record([aDraft()]);
    await store.close();
  });

  it('can be read for its record while another process writes', async () => {
    const { child, lines } = startRecorder();
    await lines.next();
    await lines.next();
    const record = await openRecord({ dataDir });
    expect(await verifyAudit(record)).toMatchObject({ intact: true });
    expect(await record.auditFrom(0, 1)).toHaveLength(1);
    await record.close();
    child.kill();
    await once(child, 'exit');
  });

  it('is refused after a newer version wrote to it', async () => {
    await (await openStore({ dataDir })).close();
    await edit("insert into schema_version values (99, '0099-later')");
    await expect(openStore({ dataDir })).rejects.toThrow(/written by a newer Bellhop \(schema 99; this one/);
    await expect(openRecord({ dataDir })).rejects.toThrow(/written by a newer Bellhop/);
    await edit('delete from schema_version where number = 99');
    await (await openStore({ dataDir })).close();
  });

  it.each(['not a database at all, but long enough to be looked at as one'.repeat(20), '\0'.repeat(5000)])(
    'is rejected by name if its file is not a database',
    async (content) => {
      await mkdir(dataDir);
      await writeFile(join(dataDir, 'bellhop.db'), content);
      await expect(openStore({ dataDir })).rejects.toMatchObject({ code: 'store-unavailable' });
      await expect(openStore({ dataDir })).rejects.toThrow(dataDir);
    },
  );

  it('is refused with its name if it cannot be made', async () => {
    const file = join(dataDir, '..', 'file');
    await writeFile(file, '');
    await expect(openStore({ dataDir: join(file, 'data') })).rejects.toThrow(/cannot be created/);
  });
});

describe('writes that arrive together', () => {
  it('share a transaction, and one that fails does not take the others with it', async () => {
    const store = await openStore({ dataDir });
    const answers = await Promise.allSettled([
      store.record([aDraft({ note: 'first' })]),
      store.record([aDraft({ note: 'second' }), aDraft({ input: { id: 1n } })]),
      store.record([aDraft({ note: 'third' })]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await store.auditFrom(0, 10)).map(({ note }) => note)).toEqual(['first', 'third']);
    await store.close();
  });

  it('are seen by no one before they are durable, and by everyone who was answered', async () => {
    const database = await openDatabase({ dataDir });
    const store = createStore(database);
    const begun = Promise.withResolvers<undefined>();
    const middle = Promise.withResolvers<undefined>();
    const inside = database.write(async (queries) => {
      await queries.insertInto('deliveries').values({ key: 'k', expires_at: 1 }).execute();
      begun.resolve(undefined);
      await middle.promise;
    });
    const together = store.record([aDraft()]);
    const seen = async () => [
      await entryCount(store),
      (await database.read((queries) => queries.selectFrom('deliveries').selectAll().execute())).length,
    ];
    await begun.promise;
    expect(await seen()).toEqual([0, 0]);
    middle.resolve(undefined);
    await Promise.all([inside, together]);
    expect(await seen()).toEqual([1, 1]);
    await store.close();
  });

  it('are all refused if their transaction is lost before it is durable', async () => {
    const database = await openDatabase({ dataDir });
    const store = createStore(database);
    const lost = new Error('lost');
    const answers = await Promise.allSettled([
      store.record([aDraft()]),
      database.write(async (queries) => {
        await queries.executeQuery(CompiledQuery.raw('rollback'));
        throw lost;
      }),
      store.record([aDraft()]),
    ]);
    expect(answers).toMatchObject(answers.map(() => ({ status: 'rejected', reason: lost })));
    await store.record([aDraft()]);
    expect(await entryCount(store)).toBe(1);
    await store.close();
  });

  it('are all answered before the store is closed', async () => {
    const store = await openStore({ dataDir });
    const writes = Array.from({ length: 600 }, () => store.record([aDraft()]));
    await store.close();
    await Promise.all(writes);
    const again = await openStore({ dataDir });
    expect(await entryCount(again)).toBe(600);
    await again.close();
  });
});

describe('a full disk', () => {
  it('refuses changes in words for people, reads on, and continues once there is room', async () => {
    const database = openSqlite(dataDir);
    await migrate(database);
    const store = createStore(database);
    const request = aRequest();
    await store.propose(aProposal(request));
    const pages = (most: number) =>
      database.write((queries) => queries.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${most}`)));
    await pages(1);
    const note = 'x'.repeat(100_000);
    const refused = { code: 'store-unavailable', retryable: true };
    await expect(store.record([aDraft({ note })])).rejects.toMatchObject(refused);
    const audit = [aDraft({ note })];
    await expect(store.advance(aStep(request, 'running', { audit }))).rejects.toThrow(
      "The disk of the data directory is full. Changes can't be recorded right now, so nothing was run. Try again in a moment.",
    );
    expect(await store.find(request.id)).toEqual(request);
    await pages(100_000);
    expect(await store.advance(aStep(request, 'running', { audit }))).toMatchObject({ state: 'running' });
    await expectIntact(store);
    expect(await entryCount(store)).toBe(1);
    await store.close();
  });
});

describe('a ping', () => {
  it('fails from the first refused change on, until one is taken again, though reading continues', async () => {
    const database = openSqlite(dataDir);
    await migrate(database);
    let full = false;
    const store = createStore({
      ...database,
      write: (work) => (full ? fails() : database.write(work)),
      step: (work) => (full ? fails() : database.step(work)),
      note: (work) => (full ? fails() : database.note(work)),
    });
    // The first one writes.
    await store.ping();
    full = true;
    await store.ping();
    await expect(store.record([aDraft()])).rejects.toThrow('full');
    await expect(store.ping()).rejects.toThrow('full');
    expect(await entryCount(store)).toBe(0);
    full = false;
    await store.ping();
    await store.ping();
    await store.close();
  });
});

const fails = (): Promise<never> => Promise.reject(new StoreUnavailableError('The disk is full', 'write'));

describe('a database that another program holds', () => {
  it('refuses changes and continues once it is free', async () => {
    const store = await openStore({ dataDir });
    const holder = new DatabaseSync(join(dataDir, 'bellhop.db'));
    holder.exec('begin immediate');
    await expect(store.record([aDraft()])).rejects.toThrow(/locked by another process\. Changes can't/);
    expect(await entryCount(store)).toBe(0);
    holder.exec('rollback');
    holder.close();
    await store.record([aDraft()]);
    await store.close();
  });
});
