import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { formatManifest, parseManifest } from '../../../src/features/evidence/pack/manifest.ts';
import { verifyPack } from '../../../src/features/evidence/pack/verify-pack.ts';
import { packFolder } from '../../../src/features/evidence/pack-folder.ts';
import { alterations } from './alterations.ts';
import { audit, copyOf, logOf, packOf, rounds } from './october.ts';

let log: Awaited<ReturnType<typeof logOf>>;
let folder: string;
let other: string;
const read = (name: string, pack = folder): string => readFileSync(join(pack, name), 'utf8');
const verify = (pack: string, key = [log.key]) =>
  audit(['verify', '--evidence', pack, ...key.flatMap((one) => ['--key', one])], {});

beforeAll(async () => {
  log = await logOf(rounds);
  ({ folder } = await packOf(log.dataDir));
  const later = rounds.map((drafts) => drafts.map((one) => ({ ...one, at: one.at + 1 })));
  ({ folder: other } = await packOf((await logOf(later)).dataDir));
});

describe('npm run audit -- verify --evidence', () => {
  it('finds a pack intact by the key of the reader, or by the keys that sign here', async () => {
    expect(await verify(folder)).toMatchObject({
      code: 0,
      out: expect.stringContaining('25 entries, of the log bellhop-audit/') as string,
    });
    expect(await audit(['verify', '--evidence', folder], { DATA_DIR: log.dataDir })).toMatchObject({
      code: 0,
    });
    const { dataDir: elsewhere } = await logOf(rounds.slice(0, 1));
    expect(await audit(['verify', '--evidence', folder], { DATA_DIR: elsewhere })).toMatchObject({
      code: 1,
      out: expect.stringContaining('Signed by a different key than the keys that sign here\n') as string,
    });
  });

  it('trusts no key that is only in the pack', async () => {
    const { code, out } = await verify(folder, []);
    expect(out).toContain(`${folder}: Intact, but not compared\n`);
    expect(out).toContain('25 entries, of a log that calls itself bellhop-audit/');
    expect(out).toMatch(/^ {4}SHA-256 [0-9a-f]{64}$/mu);
    expect(code).toBe(2);
    const stranger = (await logOf(rounds.slice(0, 1))).key;
    expect(await verify(folder, [stranger])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Signed by a different key than the key that you gave\n') as string,
    });
  });

  it.each(alterations)('names $what', async ({ alter, named }) => {
    const copy = copyOf(folder);
    alter(copy, other);
    const { code, out } = await verify(copy);
    expect(out.split('\n').slice(1)).toContainEqual(expect.stringContaining(named));
    expect(code).toBe(1);
  });

  it('takes no row as proved by an altered entry if changes.csv is missing, too', async () => {
    const copy = copyOf(folder);
    alterations.find(({ what }) => what === 'an entry')?.alter(copy, other);
    rmSync(join(copy, 'changes.csv'));
    const marks: unknown[] = [];
    await verifyPack(packFolder(copy), {}, { onRow: (_, mark) => void marks.push(mark) });
    expect(marks).toEqual(Array.from({ length: 6 }, () => 'unverified'));
  });

  it('names each file of which a single byte was altered', async () => {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.includes('.') || name.includes('/'),
    );
    for (const name of names.filter((one) => !['README.txt', 'index.html'].includes(one))) {
      const copy = copyOf(folder);
      const bytes = readFileSync(join(copy, name));
      const at = Math.floor(bytes.length / 2);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(join(copy, name), bytes);
      const { code, out } = await verify(copy);
      expect(out).toContain(`\n${name.replace('entries.jsonl', '')}`);
      expect(code).toBe(1);
    }
  });

  it('finds a change that the maker of the pack passed off as another entry, where it can read the log', async () => {
    const { folder: filtered } = await packOf(log.dataDir, ['--labels', 'env=production']);
    const relabelled = copyOf(filtered);
    const numbers = read('numbers.csv', relabelled).replaceAll(/^(2[6-9],.*),change/gmu, '$1,other');
    writeFileSync(join(relabelled, 'numbers.csv'), numbers);
    const manifest = parseManifest(read('manifest.json', relabelled));
    const count = { ...manifest.count, change: manifest.count.change - 4, other: manifest.count.other + 4 };
    writeFileSync(join(relabelled, 'manifest.json'), formatManifest({ ...manifest, count }));
    expect(await verify(relabelled)).toMatchObject({ code: 0 });
    const { code, out } = await audit(['verify', '--evidence', relabelled], { DATA_DIR: log.dataDir });
    expect(out).toContain('numbers.csv: Entry 26 differs from the log, which counts it as “change”.');
    expect(code).toBe(1);
  });
});
