import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { keepOwnKey } from '../../../src/audit/own-files.ts';
import { parseCheckpoint } from '../../../src/audit/tree/checkpoint.ts';
import {
  formatVerifierKey,
  noteText,
  parseVerifierKey,
  verifierOf,
} from '../../../src/audit/tree/signed-note.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';
import { conclusionOf } from '../../../src/features/evidence/account.ts';
import { formatManifest, parseManifest } from '../../../src/features/evidence/pack/manifest.ts';
import { type VerifiedPack, verifyPack } from '../../../src/features/evidence/pack/verify-pack.ts';
import { packFolder } from '../../../src/features/evidence/pack-folder.ts';
import { cosign } from '../../audit/cosign.ts';
import { sealAll } from '../../store/contract/opened.ts';
import { openStore } from '../../store/open-store.ts';
import { audit, copyOf, forgedPack, logOf, packOf, rounds } from './october.ts';

const kept = (folder: string, name: string) => {
  const note = readFileSync(join(folder, 'checkpoints', name), 'utf8');
  return { ...parseCheckpoint(noteText(note)), note };
};

const saidOf = (pack: VerifiedPack): string =>
  conclusionOf(pack, 'the key that you gave').paragraphs.join('\n');

const doubt = (size: number): string =>
  `The pack continues the checkpoint of ${size} entries that you gave. But none of the keys that signed yours signed the last checkpoint of the pack.`;

describe('a checkpoint that the reader kept', () => {
  let folder: string;
  let forged: string;

  beforeAll(async () => {
    ({ folder, forged } = await forgedPack());
  });

  it('does not vouch for entries that another key signed after it', async () => {
    const verdict = await verifyPack(packFolder(forged), { checkpoints: [kept(folder, 'first')] });
    expect(verdict).toMatchObject({ faults: [], unlike: undefined, compared: false });
    expect(saidOf(verdict)).toContain(doubt(4));
  });

  it('vouches for a pack that the same key signed', async () => {
    const first = kept(folder, 'first');
    const verdict = await verifyPack(packFolder(folder), { checkpoints: [first] });
    expect(verdict).toMatchObject({ compared: true, continued: [] });
    const mangled = first.note.replace(/(?<=\n— bellhop\S* .{20})./u, (sign) => (sign === 'x' ? 'y' : 'x'));
    const doubted = await verifyPack(packFolder(folder), { checkpoints: [{ ...first, note: mangled }] });
    expect(doubted).toMatchObject({ compared: false, continued: [{ size: 4 }] });
  });

  it('vouches for the same entries under any signature', async () => {
    const last = kept(folder, 'last');
    const note = `${noteText(last.note)}\n— someone.example ${Buffer.alloc(70).toString('base64')}\n`;
    const { compared } = await verifyPack(packFolder(folder), { checkpoints: [{ ...last, note }] });
    expect(compared).toBe(true);
  });
});

describe("a witness's key", () => {
  it('shows whose cosignature it is, and vouches for no log', async () => {
    const { dataDir, key } = await logOf(rounds);
    const witness = makeSigningKey('witness.example');
    const store = await openStore({ dataDir });
    const covering = (await store.checkpointsFrom(undefined, 5)).find(({ size }) => size === 29);
    if (!covering) throw new Error('there is no checkpoint of 29 entries');
    const { number, note } = covering;
    const line = cosign(noteText(note), witness.name, witness, Date.UTC(2026, 10, 1)).trimEnd();
    await store.keepCosignature({ number, witness: witness.name, line, at: 0 });
    await store.close();
    const theirs = verifierOf(witness, witness.name, 'cosignature');
    const given = [key, formatVerifierKey(theirs)].flatMap((one) => ['--key', one]);
    const { folder } = await packOf(dataDir, given);
    expect(readFileSync(join(folder, 'README.txt'), 'utf8')).not.toContain(formatVerifierKey(theirs));
    const files = packFolder(folder);
    const ours = parseVerifierKey(key);
    const seen = 'Cosigned by witness.example at 2026-11-01 00:00:00 UTC';
    expect(saidOf(await verifyPack(files, { keys: [ours] }))).toContain(
      `${seen} (with a key that is not compared).`,
    );
    expect(saidOf(await verifyPack(files, { keys: [ours, theirs] }))).toContain(`${seen}.`);
    const alone = await verifyPack(files, { keys: [theirs] });
    expect(alone).toMatchObject({ compared: false, unlike: undefined });
    expect(saidOf(alone)).toContain('belongs to a witness');
    const ran = await audit(['verify', '--evidence', folder, '--key', formatVerifierKey(theirs)], {});
    expect(ran).toMatchObject({ code: 2, out: expect.stringContaining('belongs to a witness') as string });
    const wrong = formatVerifierKey(verifierOf(makeSigningKey('other.example'), 'other.example'));
    const both = [wrong, formatVerifierKey(theirs)].flatMap((one) => ['--key', one]);
    const named = await audit(['verify', '--evidence', folder, ...both], {});
    expect(named.out).toContain(`${folder}: Signed by a different key than the key that you gave\n`);
    expect(named.out).toContain(`\nNo part of the pack is signed by ${wrong}.\n`);
    expect(named.code).toBe(1);
    const further = verifierOf(makeSigningKey('second.example'), 'second.example', 'cosignature');
    expect(await verifyPack(files, { keys: [theirs, further] })).toMatchObject({ unlike: undefined });
    expect(await verifyPack(files, { keys: [further] })).toMatchObject({ unlike: 'key' });
    expect(saidOf(await verifyPack(files, { keys: [ours, further] }))).toContain(
      `No part of the pack is signed by ${formatVerifierKey(further)}.`,
    );
  });
});

