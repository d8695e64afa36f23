import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { keepOwnKey } from '../../../../src/audit/own-files.ts';
import { formatVerifierKey, verifierOf } from '../../../../src/audit/tree/signed-note.ts';
import { freePort } from '../../../free-port.ts';
import { type PostgresServer, startPostgres } from '../../../postgres.ts';
import { sealAll } from '../../../store/contract/opened.ts';
import { openStore } from '../../../store/open-store.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';
import { audit, october, rounds } from '../october.ts';

async function ask(connectionString: string, query: string): Promise<string> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query({ text: query, rowMode: 'array' });
  await client.end();
  return z
    .array(z.tuple([z.unknown()]))
    .parse(rows)
    .map(([value]) => String(value))
    .join();
}

/** Starts a streaming standby of a server. @returns its URL for a database of the server */
async function startStandby(primary: PostgresServer, databaseUrl: string): Promise<string> {
  const data = await ask(primary.url, 'show data_directory');
  const programs = await ask(primary.url, "select setting from pg_config where name = 'BINDIR'");
  const copy = `${data}-standby`;
  await primary.stop();
  execFileSync('cp', ['--archive', data, copy]);
  await primary.start();
  writeFileSync(join(copy, 'standby.signal'), '');
  appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`);
  const url = new URL(databaseUrl);
  url.port = String(await freePort());
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const { uid, gid } = statSync(data);
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', copy, '-p', url.port, ...settings.flatMap((setting) => ['-c', setting])],
    { stdio: ['ignore', 'ignore', 'pipe'], ...(process.getuid?.() === 0 && { uid, gid }) },
  );
  onTestFinished(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  });
  for await (const line of createInterface({ input: server.stderr }))
    if (line.includes('ready to accept read-only connections')) break;
  server.stderr.resume();
  return url.href;
}

it('a pack is made from a standby of PostgreSQL, which follows the log and lets no one write', async () => {
  const [dataDir, folder] = [temporaryFolder(), join(temporaryFolder(), 'pack')];
  const own = keepOwnKey(dataDir).key;
  const primary = await startPostgres();
  onTestFinished(() => primary.remove());
  const databaseUrl = await primary.createDatabase();
  const record = async (sealed: typeof rounds): Promise<void> => {
    const store = await openStore({ databaseUrl });
    for (const drafts of sealed) {
      await store.record(drafts);
      await sealAll(store, 0, [own]);
    }
    await store.close();
  };
  await record(rounds.slice(0, 2));
  const standbyUrl = await startStandby(primary, databaseUrl);
  await record(rounds.slice(2));
  const written = await ask(primary.url, 'select pg_current_wal_lsn()');
  await until(
    async () => (await ask(standbyUrl, `select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn`)) === 'true',
  );
  const key = formatVerifierKey(verifierOf(own, own.name));
  const there = { DATABASE_URL: standbyUrl, DATA_DIR: temporaryFolder() };
  const made = await audit(['evidence', ...october, '--out', folder, '--key', key], there);
  expect(made).toMatchObject({
    code: 0,
    out: expect.stringContaining(': 6 changes with 25 entries') as string,
  });
  const verified = await audit(['verify', '--evidence', folder, '--key', key], there);
  expect(verified).toMatchObject({
    code: 0,
    out: expect.stringContaining('The log here has no other entry about a change of this period.') as string,
  });
});
