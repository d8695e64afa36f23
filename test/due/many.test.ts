import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

import { cardKind, type Due, type Outcome } from '../../src/model/records/due.ts';
import { openDatabase } from '../../src/store/open-store.ts';
import { createDrivenClock } from '../driven-clock.ts';
import { dueQueue } from './due-queue.ts';
import { createStore } from '../store/open-store.ts';
import { noticeKind } from '../../src/model/records/requests.ts';

const backlog = 100_000;

it('a backlog of 100,000 is worked off the oldest first, a few at a time, and holds up no other kind', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-many-'));
  const database = await openDatabase({ dataDir });
  onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  const clock = createDrivenClock();
  const now = clock.now();
  await database.writeAlone((queries) =>
    sql`insert into due (kind, key, version, at, since, set_at, tries)
      with recursive made(n) as (select 1 union all select n + 1 from made where n < ${backlog})
      select 'card', 'r-' || n, 1, ${now} - n, ${now} - n, ${now} - n, 0 from made
      union all select 'notice', 'r-1 waiting', 1, ${now}, ${now}, ${now}, 0`.execute(queries),
  );
  const real = createStore(database);
  const claims: number[] = [];
  const store: typeof real = {
    ...real,
    async claimDue(...given) {
      const claimed = await real.claimDue(...given);
      claims.push(claimed.length);
      return claimed;
    },
  };
  const done: string[] = [];
  const over = Promise.withResolvers<undefined>();
  const handle = async ({ kind, key }: Due): Promise<Outcome> => {
    done.push(`${kind} ${key}`);
    if (done.length === 1001) over.resolve(undefined);
    return { done: true };
  };
  const queue = dueQueue(store, clock, [
    { kind: cardKind, atOnce: 20, trouble: 'a card', handle },
    { kind: noticeKind, atOnce: 10, trouble: 'a notice', handle },
  ]);
  await queue.round();
  expect(done.slice(0, 21)).toContain('notice r-1 waiting');
  await over.promise;
  const cards = done.filter((one) => one.startsWith('card '));
  const oldest = Array.from({ length: 1000 }, (_, at) => `card r-${backlog - at}`);
  expect(cards.slice(0, 1000).toSorted()).toEqual(oldest.toSorted());
  expect(Math.max(...claims)).toBeLessThanOrEqual(30);
});
