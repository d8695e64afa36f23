import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe } from 'vitest';

import { type Opened, sealedTables } from './contract/opened.ts';
import { storeContract } from './store-contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openStore } from './open-store.ts';

async function openEmbedded(): Promise<Opened> {
  const dataDir = temporaryFolder();
  const unreadable: string[] = [];
  const store = await openStore(
    { dataDir },
    { onUnreadable: ({ table, row, field }) => unreadable.push(`${table} ${row} ${field}`) },
  );
  const behind = new DatabaseSync(join(dataDir, 'bellhop.db'));
  return {
    one: store,
    other: store,
    run: async (statement) => behind.exec(statement),
    unreadable: () => unreadable,
    count: async (table) => Number(behind.prepare(`select count(*) as rows from ${table}`).get()?.rows),
    disarm: async () => {
      for (const table of sealedTables) {
        behind.exec(`drop trigger ${table}_is_never_changed; drop trigger ${table}_is_never_removed`);
      }
    },
    close: async () => {
      behind.close();
      await store.close();
    },
  };
}

describe('the embedded store', () => {
  storeContract(openEmbedded);
});
