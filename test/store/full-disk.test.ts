import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { StoreLocation } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { cannotMount, mountSmallDisk, type SmallDisk } from '../faults/small-disk.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { aDraft } from './sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from './open-store.ts';

const whyNot = await cannotMount();

let server: PostgresServer;
let folder: string;
let disk: SmallDisk;
beforeAll(async () => {
  if (whyNot !== undefined) return;
  server = await startPostgres();
  folder = temporaryFolder();
  disk = await mountSmallDisk(join(folder, 'disk'), 48 * 2 ** 20);
});
afterAll(async () => {
  if (whyNot !== undefined) return;
  await server.remove();
  await disk.unmount();
});

const asked = z.object({ rows: z.tuple([z.object({ data_directory: z.string() })]) });

/** A database whose tables, unlike the log of the server, are on the small disk. */
async function databaseOnDisk(): Promise<StoreLocation> {
  const [databaseUrl, administered] = [await server.createDatabase(), await server.createDatabase()];
  const client = new Client(administered);
  await client.connect();
  const { rows } = asked.parse(await client.query('show data_directory'));
  const { uid, gid } = await stat(rows[0].data_directory);
  await chown(join(folder, 'disk'), uid, gid);
  await chown(folder, uid, gid);
  await client.query(`create tablespace small location '${join(folder, 'disk')}'`);
  await client.query(`alter database ${new URL(databaseUrl).pathname.slice(1)} set tablespace small`);
  await client.end();
  return { databaseUrl };
}

const fill = (file: string): Promise<void> =>
  writeFile(file, Buffer.alloc(64 * 2 ** 20)).catch(() => undefined);

const full = /^The disk of [a-z ]+ is full\. Changes can't be recorded right now/u;

/** Records long entries until the existing pages have no room for another one. */
async function recordUntilRefused(store: Store): Promise<void> {
  for (let entries = 0; entries < 5000; entries += 1)
    await store.record([aDraft({ note: 'n'.repeat(1000) })]);
}

describe.runIf(whyNot === undefined)('a disk that is full', () => {
  it.each<[string, () => Promise<StoreLocation>]>([
    ['of PostgreSQL', databaseOnDisk],
    ['of the data directory', async () => ({ dataDir: join(folder, 'disk', 'data') })],
  ])('%s makes the store not ready, from the first failed change until there is room', async (_, place) => {
    const store = await openStore(await place());
    const filler = join(folder, 'disk', 'filler');
    // The page of this record has room for another small one.
    await store.claimOnce('Ev1', 1, 1);
    await fill(filler);
    await expect(recordUntilRefused(store)).rejects.toThrow(full);
    for (let second = 0; second < 5; second += 1) await expect(store.ping()).rejects.toThrow(full);
    await rm(filler);
    await store.ping();
    await store.record([aDraft()]);
    await store.close();
  });
});
