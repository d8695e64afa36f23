import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { beforeAll, describe, expect, it } from 'vitest';

import { formatVerifierKey } from '../../../src/audit/tree/signed-note.ts';
import { entryCount, expectIntact, sealAll, verifiers } from '../contract/opened.ts';
import { callProgram as run } from '../../call-program.ts';
import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { openStore } from '../open-store.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = temporaryFolder();
  const store = await openStore({ dataDir });
  await store.record([aDraft({ note: '=cmd()' }), aDraft({ note: 'a "quoted", note' }), aDraft()]);
  const request = aRequest();
  await store.propose(aProposal(request));
  const review = { rule: 'rule 2', approvers: ['leads'] };
  await store.advance(aStep(request, 'running', { leaseMs: 5, changes: { startedAt: 1, review } }));
  await store.propose(aProposal(aRequest()));
  await store.claimOnce('Ev1', 1, 1);
  await sealAll(store);
  await store.close();
});

describe('npm run store -- copy', () => {
  it('takes the halves of milliseconds that are in older stores', async () => {
    const older = temporaryFolder();
    const store = await openStore({ dataDir: older });
    const request = aRequest();
    await store.propose(aProposal(request));
    await store.advance(aStep(request, 'running', { changes: { startedAt: 1_700_000_000_000.5 } }));
    await sealAll(store);
    await store.close();
    const databaseUrl = await commonPostgres.createDatabase();
    const copied = await run('store', ['copy', '--from', older, '--to', databaseUrl]);
    expect(copied).toMatchObject({ code: 0, err: '' });
  });

  it('takes a store to PostgreSQL as it is, once', async () => {
    const databaseUrl = await commonPostgres.createDatabase();
    const copied = await run('store', ['copy', '--from', dataDir, '--to', databaseUrl]);
    expect(copied.err).toBe('');
    expect(copied.out).toMatch(/^Copied and verified: 2 requests, 4 audit entries, 1 deliveries\./);
    expect(copied.code).toBe(0);

    const [from, to] = [await openStore({ dataDir }), await openStore({ databaseUrl })];
    expect(await to.list({ limit: 10 })).toEqual(await from.list({ limit: 10 }));
    const due = async (store: typeof from) => (await store.tally(Date.now() + 60_000)).due;
    const counts = (tallied: Awaited<ReturnType<typeof due>>) =>
      tallied.map(({ kind, count }) => `${kind} ${count}`).toSorted();
    expect(counts(await due(to))).toEqual(counts(await due(from)));
    expect(await to.openReviews(10)).toEqual(await from.openReviews(10));
    expect(await to.auditFrom(0, 10)).toEqual(await from.auditFrom(0, 10));
    await to.record([aDraft()]);
    await expectIntact(to);
    expect(await entryCount(to)).toBe(5);
    const blocked = await run('store', ['copy', '--from', dataDir, '--to', databaseUrl]);
    expect(blocked.err).toContain(`process ${process.pid}`);
    await Promise.all([from.close(), to.close()]);

    const again = await run('store', ['copy', '--from', dataDir], { DATABASE_URL: databaseUrl });
    expect(again.err).toMatch(
      /^The destination is not empty: it has rows in requests, audit, audit_checkpoints, deliveries/,
    );
    expect(again.code).toBe(2);
    const verified = await run(
      'audit',
      ['verify', ...verifiers.flatMap((key) => ['--key', formatVerifierKey(key)])],
      { DATABASE_URL: databaseUrl },
    );
    expect(verified.out).toMatch(/^The audit log is intact: 5 entries/);
  });

  it('copies nothing where the record does not verify', async () => {
    const broken = temporaryFolder();
    const store = await openStore({ dataDir: broken });
    await store.record([aDraft(), aDraft(), aDraft()]);
    await sealAll(store);
    await store.close();
    using database = new DatabaseSync(join(broken, 'bellhop.db'));
    database.exec('drop trigger audit_is_never_removed; delete from audit where seq = 2');
    const databaseUrl = await commonPostgres.createDatabase();
    const { code, err } = await run('store', ['copy', '--from', broken, '--to', databaseUrl]);
    expect(err).toMatch(/^Nothing was copied: the audit log does not verify: expected entry 2, found 3\./);
    expect(code).toBe(2);
    const to = await openStore({ databaseUrl });
    expect(await to.auditFrom(0, 1)).toEqual([]);
    await to.close();
  });

  it.each([
    [['copy', '--from', '/nowhere', '--to', 'postgresql://x'], 'There is no /nowhere/bellhop.db'],
    [['move'], 'Unknown command “move”. Use backup, restore, restored, copy, migrate, forget.'],
    [['migrate'], 'Set DATABASE_URL, with the login'],
  ])('%j says what is wrong', async (args, message) => {
    const { code, err } = await run('store', args);
    expect(err.startsWith(message)).toBe(true);
    expect(code).toBe(2);
  });
});

describe('a program in production', () => {
  const databaseUrl = 'postgres://u:hunter2@127.0.0.1.example.invalid/bellhop';
  const named = { NODE_ENV: 'production', DATABASE_URL: databaseUrl };

  it.each<[string, Parameters<typeof run>]>([
    ['backup', ['store', ['backup', '/nowhere/file'], named]],
    ['restored', ['store', ['restored'], named]],
    ['migrate', ['store', ['migrate'], named]],
    ['copy', ['store', ['copy', '--from', '.'], named]],
    ['copy --to', ['store', ['copy', '--from', '.', '--to', databaseUrl], { NODE_ENV: 'production' }]],
    ['verify', ['audit', ['verify'], named]],
  ])('sends no password to a server that proves nothing: %s', async (_, [program, args, env]) => {
    const { code, err } = await run(program, args, env);
    expect(err).toMatch(/^(?:DATABASE_URL|--to) has no sslmode=verify-full, [^\n]+DATABASE_TLS=off\.\n$/u);
    expect(err).not.toContain('hunter2');
    expect(code).toBe(2);
    const off = await run(program, args, { ...env, DATABASE_TLS: 'off' });
    expect(off.err).not.toContain('sslmode');
  });
});
