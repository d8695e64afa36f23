import type { IncomingMessage } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { formatVerifierKey, noteText, verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { leafHash } from '../../../src/audit/tree/merkle.ts';
import { formatManifest, parseManifest } from '../../../src/features/evidence/pack/manifest.ts';
import { sqliteFile } from '../../../src/store/sqlite/open-sqlite.ts';
import { proofHolds, continuationHolds } from '../../audit/tree/independent-verifier.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { cosign } from '../../audit/cosign.ts';
import { serve } from '../../serve.ts';
import { openStore } from '../../store/open-store.ts';
import { audit, confirmed, copyOf, logOf, october, packOf, rounds, story } from './october.ts';

let log: Awaited<ReturnType<typeof logOf>>;
let folder: string;
let ran: Awaited<ReturnType<typeof audit>>;
const read = (name: string, pack = folder): string => readFileSync(join(pack, name), 'utf8');
const verify = (pack: string, key = [log.key]) =>
  audit(['verify', '--evidence', pack, ...key.flatMap((one) => ['--key', one])], {});

beforeAll(async () => {
  log = await logOf(rounds);
  ({ folder, ran } = await packOf(log.dataDir));
});

describe('npm run audit -- evidence', () => {
  it('says what it wrote, and how to go on', () => {
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `${folder}: 6 changes with 25 entries, of the log ${log.origin}, up to entry 35.`,
      ) as string,
    });
    expect(ran.err).toBe(`Reading the embedded store in ${log.dataDir}.\n`);
  });

  it('writes a row for each change, also for what was denied and for each target of a rollout', () => {
    expect(read('changes.csv').split('\r\n')).toEqual([
      'change,at,operation,target,labels,requester,place,rule,approvers,break_glass,reviewer,outcome,settled_by,reason,entries',
      `r-approved,2026-10-05T09:00:00.000Z,cloud.reboot,db-1,env=production,U0ALICE,C0OPS,rule “production”,U0CAROL (https://login.example.com carol@example.com at 2026-10-05T08:00:00.000Z),,,succeeded,U0CAROL at 2026-11-01T09:00:00.000Z,"'=HYPERLINK(""x""), ""twice""\nand more",7 8 9 10 30`,
      'r-denied,2026-10-06T09:00:00.000Z,cloud.reboot,db-2,env=production,U0BOB,C0OPS,rule “production”,denied by U0CAROL (slack),,,refused,,,11 12',
      'r-glass,2026-10-07T09:00:00.000Z,cloud.reboot,db-1,env=production,U0BOB,C0OPS,rule “production”,,no one answers,U0CAROL,succeeded,,down,13 14 15 16 17 31',
      'r-one,2026-10-08T09:00:00.002Z,cloud.reboot,web-1,env=staging,U0ALICE,C0OPS,rule “staging”,U0CAROL (slack),,,succeeded,,it hangs,18 19 20 21 22 23',
      'r-two,2026-10-08T09:00:00.003Z,cloud.reboot,web-2,env=staging,U0ALICE,C0OPS,rule “staging”,U0CAROL (slack),,,cancelled,,,18 19 24 25',
      'r-last,2026-10-31T23:59:00.000Z,cloud.reboot,web-1,env=staging,U0ALICE,C0OPS,rule “staging”,,,,succeeded,,it hangs,26 27 28 29',
      '',
    ]);
  });

  it('writes each entry byte by byte as "prove" does, with a proof', async () => {
    const out = temporaryFolder();
    await audit(['prove', '8', '--out', out], { DATA_DIR: log.dataDir });
    expect(read('entries.jsonl').split('\n')[1]).toBe(readFileSync(join(out, '8.json'), 'utf8'));
    expect(read('proofs/8.tlog-proof')).toBe(readFileSync(join(out, '8.tlog-proof'), 'utf8'));
    expect(proofHolds(read('proofs/8.tlog-proof'), readFileSync(join(out, '8.json')), log.key)).toBe(true);
    expect(readdirSync(join(folder, 'proofs'))).toHaveLength(25 + 1);
  });

  it('writes the numbers of all entries since the first checkpoint, with their hashes and what they are', () => {
    const lines = read('numbers.csv').split('\r\n');
    expect(lines[0]).toBe('number,leaf_hash,kind');
    expect(lines.slice(1, -1).map((line) => line.replace(/,[0-9a-f]{64},/u, ' '))).toEqual([
      '5 other',
      '6 other',
      ...Array.from({ length: 25 }, (_, at) => `${at + 7} in`),
      ...Array.from({ length: 4 }, (_, at) => `${at + 32} other`),
    ]);
    const [entry = ''] = read('entries.jsonl').split('\n');
    expect(lines[3]).toBe(`7,${leafHash(entry).toString('hex')},in`);
  });

  it('writes checkpoints that the consistency proof joins, with cosignatures', () => {
    expect(continuationHolds(read('proofs/consistency'), read('checkpoints/first'), log.key)).toBe(true);
    expect(read('checkpoints/first')).toContain('\n4\n');
    expect(JSON.parse(read('manifest.json'))).toMatchObject({
      format: 'bellhop-evidence/1',
      period: { from: '2026-10-01', to: '2026-10-31', zone: 'UTC' },
      filter: { labels: {}, operation: '*' },
      entries: { first: 5, last: 35 },
      changes: 6,
      count: { in: 25, change: 0, other: 6 },
      checkpoints: { first: { size: 4, cosignatures: 1 }, last: { size: 35, cosignatures: 0 } },
    });
    expect(read('keys.txt')).toBe(`${log.key}\n`);
    expect(read('README.txt')).toContain(log.key);
  });

  it('omits the changes that the filter does not select, and counts them', async () => {
    const { folder: filtered } = await packOf(log.dataDir, [
      '--labels',
      'env=production',
      '--operation',
      'cloud.*',
    ]);
    const rows = read('changes.csv', filtered).split('\r\n');
    expect(rows.slice(1, -1).map((row) => row.split(',', 1)[0])).toEqual([
      'r-approved',
      'r-denied',
      'r-glass',
    ]);
    expect(JSON.parse(read('manifest.json', filtered))).toMatchObject({
      filter: { labels: { env: 'production' }, operation: 'cloud.*' },
      count: { in: 13, change: 12, other: 6 },
    });
    const said =
      '18 of 31 entries (5–6, 18–29, 32–35) are only hashes. Each could be a further step of a change here, such as a denial, a break-glass or a settlement, or a step of another change. The maker of the pack says that 12 of them belong to changes that the filter omits (env=production, cloud.*).';
    expect(await verify(filtered)).toMatchObject({ code: 0, out: expect.stringContaining(said) as string });
    expect(read('README.txt', filtered)).toContain(said.replace(/ \(5[^)]*\)/u, ''));
    const here = await audit(['verify', '--evidence', filtered], { DATA_DIR: log.dataDir });
    expect(here).toMatchObject({ code: 0, out: expect.not.stringContaining('only hashes') as string });
    const { ran: none } = await packOf(log.dataDir, ['--operation', 'cdn.*']);
    expect(none).toMatchObject({
      code: 1,
      out: expect.stringContaining('No matching change was proposed in this period') as string,
    });
  });

  it('ends where the seal ends, and says so', async () => {
    const { dataDir, key } = await logOf([story('r-1', Date.UTC(2099, 9, 2), 'web-1', confirmed)]);
    const out = join(temporaryFolder(), 'pack');
    const made = await audit(['evidence', '--from', '2099-10-01', '--to', '2099-10-31', '--out', out], {
      DATA_DIR: dataDir,
    });
    expect(made.out).toContain(
      'The log is sealed only until 2099-10-02T00:03:00.000Z, so the pack ends there.',
    );
    expect(read('manifest.json', out)).toContain('"sealed_until": "2099-10-02T00:03:00.000Z"');
    expect(read('README.txt', out)).toContain('The log is sealed only until 2099-10-02T00:03:00.000Z');
    expect(await verify(out, [key])).toMatchObject({ code: 0 });
  });

  it('says where the pack starts, and what it can not show of the time before', async () => {
    const start =
      "The pack starts at entry 5. Entries 1 to 4 are not in it, and the pack can't show whether they belong to this period. The period starts on 2026-10-01, and the first entry shown is from 2026-10-05 09:00:00 UTC.";
    expect(read('README.txt')).toContain(start);
    expect((await verify(folder)).out).toContain(
      `Each row matches its entries in this pack, and no number from 5 to 35 is missing.\n6 of 31 entries (5–6, 32–35)`,
    );
    expect((await verify(folder)).out).toContain(start);
    const { folder: whole } = await packOf((await logOf([rounds.flat()])).dataDir);
    expect(read('README.txt', whole)).toContain('The pack starts at entry 1, the first of the log.');
  });

  it('says that a witness signed the first checkpoint after the period had begun', async () => {
    const { dataDir, key } = await logOf(rounds);
    const witness = makeSigningKey('witness.example');
    const store = await openStore({ dataDir });
    const [first] = await store.checkpointsFrom(undefined, 1);
    if (!first) throw new Error('there is no checkpoint');
    const line = cosign(noteText(first.note), witness.name, witness, Date.UTC(2026, 9, 3)).trimEnd();
    await store.keepCosignature({ number: first.number, witness: witness.name, line, at: 0 });
    await store.close();
    const witnessKey = formatVerifierKey(verifierOf(witness, witness.name, 'cosignature'));
    const { folder: pack } = await packOf(dataDir, ['--key', key, '--key', witnessKey]);
    expect((await verify(pack, [key])).out).toContain(
      'A witness signed checkpoints/first at 2026-10-03 00:00:00 UTC, after the start of the period.',
    );
  });

  it('writes "removed" for a reason that was removed', async () => {
    const { dataDir, key } = await logOf(rounds);
    const database = new DatabaseSync(sqliteFile(dataDir));
    database.exec("delete from audit_reasons where typed like '%not today'");
    database.close();
    const { folder: pack } = await packOf(dataDir);
    expect(read('reasons.jsonl', pack)).toContain('{"number":12,"removed":true}\n');
    expect(await verify(pack, [key])).toMatchObject({ code: 0 });
  });

  it.each([
    ['a folder that is not empty', october, 'is not an empty folder', 1],
    [
      'a period without changes',
      ['--from', '2026-12-01', '--to', '2026-12-31'],
      'No matching change was proposed',
      1,
    ],
    [
      'days in the wrong order',
      ['--from', '2026-10-31', '--to', '2026-10-01'],
      '--to must not be before --from',
      2,
    ],
    ['a day that does not exist', ['--from', '2026-10-01', '--to', '2026-10-32'], '--to takes a day', 2],
  ])('makes nothing of %s', async (_, period, message, code) => {
    const out = join(temporaryFolder(), 'out');
    if (message.includes('empty')) mkdirSync(join(out, 'something'), { recursive: true });
    const made = await audit(['evidence', ...period, '--out', out], { DATA_DIR: log.dataDir });
    expect(made.out + made.err).toContain(message);
    expect(made.code).toBe(code);
    expect(readdirSync(dirname(out))).toEqual(message.includes('empty') ? ['out'] : []);
  });

  it('makes nothing of a log that does not verify', async () => {
    const { dataDir } = await logOf(rounds);
    const database = new DatabaseSync(sqliteFile(dataDir));
    database.exec('drop trigger if exists audit_no_update');
    for (const { name } of database.prepare("select name from sqlite_master where type = 'trigger'").all())
      database.exec(`drop trigger "${String(name)}"`);
    database.exec(`update audit set draft = replace(draft, 'U0ALICE', 'U0MALLORY') where seq = 7`);
    database.close();
    const { ran: made } = await packOf(dataDir);
    expect(made).toMatchObject({
      code: 1,
      out: 'The audit log is broken: entry 7 was edited. No pack was made.\n',
    });
  });

  it('takes the key of a backup, which has none, from --key', async () => {
    const backup = temporaryFolder();
    const database = new DatabaseSync(sqliteFile(log.dataDir));
    database.exec(`vacuum into '${sqliteFile(backup)}'`);
    database.close();
    const out = join(temporaryFolder(), 'pack');
    const without = await audit(['evidence', ...october, '--out', out], { DATA_DIR: backup });
    expect(without).toMatchObject({
      code: 2,
      err: expect.stringContaining('No key to verify with.') as string,
    });
    const made = await audit(['evidence', ...october, '--out', out, '--key', log.key], { DATA_DIR: backup });
    expect(made.code).toBe(0);
    expect(read('entries.jsonl', out)).toBe(read('entries.jsonl'));
  });
});

