import { chown, copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openStates } from '../../../src/model/records/request.ts';
import type { StoreLocation } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { entryCount, expectIntact, sealAll } from '../contract/opened.ts';
import { callProgram } from '../../call-program.ts';
import { runProgram } from '../../run-node.ts';
import { aDraft, aProposal, aRequest } from '../sample-request.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { openStore } from '../open-store.ts';
import { dueKind } from '../../../src/model/records/due.ts';

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
});

let made = 0;
const newPath = (name: string): string => join(folder, `${name}-${(made += 1)}`);

type Env = Readonly<Record<string, string>>;

const kinds: readonly [name: string, env: () => Promise<Env>][] = [
  ['the embedded store', async () => ({ DATA_DIR: newPath('data') })],
  ['PostgreSQL', async () => ({ DATABASE_URL: await commonPostgres.createDatabase() })],
];

const locationOf = ({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' }: Env): StoreLocation =>
  databaseUrl === undefined ? { dataDir } : { databaseUrl };

/** Each with one entry, in one transaction. */
const propose = async (store: Store): Promise<void> => {
  const request = aRequest();
  await store.propose(aProposal(request, { audit: [aDraft({ requestId: request.id })] }));
};

/** Proposes and seals, one after another, until `until` has settled. @returns how many it proposed */
async function proposeUntil(store: Store, until: Promise<unknown>): Promise<number> {
  const settled = { yes: false };
  const settle = (): void => {
    settled.yes = true;
  };
  until.then(settle, settle);
  let proposed = 0;
  for (; !settled.yes; proposed += 1) {
    await propose(store);
    if (proposed % 10 === 0) await sealAll(store);
  }
  return proposed;
}

describe.each(kinds)('npm run store -- backup of %s', (_, newEnv) => {
  it('copies one moment while Bellhop writes, and restores it into a store of either kind that continues', async () => {
    const env = await newEnv();
    const file = newPath('backup');
    const store = await openStore(locationOf(env));
    const before = 30;
    for (let count = 0; count < before; count += 1) await propose(store);
    await store.claimOnce('Ev1', 1, 1);
    await store.setDue([{ kind: dueKind('forward'), key: 'siem', about: { sent: 7 }, at: 0 }], 0);
    await sealAll(store);
    const backingUp = runProgram('store', ['backup', file], env);
    const meanwhile = await proposeUntil(store, backingUp);
    const backedUp = await backingUp;
    await store.close();

    expect(backedUp.err).toBe('');
    const said = /verified: (\d+) requests, (\d+) audit entries.*, 1 deliveries\.\n(Checkpoint .*)\n$/u;
    const [, requests, entries, checkpoint] = said.exec(backedUp.out) ?? [];
    expect(entries).toBe(requests);
    expect(Number(requests)).toBeGreaterThanOrEqual(before);
    expect(Number(requests)).toBeLessThanOrEqual(before + meanwhile);
    expect((await stat(file)).mode % 0o1000).toBe(0o600);

    for (const [, destination] of kinds) {
      const restoredTo = await destination();
      const { out, err } = await callProgram('store', ['restore', file], restoredTo);
      expect(err).toBe('');
      expect(out).toContain(`verified: ${requests} requests, ${entries} audit entries`);
      expect(out).toContain(checkpoint);
      const restored = await openStore(locationOf(restoredTo));
      expect(out).toContain(`Open requests that became unknown: ${requests}.`);
      expect(await restored.list({ states: openStates, limit: 1 })).toEqual([]);
      const [entry] = await restored.audit({ limit: 1 });
      expect(entry?.note).toMatch(
        /^The store was restored from the backup of .* It ends with checkpoint \d+ of /u,
      );
      expect(await restored.findDue(dueKind('forward'), 'siem')).toMatchObject({ about: { sent: 7 } });
      await propose(restored);
      await expectIntact(restored);
      expect(await entryCount(restored)).toBe(Number(entries) + Number(requests) + 2);
      await restored.close();
    }
  });

  it('is followed by “restored” where it came back by other means: what is open becomes unknown', async () => {
    const env = await newEnv();
    const store = await openStore(locationOf(env));
    await propose(store);
    await store.close();
    const { out, err } = await callProgram('store', ['restored', '--from', 'the standby pg-2'], env);
    expect(err).toBe('');
    expect(out).toMatch(/^Open requests that became unknown: 1\. .*\nr-\d+ \/cloud reboot web-\d+\n$/u);
    const after = await openStore(locationOf(env));
    expect(await after.list({ states: ['unknown'], limit: 2 })).toMatchObject([
      {
        outcome: {
          error: { message: 'The store was restored from the standby pg-2; the request may have run since.' },
        },
      },
    ]);
    expect((await after.audit({ limit: 1 }))[0]?.note).toMatch(
      /^The store was restored from the standby pg-2\./u,
    );
    await after.close();
  });

  it('refuses to restore over existing data', async () => {
    const env = await newEnv();
    const file = newPath('backup');
    const store = await openStore(locationOf(env));
    await propose(store);
    await store.close();
    expect(await callProgram('store', ['backup', file], env)).toMatchObject({ code: 0 });
    const { code, err } = await callProgram('store', ['restore', file], env);
    expect(err).toMatch(/^The destination is not empty: it has rows in requests, audit_staged, due\./u);
    expect(code).toBe(2);
  });
});

describe('a backup', () => {
  let backup: string;
  beforeAll(async () => {
    const env = { DATA_DIR: newPath('data') };
    const store = await openStore(locationOf(env));
    for (let count = 0; count < 50; count += 1) await propose(store);
    await sealAll(store);
    await store.close();
    backup = newPath('backup');
    await callProgram('store', ['backup', backup], env);
  });
  let file: string;
  let dataDir: string;
  beforeEach(async () => {
    [file, dataDir] = [newPath('copy'), newPath('data')];
    await copyFile(backup, file);
  });

  const edit = (statement: string): void => {
    using database = new DatabaseSync(file);
    database.exec(statement);
  };

  it('is one file, with nothing left next to it, and never overwritten', async () => {
    const whole = await readFile(file);
    const { code, err } = await callProgram('store', ['backup', file], { DATA_DIR: dataDir });
    expect(err).toBe(`${file} already exists. Choose another file name.\n`);
    expect(code).toBe(2);
    expect(await readFile(file)).toEqual(whole);
    const beside = (await readdir(folder)).filter(
      (name) => name.includes('partial') || name.endsWith('-wal'),
    );
    expect(beside).toEqual([]);
  });

  it('is not made of a store whose audit log does not verify', async () => {
    const store = await openStore({ dataDir });
    for (let count = 0; count < 3; count += 1) await propose(store);
    await sealAll(store);
    await store.close();
    const database = new DatabaseSync(join(dataDir, 'bellhop.db'));
    database.exec('drop trigger audit_is_never_removed; delete from audit where seq = 2');
    database.close();
    const path = newPath('backup');
    const { code, err } = await callProgram('store', ['backup', path], { DATA_DIR: dataDir });
    expect(err).toMatch(/^Nothing was copied: the audit log does not verify: expected entry 2, found 3\./u);
    expect(code).toBe(2);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each<[how: string, spoil: () => void | Promise<void>, message: RegExp]>([
    [
      'is half written',
      () => truncate(file, 64 * 1024),
      /is damaged or incomplete: .*Restore another backup\./u,
    ],
    [
      'is not a database',
      () => writeFile(file, 'PGDMP'.repeat(500)),
      /is damaged or incomplete: file is not a database\. Restore another backup\./u,
    ],
    ['is empty', () => truncate(file, 0), /is not a backup of Bellhop/u],
    [
      'has an entry that was edited',
      () => edit(`drop trigger audit_is_never_changed; update audit set draft = '{}' where seq = 7`),
      /^Nothing was copied: the audit log does not verify: entry 7 was edited/u,
    ],
    [
      'was made by a newer Bellhop',
      () => edit(`insert into schema_version (number, name) values (1000, 'newer')`),
      /^The store was written by a newer Bellhop \(schema 1000/u,
    ],
  ])('that %s is not restored', async (_how, spoil, message) => {
    await spoil();
    const { code, err } = await callProgram('store', ['restore', file], { DATA_DIR: dataDir });
    expect(err).toMatch(message);
    expect(code).toBe(2);
    const store = await openStore({ dataDir });
    expect(await store.auditFrom(0, 1)).toEqual([]);
    await store.close();
  });

  it('is not restored beside a running Bellhop', async () => {
    const store = await openStore({ dataDir });
    const { err } = await callProgram('store', ['restore', file], { DATA_DIR: dataDir });
    expect(err).toContain(`is in use by process ${process.pid}`);
    await store.close();
  });
});

/** Owned by the service's user: an unprivileged one if the tests run as root. */
const service = 65_534;

describe.runIf(process.getuid?.() === 0)('a restore as root', () => {
  it('leaves files that belong to whom the data directory belongs to', async () => {
    const [source, dataDir, file] = [newPath('data'), newPath('data'), newPath('backup')];
    const store = await openStore({ dataDir: source });
    await propose(store);
    await store.close();
    await mkdir(dataDir);
    await chown(dataDir, service, service);
    await callProgram('store', ['backup', file], { DATA_DIR: source });
    const { code } = await callProgram('store', ['restore', file], { DATA_DIR: dataDir });
    expect(code).toBe(0);
    const files = await readdir(dataDir);
    expect(files).toContain('bellhop.db');
    for (const name of files) expect([name, (await stat(join(dataDir, name))).uid]).toEqual([name, service]);
  });
});

it('the backup takes the settings of the service from its file, but for those that are set', async () => {
  const [dataDir, file] = [newPath('data'), newPath('backup')];
  const store = await openStore({ dataDir });
  await propose(store);
  await store.close();
  const envFile = newPath('bellhop.env');
  await writeFile(envFile, `# of the service\nDATA_DIR="${dataDir}"\nLOG_LEVEL=info\n`);
  expect(await callProgram('store', ['backup', file, '--env-file', envFile])).toMatchObject({
    code: 0,
    err: '',
  });
  const elsewhere = await callProgram('store', ['backup', newPath('backup'), `--env-file=${envFile}`], {
    DATA_DIR: newPath('none'),
  });
  expect(elsewhere.err).toContain('none-');
  const missing = await callProgram('audit', ['verify', '--env-file', newPath('gone')]);
  expect(missing.err).toContain('gone-');
  expect(missing.code).not.toBe(0);
});
