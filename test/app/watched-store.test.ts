import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Store } from '../../src/store/store.ts';
import { watchStore } from '../../src/app/health/watched-store.ts';
import { dueAfter } from '../../src/features/index.ts';
import { roomEvent } from '../../src/model/records/audit.ts';
import { dueKind } from '../../src/model/records/due.ts';
import { alice } from '../people.ts';
import { aDraft, aProposal, aRequest, aStep } from '../store/sample-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from '../store/open-store.ts';

let dataDir: string;
let store: Store;
let calls: string[];
let happened: string[];

beforeEach(async () => {
  dataDir = temporaryFolder();
  calls = [];
  happened = [];
  store = watchStore(await openStore({ dataDir }), {
    afterCall: (method, ok, ms) => void calls.push(`${method} ${ok ? 'ok' : 'failed'} ${ms >= 0}`),
    happened: ({ event }) => void happened.push(event),
    staged: () => void happened.push('staged'),
    due: () => void happened.push('due'),
    dueAfter,
  });
});
afterEach(() => store.close());

it('measures the calls of the store, and reports its writes', async () => {
  const request = aRequest();
  const audit = [aDraft({ event: 'proposed' })];
  await store.propose(aProposal(request, { audit }));
  await store.advance(aStep(request, 'running'));
  await store.record([aDraft({ event: 'read' })]);
  expect(await store.find(request.id)).toMatchObject({ state: 'running' });
  expect(calls).toEqual(['propose ok true', 'advance ok true', 'record ok true', 'find ok true']);
  expect(happened).toEqual(['proposed', 'staged', 'confirmed', 'staged', 'read', 'staged']);
});

const alertEntries = () => [aDraft({ event: roomEvent.parse('alert firing') })];

it('reports the entries of alerts, lasting records and closed reviews, once they are committed', async () => {
  const update = { key: 'db-1 down', status: 'firing', digest: '1', content: { title: 'Down' } } as const;
  const group = { fold: { kind: 'open', in: 'message', tier: 'target' }, update, rank: 4, told: {} } as const;
  const received = { source: 'grafana', channel: 'C0OPS', at: 1, messageId: 'a-1', update };
  await store.foldOffer({ ...received, fold: () => group, entries: alertEntries });
  await store.foldOffer({
    ...received,
    fold: () => ({ ...group, fold: { kind: 'nothing', why: 'repeated' } }),
    entries: alertEntries,
  });
  await store.changeLasting(dueKind('hold'), 1, () => ({
    drafts: [],
    audit: [aDraft({ event: roomEvent.parse('held') })],
  }));
  await expect(
    store.changeLasting(dueKind('hold'), 1, () => {
      throw new Error('too many');
    }),
  ).rejects.toThrow('too many');
  const closing = {
    by: alice,
    at: 2,
    word: 'fine',
    audit: [aDraft({ event: roomEvent.parse('review closed') })],
  };
  expect(await store.closeReview({ ...closing, requestId: 'none' })).toBeUndefined();
  const request = aRequest();
  await store.propose(aProposal(request));
  const review = { rule: 'r', approvers: ['leads'] };
  await store.advance(aStep(request, 'running', { changes: { review }, audit: [] }));
  expect(await store.closeReview({ ...closing, requestId: request.id })).toMatchObject({ id: request.id });
  const seen = happened.filter((one) => one !== 'due');
  expect(seen).toEqual(['alert firing', 'staged', 'held', 'staged', 'review closed', 'staged']);
});

it('the watch of the store does not count what did not happen: a conflict, a lost race', async () => {
  const request = aRequest();
  await store.propose(aProposal(request));
  const audit = [aDraft({ event: 'proposed' })];
  const other = aRequest({ target: request.target });
  expect(await store.propose(aProposal(other, { audit }))).toMatchObject({ conflict: { id: request.id } });
  expect(await store.advance(aStep({ ...request, version: 9 }, 'running'))).toBeUndefined();
  expect(happened).toEqual([]);
});

it('the watch of the store tells of a failure, and counts a read that was answered though it cannot be written down', async () => {
  await store.close();
  calls = [];
  await expect(store.record([aDraft({ event: 'read' })])).rejects.toMatchObject({
    code: 'store-unavailable',
  });
  expect(calls).toEqual(['record failed true']);
  expect(happened).toEqual(['read']);
});
