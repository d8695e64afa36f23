import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it } from 'vitest';

import { keepOwnKey } from '../../../../src/audit/own-files.ts';
import { auditEntry } from '../../../../src/model/records/audit.ts';
import { formatVerifierKey, verifierOf } from '../../../../src/audit/tree/signed-note.ts';
import { formatSigningKey, makeSigningKey } from '../../../../src/audit/tree/signing-key.ts';
import { nameOfStore, type StoreLocation } from '../../../../src/store/open-store.ts';
import { sqliteFile } from '../../../../src/store/sqlite/open-sqlite.ts';
import { callProgram } from '../../../call-program.ts';
import { continuationHolds, noteIsSigned, proofHolds } from '../../../audit/tree/independent-verifier.ts';
import { sealAll } from '../../../store/contract/opened.ts';
import { aDraft } from '../../../store/sample-request.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { commonPostgres } from '../../../common-postgres.ts';
import { openStore } from '../../../store/open-store.ts';

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
});

/** Runs `npm run audit -- …` in the folder, and waits for its end. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  callProgram('audit', args, env, folder);

describe.each(['embedded', 'PostgreSQL'])('npm run audit, %s', (kind) => {
  let env: Readonly<Record<string, string>>;
  let key: string;
  let reading: string;
  const at = (name: string): string => join(folder, `${kind}-${name}`);

  beforeAll(async () => {
    const dataDir = at('data');
    const own = keepOwnKey(dataDir).key;
    key = formatVerifierKey(verifierOf(own, own.name));
    const databaseUrl = kind === 'embedded' ? '' : await commonPostgres.createDatabase();
    env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
    const location: StoreLocation = databaseUrl === '' ? { dataDir } : { databaseUrl };
    reading = `Reading ${nameOfStore(location)}.\n`;
    const store = await openStore(location);
    await store.record([aDraft({ note: '=cmd()' }), aDraft({ note: 'a "quoted", note' })]);
    await sealAll(store, 0, [own]);
    const { out } = await run(['checkpoint'], env);
    writeFileSync(at('old-checkpoint'), out);
    // As Notepad saves a file, with a byte order mark, and as Outlook saves an attachment, without the last line break.
    writeFileSync(at('old-checkpoint with a byte order mark'), `\uFEFF${out}`);
    writeFileSync(at('old-checkpoint with CRLF'), `\uFEFF${out.replaceAll('\n', '\r\n')}`);
    await store.record([aDraft({ note: 'three' }), aDraft({ note: 'four' })]);
    await sealAll(store, 0, [own]);
    await store.record([aDraft({ note: 'not sealed yet' })]);
    await store.close();
  });

  it('prints the verifier key, and nothing else', async () => {
    expect(await run(['key'], env)).toEqual({ code: 0, out: `${key}\n`, err: reading });
  });

  it('prints the newest checkpoint, signed', async () => {
    const { code, out, err } = await run(['checkpoint'], env);
    expect([code, err]).toEqual([0, reading]);
    expect(out.split('\n').slice(0, 2)).toEqual([key.split('+', 1)[0], '4']);
    expect(noteIsSigned(out, key)).toBe(true);
  });

  it.each(['old-checkpoint', 'old-checkpoint with a byte order mark', 'old-checkpoint with CRLF'])(
    'finds the log whole, also as the continuation of an %s',
    async (file) => {
      const { code, out } = await run(['verify', '--checkpoint', at(file)], env);
      expect(out).toMatch(/^The audit log is intact: 4 entries in \d+\.\d s\.$/m);
      expect(code).toBe(0);
      const elsewhere = { ...env, DATA_DIR: env['DATABASE_URL'] ? folder : (env['DATA_DIR'] ?? '') };
      expect((await run(['verify', '--key', key], elsewhere)).code).toBe(0);
    },
  );

  it.runIf(kind === 'PostgreSQL')(
    'does not judge by a key of a replica that another one seals for',
    async () => {
      keepOwnKey(at('other-replica'));
      const { code, out, err } = await run(['verify'], { ...env, DATA_DIR: at('other-replica') });
      expect(err).toContain("another replica seals it. Run this with that replica's DATA_DIR, or pass the");
      expect([code, out]).toEqual([2, '']);
      expect((await run(['key'], { ...env, DATA_DIR: at('other-replica') })).code).toBe(2);
    },
  );

  it('proves an entry to a person with only the key', async () => {
    const out = at('proof');
    const [entry, proof] = [join(out, '2.json'), join(out, '2.tlog-proof')];
    const wrote = { code: 0, out: `${entry}\n${proof}\n`, err: reading };
    expect(await run(['prove', '2', '--out', out], env)).toEqual(wrote);
    expect(JSON.parse(readFileSync(entry, 'utf8'))).toMatchObject({ number: 2, note: 'a "quoted", note' });
    expect(readFileSync(proof, 'utf8')).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 1\n/);
    expect(proofHolds(readFileSync(proof, 'utf8'), readFileSync(entry), key)).toBe(true);
    const offline = await run(['verify', '--proof', proof, '--entry', entry, '--key', key]);
    expect(offline).toMatchObject({ code: 0, err: '' });
    writeFileSync(entry, readFileSync(entry, 'utf8').replace('quoted', 'edited'));
    const edited = await run(['verify', '--proof', proof, '--entry', entry, '--key', key]);
    expect(edited.out).toContain('or the proof was changed.');
    expect(edited.code).toBe(1);
    expect((await run(['prove', '2'], env)).out).toBe(readFileSync(proof, 'utf8'));
  });

  it('proves to a person with only the key and an old checkpoint that the log continues that checkpoint', async () => {
    const { code, out: since, err } = await run(['prove', '--since', at('old-checkpoint')], env);
    expect([code, err]).toEqual([0, reading]);
    expect(since).toMatch(/^old 2\n/);
    expect(continuationHolds(since, readFileSync(at('old-checkpoint'), 'utf8'), key)).toBe(true);
    const check = async (proof: string) => {
      writeFileSync(at('since'), proof);
      return run(['verify', '--proof', at('since'), '--checkpoint', at('old-checkpoint'), '--key', key]);
    };
    const origin = key.split('+', 1)[0] ?? '';
    expect(await check(since)).toEqual({
      code: 0,
      out: `The first 2 entries are unchanged in the log ${origin}, in its tree of 4 entries, signed by ${origin}.\n`,
      err: '',
    });
    const changed = since.replace(/\n.{43}=\n/u, `\n${'A'.repeat(43)}=\n`);
    expect(await check(changed)).toMatchObject({
      code: 1,
      out: expect.stringContaining('is not consistent with the checkpoint') as string,
    });
    expect(await check(since.replace('\n4\n', '\n5\n'))).toMatchObject({ code: 1 });
  });

  it.each([
    ['5', 'Entry 5 does not exist, or is'],
    ['2000000', 'Entry 2000000 does not exist, or is'],
    ['0', 'Give the number of one entry'],
    ['x', 'Give the number of one entry'],
  ])('does not prove entry %s', async (number, message) => {
    const { code, out, err } = await run(['prove', number], env);
    expect(err).toContain(message);
    expect([code, out]).toEqual([2, '']);
  });

  it('does not take a key that signed nothing here', async () => {
    const stranger = makeSigningKey(key.split('+', 1)[0] ?? '');
    const other = formatVerifierKey(verifierOf(stranger, stranger.name));
    const { code, out } = await run(['verify', '--key', other], env);
    const unsigned = 'The audit log is broken: checkpoints 1 to 2 are not signed by a known key.\n';
    expect(out).toContain(
      `${unsigned}If a key was replaced, pass the previous verifier key too: --key. If that key is lost for a known reason: --unsigned-until 2.`,
    );
    expect(code).toBe(1);
    const handed = await run(['verify', '--key', other, '--checkpoint', at('old-checkpoint')], env);
    expect(handed.err).toContain('is not signed by a known key of that log.');
    expect(handed.code).toBe(2);
  });

  it('takes its key from the secret that bellhop.yaml names', async () => {
    const config = at('bellhop.yaml');
    writeFileSync(config, 'audit: { key: [secret:next-key, secret:audit-key] }\n');
    const origin = key.split('+', 1)[0] ?? '';
    const next = makeSigningKey('made-before-the-log-had-its-name');
    const secrets = {
      BELLHOP_CONFIG: config,
      BELLHOP_SECRET_AUDIT_KEY: readFileSync(join(env['DATA_DIR'] ?? '', 'audit-key'), 'utf8'),
      BELLHOP_SECRET_NEXT_KEY: formatSigningKey(next),
    };
    const { out } = await run(['key'], { ...env, ...secrets });
    expect(out).toBe(`${formatVerifierKey(verifierOf(next, origin))}\n${key}\n`);
    expect((await run(['verify'], { ...env, ...secrets })).code).toBe(0);
  });

  it('exports NDJSON that reads as entries, and CSV that a spreadsheet reads and does not run', async () => {
    const { code, out } = await run(['export'], env);
    const entries = out.trim().split('\n');
    expect(entries.map((line) => auditEntry.parse(JSON.parse(line)).seq)).toEqual([1, 2, 3, 4, 5]);
    expect(code).toBe(0);
    const lines = (await run(['export', '--format', 'csv'], env)).out.split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^seq,at,event,actor_team,/);
    expect(lines[1]).toMatch(/^1,1970-01-01T00:00:00.001Z,read,T0LOCAL,U0ALICE,.*,'=cmd\(\),/);
    expect(lines[2]).toContain(',"a ""quoted"", note",');
  });
});

describe('npm run audit, of a log that was cut off and went on', () => {
  it('does not prove that it continues its earlier state', async () => {
    const dataDir = join(folder, 'cut');
    const own = keepOwnKey(dataDir).key;
    const before = join(folder, 'before-the-cut');
    const seal = async (notes: readonly string[]): Promise<void> => {
      const store = await openStore({ dataDir });
      await store.record(notes.map((note) => aDraft({ note })));
      await sealAll(store, 0, [own]);
      await store.close();
    };
    await seal(['one']);
    await seal(['two', 'three']);
    writeFileSync(before, (await run(['checkpoint'], { DATA_DIR: dataDir })).out);
    const database = new DatabaseSync(sqliteFile(dataDir));
    for (const table of ['audit', 'audit_checkpoints'])
      database.exec(`drop trigger ${table}_is_never_removed`);
    database.exec('delete from audit where seq > 1; delete from audit_checkpoints where size > 1');
    database.exec('update audit_head set seq = 1');
    database.close();
    const prove = () => run(['prove', '--since', before], { DATA_DIR: dataDir });
    const gone = 'The audit log is broken: entries 2 to 3 were removed from the end.\n';
    expect(await prove()).toMatchObject({ code: 1, out: gone });
    await seal(['another', 'and another', 'and a third']);
    const other =
      'The audit log is broken: it is not consistent with the checkpoint of 3 entries; "verify" shows details.\n';
    expect(await prove()).toMatchObject({ code: 1, out: other });
  });
});

describe('npm run audit, of a tree with a gap', () => {
  it('proves nothing by it, and says that the log is broken', async () => {
    const dataDir = join(folder, 'gap');
    const store = await openStore({ dataDir });
    await store.record([aDraft(), aDraft()]);
    await sealAll(store);
    await store.close();
    const database = new DatabaseSync(sqliteFile(dataDir));
    database.exec('drop trigger audit_is_never_removed; delete from audit where seq = 1');
    database.close();
    const { code, out } = await run(['prove', '2'], { DATA_DIR: dataDir });
    expect(out).toMatch(/^The audit log is broken at entry 2: its tree has a gap:.* is missing in the tree;/);
    expect(code).toBe(1);
  });
});

describe('npm run audit', () => {
  it('makes a key that bellhop.yaml can name', async () => {
    const { code, out, err } = await run(['new-key', '--name', 'bellhop.example.com/audit']);
    expect(out).toMatch(/^PRIVATE\+KEY\+bellhop\.example\.com\/audit\+[0-9a-f]{8}\+\S{44}\n$/);
    expect([code, err]).toEqual([0, '']);
  });

  it.each(['verify', 'prove', 'checkpoint', 'key', 'new-key', 'export', 'adopt-log'])(
    'explains %s',
    async (command) => {
      const { code, out } = await run([command, '--help']);
      expect(out).toContain(`npm run audit -- ${command}`);
      expect(code).toBe(0);
    },
  );

  it('prints only the requested output if npm runs it', async () => {
    const npm = promisify(execFile)('npm', ['run', '--silent', 'audit', '--', 'new-key'], {
      cwd: join(import.meta.dirname, '../../../..'),
    });
    expect((await npm).stdout).toMatch(/^PRIVATE\+KEY\+\S+\n$/);
  });

  it.each([
    [[], 'Name a command. Use verify, prove, checkpoint, key, new-key, export, adopt-'],
    [['verify', '--haed', '4:a'], "Unknown option '--haed'"],
    [['verify', '--head', '4:a'], '--head was removed. Use --checkpoint.'],
    [['verify'], 'There is no '],
    [['key'], 'There is no '],
    [['verify', '--proof', 'a', '--entry', 'b'], 'To verify a proof, use --proof, --key, and either '],
    [['verify', '--proof', 'a', '--checkpoint', 'b'], 'To verify a proof, use --proof, --key, and either '],
    [['prove', '1', '--since', 'a'], "--since can't be combined with"],
    [['prove', '--since', 'none'], '--since: none does not exist.'],
    [['verify', '--proof', 'a', '--entry', 'b', '--key', 'c'], '--proof: a does not exist.'],
    [['verify', '--checkpoint', 'none'], '--checkpoint: none does not exist.'],
    [['adopt-log'], 'Give a reason for the entry: --r'],
    [['verify', '--unsigned-until', 'x'], '--unsigned-until takes a whole number'],
    [['new-key', '--name', 'two words'], '--name must not contain spaces'],
  ])('%j says what is wrong', async (args, message) => {
    const { code, out, err } = await run(args, { DATA_DIR: join(folder, 'none') });
    expect({ code, out, err: err.slice(0, message.length) }).toEqual({ code: 2, out: '', err: message });
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });
});
