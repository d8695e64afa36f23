import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { AuditDraft, AuditFilter } from '../../src/model/records/audit.ts';
import { type LogKeys, makeSigningKey } from '../../src/audit/tree/signing-key.ts';
import type { Store } from '../../src/store/store.ts';
import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { cpuOf } from '../measure/cpu-of.ts';
import { delayCommits, flushDelay } from '../measure/flush.ts';
import { interleave } from '../measure/interleave.ts';
import { openStore } from '../../test/store/open-store.ts';

const keys: LogKeys = [makeSigningKey('bellhop-audit/bench')];

const few = 1_000;
const some = 10_000;
const many = 100_000;

const draft = (number: number): AuditDraft => ({
  at: 1_000_000_000_000 + number * 1000,
  event: 'ended',
  actor: { team: 'T0LOCAL', user: `U${number % 20}` },
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  operation: 'cloud.reboot',
  input: { instance: `web-${number % 20}`, reason: 'it hangs' },
  target: {
    kind: 'instance',
    name: `web-${number % 20}`,
    key: `instance:1/2/${number % 20}`,
    labels: { env: 'staging', tier: 'web' },
  },
  requestId: `r-${number >> 2}`,
  outcome: 'succeeded',
  correlationId: `c-${number}`,
  policyHash: '0123456789abcdef',
});

const drafts = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => draft(from + index));

/**
 * An append compared with an equally durable plain insert of the same text; pages of a short log and of a long one; verifying
 * both, per entry.
 */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const [short, middle, long] = await Promise.all(
    ['short', 'middle', 'long'].map((name) => openStore({ dataDir: join(folder, name) })),
  );
  if (!short || !middle || !long) throw new Error('no stores');
  try {
    await fill(short, few);
    await fill(middle, some);
    await fill(long, many);
    const compared = [await slowestPage(short, long), await verifications(middle, long)];
    return [...(await appends(folder, short)), ...compared];
  } finally {
    await Promise.all([short, middle, long].map((store) => store.close()));
    rmSync(folder, { recursive: true });
  }
};

async function fill(store: Store, entries: number): Promise<void> {
  for (let from = 0; from < entries; from += 1000) {
    await store.record(drafts(from, Math.min(1000, entries - from)));
    await store.seal(keys, 0);
  }
}

async function appends(folder: string, store: Store): Promise<Comparison[]> {
  const plain = plainInserts(join(folder, 'plain.db'));
  const flush = flushDelay(folder);
  let flushes = 0;
  const endDelay = delayCommits(flush.ms, () => {
    flushes += 1;
  });
  const each = async (
    append: (draft: readonly AuditDraft[]) => unknown,
    together: number,
  ): Promise<number> => {
    const before = flushes;
    const began = performance.now();
    for (let turn = 0; turn < 10; turn += 1) await append(drafts(turn * together, together));
    const time = performance.now() - began;
    if (flushes - before !== 10) throw new Error('an append is not one flush');
    return time / 10 / together;
  };
  const ours = (all: readonly AuditDraft[]) => Promise.all(all.map((one) => store.record([one])));
  const compare = async (together: number) => {
    const figures = await interleave(
      {
        ours: () => each(ours, together),
        plain: () => each(plain.insert, together),
        again: () => each(plain.insert, together),
      },
      { rounds: 41, warmUps: 10 },
    );
    return {
      ours: figures.of('ours'),
      other: figures.of('plain'),
      unit: 'ms',
      ratio: figures.ratio('ours', 'plain'),
      control: figures.ratio('again', 'plain'),
    };
  };
  const single = {
    ...(await compare(1)),
    what: 'append to the audit, durable',
    note: flush.note,
    beside: 'SQLite insert of the same text, durable',
    aim: { atMost: 1.3 },
  };
  const grouped = {
    ...(await compare(64)),
    what: 'each of 64 appends that arrive together and share a flush',
    beside: 'each of 64 inserts in one transaction',
  };
  endDelay();
  plain.close();
  return [single, grouped];
}

function plainInserts(file: string) {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec('create table plain (seq integer primary key, draft text not null)');
  const insert = database.prepare('insert into plain (draft) values (?)');
  return {
    insert: (all: readonly AuditDraft[]) => {
      database.exec('begin immediate');
      for (const one of all) insert.run(JSON.stringify(one));
      database.exec('commit');
    },
    close: () => database.close(),
  };
}

/** Each finds as many rows in the first 1,000 entries as in any later ones. */
const filtersAt = (count: number): Record<string, AuditFilter> => ({
  'the newest': { limit: 50 },
  'before the middle': { limit: 50, before: count >> 1 },
  'of an actor': { limit: 50, actor: { team: 'T0LOCAL', user: 'U7' } },
  'of a target': { limit: 50, targetName: 'web-7' },
  'of a request': { limit: 50, requestId: 'r-7' },
  'of the last 50 s': { limit: 50, since: draft(count - 50).at },
});

/** The kind of page whose time grows most. */
async function slowestPage(short: Store, long: Store): Promise<Comparison> {
  const shortFilters = filtersAt(few);
  const comparisons: Comparison[] = [];
  for (const [name, longFilter] of Object.entries(filtersAt(many))) {
    const shortFilter = shortFilters[name] ?? longFilter;
    const found = (await short.audit(shortFilter)).length;
    const page = async (store: Store, filter: AuditFilter): Promise<number> => {
      const began = performance.now();
      for (let turn = 0; turn < 20; turn += 1) {
        if ((await store.audit(filter)).length !== found) throw new Error(`a page ${name} is incomplete`);
      }
      return (performance.now() - began) / 20;
    };
    const figures = await interleave(
      {
        long: () => page(long, longFilter),
        short: () => page(short, shortFilter),
        again: () => page(short, shortFilter),
      },
      { rounds: 21, warmUps: 5 },
    );
    comparisons.push({
      what: `page of the audit at ${many.toLocaleString('en')} entries, the one of ${Object.keys(shortFilters).length} kinds that grows most`,
      note: `${name}, ${found} entries`,
      ours: figures.of('long'),
      beside: `at ${few.toLocaleString('en')}`,
      other: figures.of('short'),
      unit: 'ms',
      ratio: figures.ratio('long', 'short'),
      aim: { atMost: 1.2 },
      control: figures.ratio('again', 'short'),
    });
  }
  return comparisons.reduce((most, one) => (one.ratio > most.ratio ? one : most));
}

/** Microseconds of CPU per entry, because elapsed time also depends on what the disk has cached. */
async function verification(store: Store, entries: number): Promise<number> {
  globalThis.gc?.();
  const spent = await cpuOf(async () => {
    const verdict = await verifyAudit(store);
    if (!verdict.intact || verdict.size !== entries) throw new Error('the record was not verified');
  });
  return spent / entries;
}

/** Verifies the long log once, between rounds of the short one. */
async function verifications(middle: Store, long: Store): Promise<Comparison> {
  const short = () => verification(middle, some);
  const before = await interleave({ short }, { rounds: 9, warmUps: 3 });
  const began = performance.now();
  const ours = await verification(long, many);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const after = await interleave({ short }, { rounds: 9, warmUps: 0 });
  const other = (before.of('short') + after.of('short')) / 2;
  return {
    what: `verify ${many.toLocaleString('en')} entries: an entry`,
    note: `${seconds} s in all`,
    ours,
    beside: `of ${some.toLocaleString('en')}`,
    other,
    unit: 'µs CPU',
    ratio: ours / other,
    aim: { atMost: 1.2 },
    control: after.of('short') / before.of('short'),
  };
}