/** Slack's answer to users.info. Bob has left. */
const answer = async (request: IncomingMessage): Promise<object> => {
  const id = new URLSearchParams(await text(request)).get('user') ?? '';
  if (id === 'U0BOB') return { ok: false, error: 'user_not_found' };
  const flags = { deleted: false, is_bot: false, is_restricted: false, is_ultra_restricted: false };
  return {
    ok: true,
    user: {
      id,
      team_id: 'T0LOCAL',
      ...flags,
      real_name: `Name of ${id.slice(2)}${id === 'U0ALICE' ? ') (okta; bob at 9' : ''}`,
    },
  };
};

describe('what a pack takes from others', () => {
  it('ends at the first cosigned checkpoint that covers the period', async () => {
    const { dataDir, key } = await logOf(rounds);
    const witness = makeSigningKey('witness.example');
    const store = await openStore({ dataDir });
    const [, , , covering] = await store.checkpointsFrom(undefined, 5);
    if (!covering) throw new Error('there is no fourth checkpoint');
    const { number, note } = covering;
    const line = cosign(noteText(note), witness.name, witness, Date.UTC(2026, 10, 1)).trimEnd();
    await store.keepCosignature({ number, witness: witness.name, line, at: 0 });
    await store.close();
    const keys = [key, formatVerifierKey(verifierOf(witness, witness.name, 'cosignature'))];
    const { folder: pack } = await packOf(
      dataDir,
      keys.flatMap((one) => ['--key', one]),
    );
    expect(JSON.parse(read('manifest.json', pack))).toMatchObject({
      checkpoints: { last: { size: 29, cosignatures: 1 } },
    });
    expect(read('keys.txt', pack)).toBe(`${keys.join('\n')}\n`);
    expect(await verify(pack, [key])).toMatchObject({ code: 0 });
    const forged = copyOf(pack);
    const last = join(forged, 'checkpoints/last');
    writeFileSync(
      last,
      readFileSync(last, 'utf8').replace(/(?<=— witness\S* .{20})./u, (letter) =>
        letter === 'x' ? 'y' : 'x',
      ),
    );
    expect((await verify(forged, [key])).out).toContain('checkpoints/last: ');
  });

  it('has the names of people in Slack, if asked', async () => {
    const slack = await serve((request, response) => {
      response.setHeader('content-type', 'application/json');
      void answer(request).then((body) => response.end(JSON.stringify(body)));
    });
    onTestFinished(() => slack.close());
    const out = join(temporaryFolder(), 'pack');
    const made = await audit(['evidence', ...october, '--out', out, '--people', 'names'], {
      DATA_DIR: log.dataDir,
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_API_URL: `${slack.url}/api/`,
    });
    expect(made.err).toBe(`Reading the embedded store in ${log.dataDir}.\n`);
    expect(read('changes.csv', out)).toContain(
      ',U0ALICE (Name of ALICE okta bob at 9),C0OPS,rule “production”,U0CAROL (Name of CAROL) (https://login.example.com carol@example.com at ',
    );
    expect(read('changes.csv', out)).toContain(',U0BOB,C0OPS,');
    expect(await verify(out)).toMatchObject({ code: 0 });
    const renamed = copyOf(out);
    const changes = read('changes.csv', renamed).replace('Name of ALICE', 'Name of MALLORY');
    writeFileSync(join(renamed, 'changes.csv'), changes);
    expect(await verify(renamed)).toMatchObject({
      code: 1,
      out: expect.stringContaining(
        'requester is “U0ALICE (Name of MALLORY okta bob at 9)”, and by its entries and the names in manifest.json “U0ALICE (Name of ALICE okta bob at 9)”.\nIts last checkpoint belongs to the log that you compared it with.',
      ) as string,
    });
    const imitating = copyOf(out);
    writeFileSync(
      join(imitating, 'manifest.json'),
      formatManifest({
        ...parseManifest(read('manifest.json', out)),
        names: { U0CAROL: 'Carol) (okta carol at 9' },
      }),
    );
    expect(await verify(imitating)).toMatchObject({
      code: 1,
      out: expect.stringContaining('manifest.json: The name of U0CAROL has characters') as string,
    });
    const { ran: without } = await packOf(log.dataDir, ['--people', 'names']);
    expect(without).toMatchObject({
      code: 2,
      err: expect.stringContaining('Set SLACK_BOT_TOKEN, which --people names needs.') as string,
    });
  });
});
