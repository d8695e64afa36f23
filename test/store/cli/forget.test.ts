import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sql } from 'kysely';
import { z } from 'zod';

import { columnsOf, keyOf, peopleColumns, tables } from '../../../src/store/database/schema.ts';
import { findPerson, forgetPerson, replacedIn } from '../../../src/store/cli/forget.ts';
import { dueKind } from '../../../src/model/records/due.ts';
import type { Request, RequestChanges } from '../../../src/model/records/request.ts';
import { openDatabaseBeside, type StoreLocation } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { sqliteFile } from '../../../src/store/sqlite/open-sqlite.ts';
import { keepOwnKey } from '../../../src/audit/own-files.ts';
import { verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { verifyAudit } from '../../../src/audit/verify/verify-audit.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { sealAll } from '../contract/opened.ts';
import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import { callProgram } from '../../call-program.ts';
import type { Ran } from '../../run-node.ts';
import { openStore } from '../open-store.ts';

const team = 'T0LOCAL';
const [alice, bob, alicia] = ['U0ALICE', 'U0BOB', 'U0ALICE2'].map((user) => ({ team, user })) as [
  { team: string; user: string },
  { team: string; user: string },
  { team: string; user: string },
];
/** Work that lasts until a person ends it. */
const lastingKind = dueKind('hold');
const day = 24 * 60 * 60_000;

/**
 * The columns with text in which `forget` replaces no one: ids, hashes, words of Bellhop, and the proof of who acted.
 */
const unsearched = {
  alert_groups: 'id hook message_id status digest firing_digest',
  alert_hooks: 'hook',
  alert_messages: 'id hook channel kind tier ts left_group',
  audit: 'hash draft event actor_team actor_user target_name request_id reason_hash',
  audit_checkpoints: 'note',
  audit_cosignatures: 'witness line',
  audit_head: 'edge',
  audit_nodes: 'hash',
  audit_reasons: 'hash typed',
  audit_staged: 'draft event actor_team actor_user target_name request_id reason_hash',
  deliveries: 'key held_by',
  due: 'kind',
  requests:
    'id state operation requester_team runner policy_hash correlation_id card review_message part_of recent_change',
  schema_version: 'name',
  sign_ins: 'token browser stage',
  store_home: 'home',
} satisfies Record<keyof typeof tables, string>;

it('each column with text is searched for the person, or listed here because it names no one or proves who acted', () => {
  const names = z
    .enum(Object.keys(unsearched) as [keyof typeof tables])
    .array()
    .parse(Object.keys(tables));
  for (const table of names) {
    const texts = columnsOf(table).filter(([, kindOf]) => /^(?:plain|key)/u.test(kindOf));
    expect(texts.map(([name]) => name).join(' ')).toBe(unsearched[table]);
  }
  const searched = names.filter((table) => peopleColumns(table).length > 0);
  expect(searched.toSorted()).toEqual([...replacedIn, 'sign_ins'].toSorted());
});

/** The raw content of the files on disk. */
const bytesIn = (dataDir: string): string =>
  ['', '-wal'].map((end) => readFileSync(`${sqliteFile(dataDir)}${end}`, 'latin1')).join('');

describe.each(['the embedded store', 'PostgreSQL'])('npm run store -- forget, on %s', (kind) => {
  let env: Readonly<Record<string, string>>;
  let location: StoreLocation;
  let key: ReturnType<typeof keepOwnKey>['key'];
  /** The store of the running bot. */
  let store: Store;

  beforeEach(async () => {
    const dataDir = temporaryFolder();
    key = keepOwnKey(dataDir).key;
    const databaseUrl = kind === 'PostgreSQL' ? await commonPostgres.createDatabase() : '';
    location = databaseUrl === '' ? { dataDir } : { databaseUrl };
    writeFileSync(join(dataDir, 'bellhop.yaml'), 'requests: { keep: 30d }\n');
    env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, BELLHOP_CONFIG: join(dataDir, 'bellhop.yaml') };
    store = await openStore(location);
  });
  afterEach(() => store.close());

  const forget = (...args: string[]): Promise<Ran> => callProgram('store', ['forget', ...args], env);

  const requestOf = async (overrides: Partial<Request>): Promise<Request> => {
    const request = aRequest({ requester: bob, ...overrides });
    await store.propose(aProposal(request));
    return request;
  };
  const ended = async (overrides: Partial<Request>, changes = {}): Promise<string> => {
    const request = await requestOf(overrides);
    await store.advance(aStep(request, 'cancelled', { audit: [], changes: { endedAt: 2, ...changes } }));
    return request.id;
  };
  const typed = (reason: string, daysAgo: number, actor = alice) =>
    aDraft({ event: 'proposed', actor, reason, at: Date.now() - daysAgo * day });
  const reasons = async () => (await store.auditFrom(0, 100)).map(({ reason }) => reason);
  const intact = async () => {
    await sealAll(store, 0, [key]);
    const { intact: isIntact } = await verifyAudit(store, { keys: [verifierOf(key, key.name)] });
    expect(isIntact).toBe(true);
  };

  it('leaves a pseudonym where the person stood and takes their old reasons, while the store is in use', async () => {
    const asked = await ended({ requester: alice, reason: 'ask <@U0ALICE>', words: '/cloud reboot web-1' });
    const decided = await ended({}, { decidedBy: alice, approvals: [{ by: alice, at: 1 }] });
    const others = await ended({ requester: alicia });
    await store.addSignIn(
      'token',
      {
        requestId: asked,
        version: 1,
        action: 'confirm',
        actor: alice,
        place: { team, channel: 'C0OPS' },
        correlationId: 'c',
      },
      Date.now(),
      day,
    );
    await store.record([typed('old', 31), typed('young', 29), typed('of Bob', 31, bob)]);
    await sealAll(store, 0, [key]);

    const before = await forget('U0ALICE', '--dry-run');
    expect(before.out).toContain(
      'U0ALICE would be replaced in 2 requests, 0 alert records, 1 piece of pending work, 1 sign-in. 1 typed reason would be removed.',
    );
    expect(await store.find(asked)).toMatchObject({ requester: alice });

    const { code, out, err } = await forget('U0ALICE');
    expect([code, err]).toEqual([0, '']);
    const [, pseudonym = ''] = /^U0ALICE is now (U_FORGOTTEN_[0-9A-F]{10}) in 2 requests/u.exec(out) ?? [];
    expect(out).toContain('Kept, because requests.keep has not passed: 1 typed reason.');
    const forgotten = { team, user: pseudonym };
    expect(await store.find(asked)).toMatchObject({ requester: forgotten, reason: `ask <@${pseudonym}>` });
    expect(await store.find(decided)).toMatchObject({
      requester: bob,
      decidedBy: forgotten,
      approvals: [{ by: forgotten }],
    });
    expect(await store.find(others)).toMatchObject({ requester: alicia });
    expect(await store.findSignIn({ token: 'token' }, Date.now())).toBeUndefined();
    expect(await reasons()).toEqual(['removed', 'young', 'of Bob', undefined]);
    const last = (await store.audit({ limit: 1 }))[0];
    expect(last).toMatchObject({
      event: 'person forgotten',
      note: expect.stringContaining('reasons removed: 1') as string,
    });
    expect(JSON.stringify(last)).not.toContain('ALICE');
    await intact();

    expect((await forget('U0ALICE')).out).toMatch(/^Nothing to change: /u);
    expect(await store.auditFrom(4, 10)).toEqual([]);
    await ended({ requester: alice });
    const again = await forget('U0ALICE');
    expect(again.out).toMatch(/^U0ALICE is now U_FORGOTTEN_[0-9A-F]{10} in 1 request,/u);
    expect(again.out).not.toContain(pseudonym);
  });

  it('keeps the entry provable: its hash is that of what was typed, and a proof without the text holds', async () => {
    await store.record([typed('the disk is full', 31), typed('the disk is full', 31)]);
    await sealAll(store, 0, [key]);
    const [one, other] = (await store.leavesFrom(0, 2)).map(
      ({ draft }) => /"sha256":"(\w+)"/u.exec(draft)?.[1],
    );
    expect(one).not.toBe(other);
    const folder = temporaryFolder();
    const [entry, proof, reason] = ['json', 'tlog-proof', 'reason'].map((kindOf) =>
      join(folder, `1.${kindOf}`),
    ) as [string, string, string];
    const prove = () => callProgram('audit', ['prove', '1', '--out', folder], env);
    expect((await prove()).out).toBe(`${entry}\n${proof}\n${reason}\n`);
    const withText = [readFileSync(entry, 'utf8'), readFileSync(proof, 'utf8')];
    expect(readFileSync(reason, 'utf8')).toMatch(/^[0-9a-f]{32}\nthe disk is full$/u);
    const sha256 = createHash('sha256').update(readFileSync(reason)).digest('hex');
    expect(JSON.parse(withText[0] ?? '')).toMatchObject({ reason: { sha256 } });
    expect(withText[0]).not.toContain('disk');

    await forget('U0ALICE');
    await sealAll(store, 0, [key]);
    const later = temporaryFolder();
    await callProgram('audit', ['prove', '1', '--out', later], env);
    expect(existsSync(join(later, '1.reason'))).toBe(false);
    expect(readFileSync(join(later, '1.json'), 'utf8')).toBe(withText[0]);
    const { out } = await callProgram('audit', ['verify'], env);
    expect(out).toMatch(/^The audit log is intact: 3 entries .* 2 typed reasons were removed\.\n/u);
    const exported = await callProgram('audit', ['export'], env);
    expect(JSON.parse(exported.out.split('\n')[0] ?? '')).toMatchObject({
      reason: 'removed',
      reasonRemoved: true,
    });
  });

  const review = { rule: 'rule 2', approvers: ['leads'] };
  it.each<[string, Partial<Request>, ...(readonly [to: Request['state'], changes: RequestChanges])[]]>([
    ['a request that awaits approval', { requester: alice, state: 'awaiting approval' }],
    ['an approval of an open request', { state: 'awaiting approval', approvals: [{ by: alice, at: 1 }] }],
    ['an outcome that is unknown', { requester: alice }, ['running', { startedAt: 1 }], ['unknown', {}]],
    ['a review that is open', { requester: alice }, ['running', { startedAt: 1, review }], ['succeeded', {}]],
  ])('refuses and names %s', async (_, overrides, ...steps) => {
    const request = await requestOf(overrides);
    let now = request;
    for (const [to, changes] of steps)
      now = (await store.advance(aStep(now, to, { audit: [], leaseMs: 5, changes }))) ?? now;
    await store.record([typed('old', 31)]);
    await sealAll(store, 0, [key]);
    const { code, out, err } = await forget('U0ALICE');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`open work: ${request.id} ${request.words} (`);
    expect(await reasons()).toEqual(['old']);
    expect((await forget('U0ALICE2')).code).toBe(0);
  });

  it('finds the person in more rows than are read at once', async () => {
    const ids = await Promise.all(Array.from({ length: 520 }, () => ended({ requester: alice })));
    const database = await openDatabaseBeside(location);
    const { requests } = await findPerson(database, { user: 'U0ALICE', lasting: [], before: 0 });
    expect(requests.flat().toSorted()).toEqual(ids.toSorted());
    await database.close();
  });

  it.each(replacedIn)(
    'replaces the person in each column of %s that is marked as naming people',
    async (table) => {
      const id = table === 'requests' ? await ended({}) : 'a-1';
      const database = await openDatabaseBeside(location);
      const columns = peopleColumns(table).filter((column) => column !== 'press');
      const [ownKey = 'id'] = keyOf(table)
        .filter((column) => !columns.includes(column))
        .slice(-1);
      if (table !== 'requests') {
        const all = columnsOf(table);
        const values = all.map(([column]) => (column === ownKey ? sql`${id}` : sql`${sql.lit(0)}`));
        const names = sql.join(all.map(([column]) => sql.ref(column)));
        await database.write((queries) =>
          sql`insert into ${sql.table(table)} (${names}) values (${sql.join(values)})`.execute(queries),
        );
      }
      const named = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${'of U0ALICE'}`));
      await database.write((queries) =>
        sql`update ${sql.table(table)} set ${named} where ${sql.ref(ownKey)} = ${id}`.execute(queries),
      );
      expect((await forget('U0ALICE')).out).toMatch(/^U0ALICE is now U_FORGOTTEN_/u);
      const { rows } = await database.read((queries) =>
        sql<
          Record<string, unknown>
        >`select * from ${sql.table(table)} where ${sql.ref(ownKey)} = ${id}`.execute(queries),
      );
      await database.close();
      for (const column of columns) expect(rows[0]?.[column]).toMatch(/^of U_FORGOTTEN_[0-9A-F]{10}$/u);
    },
  );

  it('refuses while the person holds a target, and names the hold', async () => {
    await store.setDue([{ kind: lastingKind, key: 'h-1', at: undefined, about: { by: alice } }], 1);
    expect((await forget('U0ALICE')).err).toContain('open work: hold h-1. End, settle, review or release it');
    await store.setDue([{ kind: lastingKind, key: 'h-1', at: undefined, ends: true }], 1);
    expect((await forget('U0ALICE')).out).toMatch(/^Nothing to change: /u);
  });

  it('refuses if a request was opened after the check', async () => {
    await ended({ requester: alice });
    const database = await openDatabaseBeside(location);
    const asked = { user: 'U0ALICE', lasting: [], before: 0 };
    const found = await findPerson(database, asked);
    await requestOf({ requester: alice });
    await expect(forgetPerson(database, asked, found, 1)).rejects.toThrow('open work');
    await database.close();
  });

  it('continues with the same pseudonym after it was interrupted, and keeps nothing that leads to it', async () => {
    const ids: string[] = [];
    for (let rows = 0; rows < 30; rows += 1) ids.push(await ended({ requester: alice }));
    const database = await openDatabaseBeside(location);
    let steps = 0;
    const dying: typeof database = {
      ...database,
      writeAlone: (work) =>
        (steps += 1) > 2 ? Promise.reject(new Error('killed')) : database.writeAlone(work),
    };
    const asked = { user: 'U0ALICE', lasting: [], before: 0 };
    const found = await findPerson(database, asked);
    await expect(forgetPerson(dying, asked, found, Date.now())).rejects.toThrow('killed');
    await database.close();
    const names = async () =>
      new Set((await Promise.all(ids.map((id) => store.find(id)))).map((row) => row?.requester.user));
    const halfway = await names();
    const second = [...halfway].find((name) => name?.startsWith('U_FORGOTTEN_'));
    expect(halfway).toEqual(new Set(['U0ALICE', second]));

    expect((await forget('U0ALICE')).out).toContain(`U0ALICE is now ${second} in 5 requests`);
    expect(await names()).toEqual(new Set([second]));
    await ended({ requester: alice });
    expect((await forget('U0ALICE')).out).not.toContain(String(second));
  });

  it.runIf(kind === 'the embedded store')(
    'leaves no removed reason in the files, while the bot has them open',
    async () => {
      const maxOfAPage = 'the-disk-is-full '.repeat(200);
      await store.record([typed('the-disk-is-full', 31), typed(maxOfAPage, 31), typed('of-bob', 31, bob)]);
      await sealAll(store, 0, [key]);
      expect(bytesIn(env.DATA_DIR ?? '')).toContain('the-disk-is-full');
      expect((await forget('U0ALICE')).out).toContain('Removed: 2 typed reasons.');
      expect(bytesIn(env.DATA_DIR ?? '')).toContain('of-bob');
      expect(bytesIn(env.DATA_DIR ?? '')).not.toContain('the-disk-is-full');
    },
  );

  it.each([
    ['U0NOBODY', 0, 'Nothing to change: no request, alert, pending work or sign-in names U0NOBODY.'],
    ['alice', 2, 'alice is not a Slack user id'],
    ['U_FORGOTTEN_0A', 2, 'is not a Slack user id'],
    ["U0'; drop table requests", 2, 'is not a Slack user id'],
  ])('explains %s', async (user, code, said) => {
    const ran = await forget(user);
    expect(ran.code).toBe(code);
    expect(ran.out + ran.err).toContain(said);
  });
});
