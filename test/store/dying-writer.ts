import { DatabaseSync, StatementSync } from 'node:sqlite';

import { Client } from 'pg';

import { anOffer } from './sample-offer.ts';
import { aDraft, aProposal, aRequest, aStep } from './sample-request.ts';
import { alice } from '../people.ts';
import { openStore } from './open-store.ts';
import { dueKind } from '../../src/model/records/due.ts';
import { watchDue } from '../../src/request/outcome/watch.ts';

// A process that makes all kinds of work due, and is killed before one of its statements: node dying-writer.ts <statement>.

const last = Number(process.argv[2]);
let statements = 0;
let isCounted = false;

function count(): void {
  if (!isCounted) return;
  statements += 1;
  if (statements === last) process.kill(process.pid, 'SIGKILL');
}

/** Each call of these functions is a statement. */
function countCalls(of: object, names: readonly string[]): void {
  for (const name of names) {
    const real: unknown = Reflect.get(of, name);
    if (typeof real !== 'function') throw new TypeError(`there is no ${name}`);
    Reflect.set(of, name, function counted(this: unknown, ...given: readonly unknown[]): unknown {
      count();
      const answer: unknown = Reflect.apply(real, this, given);
      return answer;
    });
  }
}
countCalls(DatabaseSync.prototype, ['exec']);
countCalls(StatementSync.prototype, ['run', 'all', 'iterate']);
countCalls(Client.prototype, ['query']);

const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = '' } = process.env;
const store = await openStore(databaseUrl === undefined ? { dataDir } : { databaseUrl });
isCounted = true;
const at = Date.now();
const audit = [aDraft()];
const request = aRequest({ state: 'awaiting approval', expiresAt: at + 60_000 });
const { id: requestId } = request;
await store.propose(aProposal(request, { at, audit }));
await store.markCardShown(requestId, 1, { channel: 'C0OPS', ts: '1.1' });
await store.finishDue(
  { kind: dueKind('card'), key: requestId, version: 1, claimedAt: at },
  { done: true },
  at,
);
const step = { ...aStep(request, 'running'), at, audit };
await store.advance({ ...step, leaseMs: 30_000 });
const running = { ...step, before: { ...request, state: 'running', version: 2 } } as const;
const search = { sent: { from: at, to: at } };
await store.advance({ ...running, to: 'unknown', changes: { outcome: { search } } });
const before = { ...request, state: 'unknown', version: 3 } as const;
const found = { ...step, before, to: 'succeeded', due: [watchDue(request, at + 2000)] } as const;
await store.advance(found);
const waiting = { actor: alice, channel: 'C0OPS', what: '/cloud', at };
await store.claimOnce('a delivery', at, 900_000, { by: 'me', now: at, forMs: 15_000, waiting });
await store.foldOffer(anOffer('firing', at));
await store.foldOffer(anOffer('resolved', at + 1));
await store.close();
process.stdout.write(`${statements}\n`);
