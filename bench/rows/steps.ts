import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { lastSealedFile } from '../../src/audit/own-files.ts';
import { createSealer, type Sealer } from '../../src/audit/seal.ts';
import { systemClock } from '../../src/app/process/this-process.ts';
import { type LogKeys, makeSigningKey } from '../../src/audit/tree/signing-key.ts';
import { verifyAudit } from '../../src/audit/verify/verify-audit.ts';
import type { Store } from '../../src/store/store.ts';
import { startPostgres } from '../../test/postgres.ts';
import { aDraft, aProposal, aRequest, aStep } from '../../test/store/sample-request.ts';
import type { Comparison, Measure } from '../comparison.ts';
import { interleave } from '../measure/interleave.ts';
import { openStore } from '../../test/store/open-store.ts';

/** The delay before each flush of the server, in milliseconds, so that flushes dominate. */
const flushMs = 20;
/** More callers than share a transaction, so that no replica is ever idle. */
const callers = 150;
const leadInMs = 500;
const overMs = 2000;
/** How long an entry may wait to be sealed under this load, in milliseconds. */
const maxUnsealedMs = 2000;

interface Replica {
  readonly store: Store;
  readonly sealer: Sealer;
}

/**
 * Steps of requests with their audit entries, by two stores in one process on one PostgreSQL whose flushes dominate; and how long
 * entries wait to be sealed in the meantime.
 */
export const measure: Measure = async () => {
  const postgres = await startPostgres([`commit_delay=${flushMs * 1000}`, 'commit_siblings=0']);
  const databaseUrl = await postgres.createDatabase();
  const keys: LogKeys = [makeSigningKey('bellhop-audit/bench')];
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-bench-'));
  const replicas = await Promise.all(
    [1, 2].map(async (): Promise<Replica> => {
      const store = await openStore({ databaseUrl });
      const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
      const file = lastSealedFile(await mkdtemp(join(folder, 'replica-')));
      return { store, sealer: createSealer({ store, keys, file, clock: systemClock, log }) };
    }),
  );
  const [first, second] = replicas;
  if (!first || !second) throw new Error('no stores');
  const ages: number[] = [];
  try {
    const figures = await interleave(
      {
        two: () => stepsOver([first, second], ages),
        one: () => stepsOver([first], []),
        again: () => stepsOver([second], []),
      },
      { rounds: 3, warmUps: 1 },
    );
    await first.sealer.seal();
    const verdict = await verifyAudit(first.store);
    if (!verdict.intact) throw new Error(verdict.why);
    return [scaling(figures), unsealedAge(ages)];
  } finally {
    for (const { store } of replicas) await store.close();
    await postgres.remove();
    await rm(folder, { recursive: true });
  }
};

const scaling = (figures: Awaited<ReturnType<typeof interleave>>): Comparison => ({
  what: `two replicas on PostgreSQL, ${flushMs} ms added to each flush: steps with their audit entries`,
  ours: figures.of('two'),
  beside: 'one replica',
  other: figures.of('one'),
  unit: 'a second',
  ratio: figures.ratio('two', 'one'),
  aim: { atLeast: 1.8 },
  control: figures.ratio('again', 'one'),
});

function unsealedAge(ages: readonly number[]): Comparison {
  const p99 = ages.toSorted((one, other) => one - other)[Math.floor(ages.length * 0.99)] ?? Number.NaN;
  return {
    what: 'age of the oldest entry that is not sealed, under that load, p99',
    ours: p99,
    beside: 'the promise',
    other: maxUnsealedMs,
    unit: 'ms',
    ratio: p99 / maxUnsealedMs,
    aim: { atMost: 1 },
  };
}

/** Steps per second, once all callers are active. */
async function stepsOver(replicas: readonly [Replica, ...Replica[]], ages: number[]): Promise<number> {
  const ending = new AbortController();
  let done = 0;
  const running = replicas.flatMap(({ store, sealer }) =>
    Array.from({ length: callers }, async () => {
      while (!ending.signal.aborted) {
        for (const step of stepsOfOne(store)) {
          await step();
          sealer.wake();
          done += 1;
        }
      }
    }),
  );
  await delay(leadInMs);
  const [began, before] = [performance.now(), done];
  const [{ store }] = replicas;
  while (performance.now() - began < overMs) {
    await delay(50);
    const { audit } = await store.tally(Date.now());
    ages.push(audit.oldestUnsealedAt === undefined ? 0 : Date.now() - audit.oldestUnsealedAt);
  }
  const perSecond = ((done - before) / (performance.now() - began)) * 1000;
  ending.abort();
  await Promise.all(running);
  await Promise.all(replicas.map(({ sealer }) => sealer.seal()));
  return perSecond;
}

/** A request from its proposal to its end. */
function stepsOfOne(store: Store): readonly (() => Promise<unknown>)[] {
  const request = aRequest();
  const audit = (outcome: string) => [aDraft({ at: Date.now(), requestId: request.id, outcome })];
  return [
    () => store.propose(aProposal(request, { audit: audit('proposed') })),
    () => store.advance(aStep(request, 'running', { audit: audit('running') })),
    () =>
      store.advance(
        aStep({ ...request, state: 'running', version: 2 }, 'succeeded', { audit: audit('succeeded') }),
      ),
  ];
}
