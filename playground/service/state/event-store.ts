import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { eventKindNames } from '../../../src/areas/storage/client/storage-event.ts';

export const eventTable = `
  create table if not exists storage_events (
    name text not null, storage_name text not null, bucket_name text not null,
    uuid text not null, amount integer not null,
    primary key (name, storage_name, bucket_name)
  ) strict;
`;

const storedEvent = z.object({
  name: z.enum(eventKindNames),
  storage_name: z.string(),
  bucket_name: z.string(),
  uuid: z.string(),
  amount: z.number(),
});

/** A storage event as it is kept: `amount` is its bytes or count. */
export type StoredEvent = z.output<typeof storedEvent>;

/** The unique key of an event. */
type NamedEvent = Pick<StoredEvent, 'name' | 'storage_name' | 'bucket_name'>;

/** The storage events that the service keeps on disk, in the order in which they were added. */
export interface EventStore {
  events(): StoredEvent[];
  findEvent(named: NamedEvent): StoredEvent | undefined;
  addEvent(event: StoredEvent): void;
  /** Changes the amount of the event with the same key. */
  changeEvent(event: StoredEvent): void;
  deleteEvent(named: NamedEvent): void;
}

const isNamed = 'name = ? and storage_name = ? and bucket_name = ?';

export const eventStore = (database: DatabaseSync): EventStore => ({
  events: () =>
    z.array(storedEvent).parse(database.prepare('select * from storage_events order by rowid').all()),
  findEvent: ({ name, storage_name: storage, bucket_name: bucket }) =>
    storedEvent
      .optional()
      .parse(database.prepare(`select * from storage_events where ${isNamed}`).get(name, storage, bucket)),
  addEvent: ({ name, storage_name: storage, bucket_name: bucket, uuid, amount }) => {
    database
      .prepare('insert into storage_events values (?, ?, ?, ?, ?)')
      .run(name, storage, bucket, uuid, amount);
  },
  changeEvent: ({ name, storage_name: storage, bucket_name: bucket, amount }) => {
    database
      .prepare(`update storage_events set amount = ? where ${isNamed}`)
      .run(amount, name, storage, bucket);
  },
  deleteEvent: ({ name, storage_name: storage, bucket_name: bucket }) => {
    database.prepare(`delete from storage_events where ${isNamed}`).run(name, storage, bucket);
  },
});
