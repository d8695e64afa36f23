import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Store } from '../../src/store/store.ts';
import { watchStore } from '../../src/app/health/watched-store.ts';
import { dueAfter } from '../../src/features/index.ts';
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
