import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { dueKind, type Due } from '../../src/model/records/due.ts';
import type { Store } from '../../src/store/store.ts';
import type { Request, State } from '../../src/model/records/request.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { interleave } from '../measure/interleave.ts';
import { openStore } from '../../test/store/open-store.ts';

const few = 10;
const many = 100_000;
/** How many rows a sweep or a claim finds. */
const found = 10;

/** Epoch milliseconds. */
const now = 1_000_000_000_000;
const minute = 60_000;
const hour = 60 * minute;

let made = 0;

/** Open until `ends`. */
function request(ends: number): Request {
  made += 1;
  const name = `web-${made}`;
  return {
    id: `r-${made}`,
    version: 1,
    state: 'proposed',
    operation: 'cloud.reboot',
    input: { instance: name },
    words: `/cloud reboot ${name}`,
    target: { kind: 'instance', name, project: 1, region: 2, id: name, labels: {} },
    targetKey: `instance:1/2/${name}`,
    preview: [],
    requester: { team: 'T0LOCAL', user: `U${made % 20}` },
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    decision: { effect: 'confirm', rule: 'rule 1', approvers: [], approvals: 1, typeName: false },
    approvals: [],
    createdAt: now - minute,
    expiresAt: ends,
    policyHash: '0123456789abcdef',
    correlationId: `c-${made}`,
  };
}

async function propose(store: Store, count: number, next: () => Request): Promise<readonly Request[]> {
  const requests = Array.from({ length: count }, next);
  await Promise.all(requests.map((one) => store.propose({ request: one, at: now - 12_000, audit: [] })));
  return requests;
}

/** All requests wait and none is due. All of their cards are out of date. */
async function storeOf(folder: string, count: number): Promise<Store> {
  const store = await openStore({ dataDir: join(folder, String(count)) });
  for (let left = count; left > 0; left -= 500) {
    await propose(store, Math.min(left, 500), () => request(now + hour));
  }
  return store;
}

async function advance(store: Store, before: Request, to: State): Promise<void> {
  const audit = [
    { at: now, event: 'ended', requestId: before.id, outcome: to, policyHash: '0123456789abcdef' } as const,
  ];
  const changes = to === 'running' ? { startedAt: now } : { endedAt: now };
  const leaseMs = to === 'running' ? minute : undefined;
  const step = { before, to, changes, leaseMs, at: now, audit };
  if (!(await store.advance(step))) throw new Error(`${before.id} was not claimed`);
}

const deadlines = (store: Store, at: number): Promise<readonly Due[]> =>
  store.claimDue(new Map([[dueKind('deadline'), 100]]), at, 1);

/** Handles due work and marks it as done, like the replica that claimed it. */
async function sweep(store: Store, at: number, to: State): Promise<void> {
  const due = await deadlines(store, at);
  if (due.length !== found) throw new Error(`${due.length} are due`);
  for (const one of due) {
    const open = await store.find(one.key);
    if (open) await advance(store, open, to);
    await store.finishDue(one, { done: true }, at);
  }
}

async function claimCards(store: Store, at: number, expected: number): Promise<void> {
  const claimed = await store.claimDue(new Map([[dueKind('card'), found]]), at, 1);
  if (claimed.length !== expected) throw new Error(`${claimed.length} cards were claimed`);
}

/** Each claim comes after the previous one has expired. */
let claims = 0;

interface Work {
  readonly what: string;
  /** How often a round repeats it. */
  readonly turns?: number;
  /** Not timed. */
  readonly before?: (store: Store) => Promise<readonly Request[]>;
  readonly run: (store: Store, requests: readonly Request[]) => Promise<void>;
  readonly after?: (store: Store, requests: readonly Request[]) => Promise<void>;
}

const works: readonly Work[] = [
  {
    what: 'sweep that finds nothing due',
    turns: 20,
    run: async (store) => {
      if ((await deadlines(store, now)).length > 0) throw new Error('something is due');
    },
  },
  {
    what: `expiry sweep: ${found} found and ended, each durable`,
    before: (store) => propose(store, found, () => request(now)),
    run: (store) => sweep(store, now, 'expired'),
  },
  {
    what: `recovery sweep: ${found} expired leases`,
    before: async (store) => {
      const requests = await propose(store, found, () => request(now + hour));
      for (const one of requests) await advance(store, one, 'running');
      return requests;
    },
    run: (store) => sweep(store, now + minute, 'unknown'),
  },
  {
    what: `${found} claims, one after the other: a confirmed request, durable`,
    before: (store) => propose(store, found, () => request(now + hour)),
    run: async (store, requests) => {
      for (const one of requests) await advance(store, one, 'running');
    },
    after: async (store, requests) => {
      for (const one of requests) await advance(store, { ...one, version: 2, state: 'running' }, 'succeeded');
    },
  },
  {
    what: `claim of ${found} outdated cards`,
    run: (store) => {
      claims += 1;
      return claimCards(store, now + 2 * claims, found);
    },
  },
  {
    what: 'claim that finds no outdated card',
    turns: 5,
    run: (store) => claimCards(store, now - 1, 0),
  },
];

/** The time of the work itself, in milliseconds. */
const timed =
  (store: Store, { turns = 1, before, run, after }: Work) =>
  async (): Promise<number> => {
    const requests = (await before?.(store)) ?? [];
    const began = performance.now();
    for (let turn = 0; turn < turns; turn += 1) await run(store, requests);
    const time = (performance.now() - began) / turns;
    await after?.(store, requests);
    return time;
  };

/** The cost of sweeps and claims, with few and with many open requests. */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'));
  const [short, long] = [await storeOf(folder, few), await storeOf(folder, many)];
  const comparisons: Comparison[] = [];
  for (const work of works) {
    const figures = await interleave(
      { long: timed(long, work), short: timed(short, work), again: timed(short, work) },
      { rounds: 21, warmUps: 5 },
    );
    comparisons.push({
      what: `${work.what}, at ${many.toLocaleString('en')} open requests`,
      ours: figures.of('long'),
      beside: `at ${few}`,
      other: figures.of('short'),
      unit: 'ms',
      ratio: figures.ratio('long', 'short'),
      aim: { atMost: 1.2 },
      control: figures.ratio('again', 'short'),
    });
  }
  await Promise.all([short.close(), long.close()]);
  rmSync(folder, { recursive: true });
  return comparisons;
};
