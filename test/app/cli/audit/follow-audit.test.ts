import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import type { Store } from '../../../../src/store/store.ts';
import { botProgram } from '../../../built-bot.ts';
import { type PostgresServer, startPostgres } from '../../../postgres.ts';
import { sealAll } from '../../../store/contract/opened.ts';
import { aDraft } from '../../../store/sample-request.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { openStore } from '../../../store/open-store.ts';

let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  server = await startPostgres();
  folder = temporaryFolder();
});
afterAll(() => server.remove());

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function follow(env: Readonly<Record<string, string>>, from: number) {
  const child = spawn(
    process.execPath,
    [botProgram('audit'), 'export', '--format', 'ocsf', '--follow', '--from', String(from)],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, ...env } },
  );
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  children.push(child);
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), ended };
}

/** An entry that is not sealed has no hash yet. */
const numbered = z.object({
  metadata: z.object({ sequence: z.number(), uid: z.string().regex(/^[0-9a-f]{64}$/u) }),
});

async function numbers(lines: AsyncIterator<string>, count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const line = z.string().parse((await lines.next()).value);
    found.push(numbered.parse(JSON.parse(line)).metadata.sequence);
  }
  return found;
}

async function recordAndSeal(store: Store, count: number): Promise<void> {
  await store.record(Array.from({ length: count }, () => aDraft()));
  await sealAll(store);
}

it('`audit export --follow` follows the sealed entries in order, over a restart of the database, until it is stopped', async () => {
  const databaseUrl = await server.createDatabase();
  const before = await openStore({ databaseUrl });
  await recordAndSeal(before, 4);
  await before.record([aDraft({ note: 'not sealed yet' })]);
  const { child, lines, ended } = follow({ DATABASE_URL: databaseUrl }, 3);
  expect(await numbers(lines, 2)).toEqual([3, 4]);
  await sealAll(before);
  expect(await numbers(lines, 1)).toEqual([5]);
  await before.close();

  const trouble = createInterface(child.stderr)[Symbol.asyncIterator]();
  expect((await trouble.next()).value).toMatch(/^Reading PostgreSQL at /u);
  await server.stop();
  expect((await trouble.next()).value).toMatch(/^Entries after 5 can't be read now, retrying:/u);
  await server.start();
  const after = await openStore({ databaseUrl });
  await recordAndSeal(after, 2);
  expect(await numbers(lines, 2)).toEqual([6, 7]);
  await after.close();
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

it('an audit log that is followed ends well when its reader has gone', async () => {
  const dataDir = join(folder, 'data');
  const store = await openStore({ dataDir });
  await recordAndSeal(store, 1);
  const { child, lines, ended } = follow({ DATA_DIR: dataDir }, 1);
  expect(await numbers(lines, 1)).toEqual([1]);
  child.stdout.destroy();
  await recordAndSeal(store, 1);
  expect(await ended).toBe(0);
  await store.close();
});
