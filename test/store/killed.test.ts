import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { build } from '../../scripts/build.ts';
import type { Queries } from '../../src/store/database/database.ts';
import { openDatabase, type StoreLocation } from '../../src/store/open-store.ts';
import { commonPostgres } from '../common-postgres.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-killed-'));
  // The writer is started about eighty times. The built one takes a fifth of the CPU time.
  await build(join(folder, 'built'), { writer: 'test/store/dying-writer.ts' });
});
afterAll(() => rm(folder, { recursive: true }));

/** Resolves to the number of statements; undefined if the process was killed. */
async function write(environment: Readonly<Record<string, string>>, last: number) {
  const child = spawn(process.execPath, [join(folder, 'built/writer.js'), String(last)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, problem] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.signalCode === 'SIGKILL') return undefined;
  expect(problem).toBe('');
  return Number(said);
}

/** The contradictions in a store: due work without a row, or a row without due work. */
async function faults(queries: Queries): Promise<readonly string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'card of ' || state as fault from requests where card_shown_version < version
      and not exists (select 1 from due where kind = 'card' and key = requests.id and due.version = requests.version)
    union all select 'deadline of ' || state from requests where
      (state in ('awaiting approval', 'running', 'unknown'))
      <> exists (select 1 from due where kind = 'deadline' and key = requests.id)
    union all select 'watch of ' || state from requests where (state = 'succeeded')
      <> exists (select 1 from due where kind = 'watch' and key = requests.id)
    union all select 'notices of version ' || version from requests where version <> (
      select count(*) from due where kind = 'notice')
    union all select 'entries of version ' || version from requests where version <> (
      select count(*) from audit_staged where event = 'read')
    union all select 'delivery' from deliveries where until is null or set_at is null or about is null
    union all select 'alert, version ' || version from alert_messages where not exists (
      select 1 from due where kind = 'alert' and key = alert_messages.id and due.version = alert_messages.version)
    union all select 'offer without its entry' from alert_messages where version <> (
      select count(*) from audit_staged where event = 'ignored click')
    union all select kind || ' of nothing' from due where kind in ('card', 'deadline', 'watch', 'notice')
      and not exists (select 1 from requests)`.execute(queries);
  return rows.map(({ fault }) => fault);
}

const states = async (queries: Queries): Promise<string> => {
  const { rows } = await sql<{
    state: string;
  }>`select state || ' ' || (select count(*) from deliveries) || ' '
    || (select coalesce(sum(version), 0) from alert_messages) as state from requests`.execute(queries);
  return rows[0]?.state ?? 'none';
};

// The embedded store has many more statements. Every other one is tested, or each one in a long series.
const step = process.env['FUZZ_RUNS'] === undefined ? 2 : 1;

describe('a process that is killed before any of its statements', () => {
  const places: readonly [store: string, every: number, place: (at: number) => Promise<StoreLocation>][] = [
    [
      'the embedded store',
      step,
      async (at) => {
        const dataDir = join(folder, String(at));
        await cp(join(folder, 'empty'), dataDir, { recursive: true });
        return { dataDir };
      },
    ],
    ['PostgreSQL', 1, async () => ({ databaseUrl: await commonPostgres.createDatabase(template) })],
  ];
  let template: string;
  beforeAll(async () => {
    await (await openDatabase({ dataDir: join(folder, 'empty') })).close();
    template = await commonPostgres.createDatabase();
    await (await openDatabase({ databaseUrl: template })).close();
  });

  it.each(places)(
    'leaves a step together with the work that it makes due, or neither, in %s',
    async (_, every, place) => {
      const seen = new Set<string>();
      const writeUntil = async (last: number) => {
        const location = await place(last);
        const environment =
          'dataDir' in location ? { DATA_DIR: location.dataDir } : { DATABASE_URL: location.databaseUrl };
        const took = await write(environment, last);
        const database = await openDatabase(location);
        const [state, ...wrong] = await database.read(async (queries) => [
          await states(queries),
          ...(await faults(queries)),
        ]);
        await database.close();
        expect({ last, wrong }).toEqual({ last, wrong: [] });
        seen.add(state);
        return took;
      };
      // The first process runs to its end: it fills Node's compile cache, which killed processes do not.
      const statements = (await writeUntil(0)) ?? 0;
      const ends = Array.from({ length: statements }, (_last, before) => before + 1).filter(
        (last) => last % every === 0,
      );
      for (let done = 0; done < ends.length; done += 3)
        await Promise.all(ends.slice(done, done + 3).map(writeUntil));
      expect(statements).toBeGreaterThan(15);
      expect([...seen]).toEqual(
        expect.arrayContaining([
          'none',
          'awaiting approval 0 0',
          'running 0 0',
          'unknown 0 0',
          'succeeded 0 0',
          'succeeded 1 0',
          'succeeded 1 1',
          'succeeded 1 2',
        ]),
      );
    },
  );
});
