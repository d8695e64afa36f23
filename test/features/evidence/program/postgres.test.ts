import { join } from 'node:path';

import { expect, it } from 'vitest';

import { keepOwnKey } from '../../../../src/audit/own-files.ts';
import { formatVerifierKey, verifierOf } from '../../../../src/audit/tree/signed-note.ts';
import { commonPostgres } from '../../../common-postgres.ts';
import { sealAll } from '../../../store/contract/opened.ts';
import { openStore } from '../../../store/open-store.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { audit, october, rounds } from '../october.ts';

it('a pack is made from PostgreSQL, and compared with it', async () => {
  const [dataDir, folder] = [temporaryFolder(), join(temporaryFolder(), 'pack')];
  const own = keepOwnKey(dataDir).key;
  const databaseUrl = await commonPostgres.createDatabase();
  const store = await openStore({ databaseUrl });
  for (const drafts of rounds) {
    await store.record(drafts);
    await sealAll(store, 0, [own]);
  }
  await store.close();
  const key = formatVerifierKey(verifierOf(own, own.name));
  const elsewhere = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryFolder() };
  const made = await audit(['evidence', ...october, '--out', folder, '--key', key], elsewhere);
  expect(made).toMatchObject({
    code: 0,
    out: expect.stringContaining(': 6 changes with 25 entries') as string,
  });
  const verified = await audit(['verify', '--evidence', folder, '--key', key], elsewhere);
  expect(verified).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^Reading PostgreSQL at .*\n$/u) as string,
  });
});