const altered = (pack: string, change: (manifest: ReturnType<typeof parseManifest>) => object): string => {
  const file = join(pack, 'manifest.json');
  const manifest = parseManifest(readFileSync(file, 'utf8'));
  writeFileSync(file, formatManifest({ ...manifest, ...change(manifest) }));
  return pack;
};

describe('what only the log shows', () => {
  let log: Awaited<ReturnType<typeof logOf>>;
  let folder: string;

  beforeAll(async () => {
    log = await logOf(rounds);
    ({ folder } = await packOf(log.dataDir));
  });

  const here = (pack: string) => audit(['verify', '--evidence', pack], { DATA_DIR: log.dataDir });

  it('says that an intact pack has all of the log', async () => {
    expect(await here(folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'The log here has no other entry about a change of this period.',
      ) as string,
    });
  });

  it('finds that a pack begins later than its period', async () => {
    const late = await packOf(log.dataDir, ['--from', '2026-10-07']);
    const pack = altered(late.folder, ({ period }) => ({ period: { ...period, from: '2026-10-01' } }));
    const { code, out } = await here(pack);
    expect(out).toContain(
      'manifest.json: Entry 7 in the log belongs to a change of this period and filter, but the pack has only entries 13 to 35.',
    );
    expect(code).toBe(1);
  });

  it('finds that a pack ends before its period, and the pack alone says what it shows', async () => {
    const { dataDir, key } = await logOf(rounds.slice(0, 3));
    const { folder: pack } = await packOf(dataDir);
    const { period } = parseManifest(readFileSync(join(pack, 'manifest.json'), 'utf8'));
    expect(period.sealed_until).toBeUndefined();
    const verdict = await verifyPack(packFolder(pack), { keys: [parseVerifierKey(key)] });
    expect(saidOf(verdict)).toContain(
      "The pack ends at entry 12, and can't show whether later entries belong to this period. The period ends on 2026-10-31, and the last entry shown is from 2026-10-06 09:01:00 UTC.",
    );
    const store = await openStore({ dataDir });
    await store.record(rounds[3] ?? []);
    await sealAll(store, Date.UTC(2026, 10, 1), [keepOwnKey(dataDir).key]);
    await store.close();
    const verify = () => audit(['verify', '--evidence', pack], { DATA_DIR: dataDir });
    const { code, out } = await verify();
    expect(out).toContain('Entry 13 in the log belongs to a change of this period and filter');
    expect(code).toBe(1);
    altered(pack, () => ({ period: { ...period, sealed_until: '2026-10-06T10:00:00.000Z' } }));
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('finds a reason that the maker of the pack omitted', async () => {
    const pack = copyOf(folder);
    const edit = (name: string, change: (text: string) => string): void =>
      writeFileSync(join(pack, name), change(readFileSync(join(pack, name), 'utf8')));
    edit('reasons.jsonl', (text) => text.replace(/^.*no one answers.*$/mu, '{"number":15,"removed":true}'));
    edit('changes.csv', (text) => text.replace(',no one answers,', ',removed,'));
    const alone = await audit(['verify', '--evidence', pack, '--key', log.key], {});
    expect(alone.code).toBe(0);
    expect(readFileSync(join(pack, 'README.txt'), 'utf8')).toContain('and which reasons were removed.');
    const { code, out } = await here(pack);
    expect(out).toContain('reasons.jsonl: It omits the reason of entry 15, which the log has.');
    expect(code).toBe(1);
  });
});
