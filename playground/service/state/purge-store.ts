import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const purgeTable = `
  create table if not exists purges (
    id integer primary key autoincrement, resource integer not null, paths text not null, urls text not null,
    created integer not null
  ) strict;
`;

const paths = z
  .string()
  .transform((json): unknown => JSON.parse(json))
  .pipe(z.array(z.string()).nullable());

const storedPurge = z.object({
  id: z.number(),
  resource: z.number(),
  paths,
  urls: paths,
  created: z.number(),
});

/** A purge as it is kept: exact `urls` or patterns, and when it was requested, epoch milliseconds. */
export type StoredPurge = z.output<typeof storedPurge>;

export interface PurgeStore {
  /** Newest first. */
  purges(): StoredPurge[];
  addPurge(purge: Omit<StoredPurge, 'id'>): void;
}

export const purgeStore = (database: DatabaseSync): PurgeStore => ({
  purges: () => z.array(storedPurge).parse(database.prepare('select * from purges order by id desc').all()),
  addPurge: (purge) => {
    database
      .prepare('insert into purges (resource, paths, urls, created) values (?, ?, ?, ?)')
      .run(purge.resource, JSON.stringify(purge.paths), JSON.stringify(purge.urls), purge.created);
  },
});
