import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openDatabase } from '../../src/store/open-store.ts';
import { grantRunning } from '../../src/store/postgres/privileges.ts';
import type { Store } from '../../src/store/store.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';
import { expectIntact } from './contract/opened.ts';
import { callProgram } from '../call-program.ts';
import { aDraft, aProposal, aRequest, aStep } from './sample-request.ts';
import { openStore } from './open-store.ts';
import { dueKind } from '../../src/model/records/due.ts';

const password = 'of-the-running-one';

let server: PostgresServer;
let ownerUrl: string;
let databaseUrl: string;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());
beforeEach(async () => {
  ownerUrl = await server.createDatabase();
  const url = new URL(ownerUrl);
  url.username = 'bellhop_app';
  url.password = password;
  databaseUrl = url.href;
  await createRole();
});

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Runs deploy/postgres-roles.sql with psql. */
async function createRole(): Promise<void> {
  const file = readFileSync(join(import.meta.dirname, '../../deploy/postgres-roles.sql'), 'utf8');
  const [, create = '', condition = ''] =
    /^select '(.*)' where not exists \((.*)\) \\gexec$/mu.exec(file) ?? [];
  const alter = /^alter role .*$/mu.exec(file)?.[0] ?? '';
  await query(ownerUrl, `do $$ begin if not exists (${condition}) then ${create}; end if; end $$`);
  await query(ownerUrl, alter.replace(":'password'", `'${password}'`));
}

async function migrateAsOwner(): Promise<void> {
  const owner = await openDatabase({ databaseUrl: ownerUrl });
  await owner.writeAlone((queries) => grantRunning(queries, 'bellhop_app'));
  await owner.close();
}

/** Uses each table. */
async function work(store: Store): Promise<void> {
  const request = aRequest();
  await store.propose(aProposal(request, { audit: [aDraft({ reason: 'typed' })] }));
  await store.advance(
    aStep(request, 'running', { check: { of: [{ since: 0, limit: 1 }], admits: () => true } }),
  );
  await store.claimOnce('key', 0, 1000);
  const [due] = await store.claimDue(new Map([[dueKind('deadline'), 1]]), 0, 1);
  if (due) await store.finishDue(due, { done: true }, 0);
  await store.removeSettled(10_000, 10);
  await store.keepCosignature({ number: 1, witness: 'w', line: 'l', at: 1 });
  await store.tally(0);
  await expectIntact(store);
}

/** Of Debian's package postgresql-client, or PostgreSQL's own image. */
const psql = (url: string) =>
  spawnSync('psql', ['--no-psqlrc', `--set=password=${password}`, '--file=deploy/postgres-roles.sql', url], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });

describe.runIf(psql('--version').status === 0)(
  'deploy/postgres-roles.sql, by psql where it is installed',
  () => {
    it('creates the role, even if it already exists', async () => {
      await query(ownerUrl, 'drop role bellhop_app');
      expect([psql(ownerUrl), psql(ownerUrl)]).toMatchObject([{ status: 0 }, { status: 0 }]);
      await query(databaseUrl, 'select 1');
    });

    it('fails where the login may not make it', () => {
      const { status, stderr } = psql(databaseUrl);
      expect(stderr).toContain('permission denied');
      expect(status).toBe(3);
    });
  },
);

describe('the login that Bellhop runs as', () => {
  it('works on tables that another one owns', async () => {
    await migrateAsOwner();
    const store = await openStore({ databaseUrl });
    await work(store);
    expect(await store.audit({ limit: 10 })).toHaveLength(2);
    expect(await store.mayRewrite()).toBe(false);
    await store.close();
    const database = await openDatabase({ databaseUrl });
    await database.tryRoom();
    await database.close();
  });

  it.each([
    "update audit set draft = ''",
    'delete from audit',
    'truncate audit',
    'alter table audit disable trigger user',
    'drop trigger audit_is_never_changed on audit',
    'drop table audit',
    'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
    "update audit_checkpoints set note = ''",
    'delete from audit_nodes',
    'delete from audit_reasons',
    "update audit_reasons set typed = ''",
    'delete from audit_cosignatures',
    'delete from audit_head',
    "update audit_staged set draft = ''",
    'update schema_version set number = 1',
  ])('may not: %s', async (statement) => {
    await migrateAsOwner();
    await expect(query(databaseUrl, statement)).rejects.toThrow(/permission denied|must be owner/u);
  });

  it('may not forget a person, and the error says who may', async () => {
    await migrateAsOwner();
    const { code, err } = await callProgram('store', ['forget', 'U0ALICE'], { DATABASE_URL: databaseUrl });
    expect([code, err]).toEqual([2, expect.stringContaining('Use the login that owns the tables.')]);
  });

  it('gets the command to run if the tables are not those of its version', async () => {
    await expect(openStore({ databaseUrl })).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('npm run store -- migrate --role') as string,
    });
  });

  it('loses what it was given before, when it is granted again', async () => {
    await migrateAsOwner();
    await query(ownerUrl, 'grant all on audit to bellhop_app');
    const store = await openStore({ databaseUrl });
    expect(await store.mayRewrite()).toBe(true);
    await migrateAsOwner();
    expect(await store.mayRewrite()).toBe(false);
    await store.close();
  });

  it.each([
    ['nobody_there', /There is no role nobody_there/],
    ['bellhop', /The role bellhop owns the tables/],
  ])('must exist and own nothing: %s', async (role, message) => {
    const owner = await openDatabase({ databaseUrl: ownerUrl });
    await expect(owner.writeAlone((queries) => grantRunning(queries, role))).rejects.toThrow(message);
    await owner.close();
  });
});
