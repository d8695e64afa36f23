/**
 * What the embedded store costs beside plain SQLite, and how it grows: `node bench/store.ts [entries] [open requests]`.
 * Medians of rounds, interleaved with what they are compared to, on databases in the temporary directory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { AuditDraft } from '../src/core/audit.ts';
import type { AuditFilter, Store } from '../src/core/ports.ts';
import type { Request } from '../src/core/request.ts';
import { openStore } from '../src/store/open-store.ts';
import { verifyAudit } from '../src/store/verify-audit.ts';

const [, , manyEntries = '1000000', manyRequests = '100000'] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
const lines: string[] = [];

const draft = (number: number): AuditDraft => ({
  at: 1_000_000_000_000 + number * 1000,
  event: 'ended',
  actor: { team: 'T0LOCAL', user: `U${number % 20}` },
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  operation: 'cloud.reboot',
  input: { instance: 'web-1', reason: 'it hangs' },
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

const request = (number: number): Request => ({
  id: `r-${number}`,
  version: 1,
  state: 'proposed',
  operation: 'cloud.reboot',
  input: { instance: `web-${number}` },
  words: `/cloud reboot web-${number}`,
  target: { kind: 'instance', name: `web-${number}`, project: 1, region: 2, id: `${number}`, labels: {} },
  targetKey: `instance:1/2/${number}`,
  preview: [],
  requester: { team: 'T0LOCAL', user: `U${number % 20}` },
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  decision: { effect: 'confirm', rule: 'rule 1', approvers: [], approvals: 1, typeName: false },
  approvals: [],
  createdAt: number,
  expiresAt: number,
  policyHash: '0123456789abcdef',
  correlationId: `c-${number}`,
});

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function medianOf(rounds: number, work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(() => work(round)));
  return median(times);
}

function report(what: string, milliseconds: number, beside: string, other: number): void {
  lines.push(
    `${what.padEnd(58)} ${milliseconds.toFixed(3).padStart(11)} ms   ${beside.padEnd(38)} ${other.toFixed(3).padStart(11)} ms   × ${(milliseconds / other).toFixed(2)}`,
  );
}

function plainInsert() {
  const database = new DatabaseSync(join(folder, 'plain.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  database.exec('create table plain (seq integer primary key, draft text not null)');
  const insert = database.prepare('insert into plain (draft) values (?)');
  return (drafts: readonly AuditDraft[]) => {
    database.exec('begin immediate');
    for (const one of drafts) insert.run(JSON.stringify(one));
    database.exec('commit');
  };
}

async function appends(store: Store): Promise<void> {
  const plain = plainInsert();
  for (const together of [1, 64]) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      const drafts = numbers(together, round * together).map(draft);
      theirs.push(await timed(() => plain(drafts)));
      ours.push(await timed(() => Promise.all(drafts.map((one) => store.record([one])))));
    }
    report(
      `append, ${together} at a time, each durable`,
      median(ours) / together,
      'plain insert',
      median(theirs) / together,
    );
  }
}

async function fill(store: Store, entries: number): Promise<void> {
  const { seq } = await store.auditHead();
  for (let from = seq; from < entries; from += 2000) {
    await store.record(numbers(Math.min(2000, entries - from), from).map(draft));
  }
}

/** Each finds as many of 1,000 entries as of any more. */
const filtersAt = (count: number): Record<string, AuditFilter> => ({
  newest: { limit: 50 },
  'from the middle': { limit: 50, before: count >> 1 },
  'of an actor': { limit: 50, actor: { team: 'T0LOCAL', user: 'U7' } },
  'of a target': { limit: 50, targetName: 'web-7' },
  'of a request': { limit: 50, requestId: 'r-7' },
  'of the last minute': { limit: 50, since: draft(count - 60).at },
});

async function pages(few: Store, many: Store, entries: number): Promise<void> {
  for (const [name, filter] of Object.entries(filtersAt(entries))) {
    const short = filtersAt(1000)[name] ?? filter;
    await medianOf(50, () => Promise.all([few.audit(short), many.audit(filter)]));
    const one = await medianOf(300, () => few.audit(short));
    const other = await medianOf(300, () => many.audit(filter));
    report(`page of 50, ${name}, at ${entries} entries`, other, 'at 1000', one);
  }
}

async function verifies(few: Store, many: Store, entries: number): Promise<void> {
  const short = await medianOf(5, () => verifyAudit(few));
  const long = await timed(() => verifyAudit(many));
  report(
    `verify an entry, of ${entries} (all: ${(long / 1000).toFixed(1)} s)`,
    long / entries,
    'of 1000',
    short / 1000,
  );
}

async function openRequests(count: number): Promise<Store> {
  const store = await openStore({ dataDir: join(folder, `open-${count}`) });
  for (let from = 1; from <= count; from += 500) {
    const together = numbers(Math.min(500, count - from + 1), from).map(request);
    await Promise.all(together.map((one) => store.propose({ request: one, showUntil: 0, audit: [] })));
  }
  return store;
}

async function sweeps(count: number): Promise<void> {
  const [few, many] = [await openRequests(10), await openRequests(count)];
  const each: Record<string, (store: Store, round: number) => Promise<unknown>> = {
    'sweep that finds nothing due': (store) => store.due(0, 10),
    'sweep that finds 10 due': (store) => store.due(10, 10),
    'claim that finds no card': (store) => store.claimStaleCards(-1, 1, 10),
    'claim of 10 cards': (store, round) => store.claimStaleCards(round, 1, 10),
    'list of 10 open requests': (store) => store.list({ states: ['proposed', 'running'], limit: 10 }),
  };
  for (const [name, ask] of Object.entries(each)) {
    await medianOf(30, (round) => Promise.all([ask(few, round), ask(many, round)]));
    const one = await medianOf(300, (round) => ask(few, 100 + round));
    const other = await medianOf(300, (round) => ask(many, 100 + round));
    report(`${name}, at ${count} open`, other, 'at 10', one);
  }
  await Promise.all([few.close(), many.close()]);
}

const few = await openStore({ dataDir: join(folder, 'few') });
const many = await openStore({ dataDir: join(folder, 'many') });
try {
  await appends(many);
  await Promise.all([fill(few, 1000), fill(many, Number(manyEntries))]);
  await pages(few, many, Number(manyEntries));
  await verifies(few, many, Number(manyEntries));
  await sweeps(Number(manyRequests));
  process.stdout.write(`Node ${process.version}\n${lines.join('\n')}\n`);
} finally {
  await Promise.all([few.close(), many.close()]);
  rmSync(folder, { recursive: true });
}
