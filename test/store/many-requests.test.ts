import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';

import { expect, it, onTestFinished, vi } from 'vitest';

import type { Start } from '../../src/model/records/requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aProposal, aRequest, aStep } from './sample-request.ts';
import { openStore } from './open-store.ts';

const many = 100_000;

it('the store starts a change among 100,000 that were started just before, and reads a few of them', async () => {
  const dataDir = temporaryFolder();
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  const sample = aRequest();
  await store.propose(aProposal(sample));
  await store.advance(aStep(sample, 'running', { changes: { startedAt: 1 } }));
  await store.advance(aStep({ ...sample, state: 'running', version: 2 }, 'succeeded'));
  const behind = new DatabaseSync(join(dataDir, 'bellhop.db'));
  behind.exec(`create temp table copied as select * from requests;
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${String(many)})
      insert into copied select copied.* from copied, numbers;
    update copied set id = 'm-' || (rowid - 1), started_at = rowid - 1;
    insert into requests select * from copied where rowid > 1`);
  behind.close();

  const rows = vi.spyOn(StatementSync.prototype, 'all');
  onTestFinished(() => rows.mockRestore());
  const next = aRequest({ target: sample.target });
  await store.propose(aProposal(next));
  const check = {
    of: [{ since: 0, limit: 3 }],
    admits: vi.fn<(started: readonly Start[]) => boolean>(() => true),
  };
  await store.advance(aStep(next, 'running', { changes: { startedAt: many + 1 }, check }));

  const looked = check.admits.mock.lastCall?.[0].map(({ id }) => id);
  expect(looked).toEqual([`m-${many}`, `m-${many - 1}`, `m-${many - 2}`]);
  const read = rows.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0));
  expect(read.length).toBeGreaterThan(2);
  expect(Math.max(...read)).toBeLessThanOrEqual(3);
}, 60_000);
