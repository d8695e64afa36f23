import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { rawLogSecrets, rawLogSettingsReply } from '../../../src/areas/cdn/client/raw-logs.ts';
import { makeFolder } from '../../../src/program/files.ts';
import { type EventStore, eventStore, eventTable, type StoredEvent } from './event-store.ts';
import { type PurgeStore, purgeStore, purgeTable } from './purge-store.ts';
import { type InstanceState, instanceState } from './instance-life.ts';
import { createTaskStore, type TaskStore, taskTable } from './task-store.ts';

const tables = `
  create table if not exists meta (name text primary key, value text not null) strict;
  create table if not exists instance_states (id text primary key, state text not null) strict;
  ${eventTable}
  ${purgeTable}
  create table if not exists raw_log_settings (
    one integer primary key check (one = 1), body text not null
  ) strict;
  ${taskTable}
`;

const storedRawLogSettings = z.strictObject({
  settings: rawLogSettingsReply,
  secrets: z.array(z.enum(rawLogSecrets)),
});

/** The raw log settings as they are kept: of secrets only their names. */
type StoredRawLogSettings = z.output<typeof storedRawLogSettings>;

/** The service's state on disk. A write is on disk when it returns. */
export interface ServiceStore extends EventStore, PurgeStore {
  clock(): number | undefined;
  keepClock(now: number): void;
  instanceState(id: string): InstanceState | undefined;
  /** The states of all instances that were changed, by id. */
  instanceStates(): ReadonlyMap<string, InstanceState>;
  keepInstanceState(id: string, state: InstanceState): void;
  readonly tasks: TaskStore;
  rawLogSettings(): StoredRawLogSettings | undefined;
  keepRawLogSettings(settings: StoredRawLogSettings): void;
  /** Back to the seeded data. */
  reset(): void;
  close(): void;
}

const open = (dataDir: string): DatabaseSync => {
  makeFolder(dataDir);
  const database = new DatabaseSync(join(dataDir, 'local-service.sqlite'), { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;');
    database.exec(`begin exclusive; ${tables} commit;`);
    return database;
  } catch (error) {
    database.close();
    const isLocked = error instanceof Error && /locked|busy/i.test(error.message);
    if (!isLocked) throw error;
    throw new Error(
      `Another local service uses the data directory ${dataDir}: stop it, or name another directory with --data-dir`,
      { cause: error },
    );
  }
};

/**
 * Opens the store of the service in a directory, which is created if missing.
 *
 * @throws Error if another process has it open.
 */
export const openServiceStore = (dataDir: string, seededEvents: readonly StoredEvent[]): ServiceStore => {
  const database = open(dataDir);
  const text = z
    .object({ value: z.string() })
    .transform(({ value }) => value)
    .optional();
  const readMeta = (name: string) =>
    text.parse(database.prepare('select value from meta where name = ?').get(name));
  const writeMeta = (name: string, value: string) => {
    database.prepare('insert or replace into meta values (?, ?)').run(name, value);
  };
  const events = eventStore(database);
  const reset = () => {
    database.exec(
      'begin; delete from instance_states; delete from tasks; delete from storage_events; delete from purges; delete from raw_log_settings;',
    );
    for (const event of seededEvents) events.addEvent(event);
    writeMeta('seeded', 'yes');
    database.exec('commit');
  };
  if (readMeta('seeded') === undefined) reset();

  return {
    clock: () => z.coerce.number().optional().parse(readMeta('clock')),
    keepClock: (now) => {
      writeMeta('clock', String(now));
    },
    instanceState: (id) => {
      const row = database.prepare('select state as value from instance_states where id = ?').get(id);
      const state = text.parse(row);
      return state === undefined ? undefined : instanceState.parse(JSON.parse(state));
    },
    instanceStates: () => {
      const rows = database.prepare('select id, state from instance_states').all();
      return new Map(
        z
          .array(z.object({ id: z.string(), state: z.string() }))
          .parse(rows)
          .map(({ id, state }) => [id, instanceState.parse(JSON.parse(state))] as const),
      );
    },
    keepInstanceState: (id, state) => {
      database.prepare('insert or replace into instance_states values (?, ?)').run(id, JSON.stringify(state));
    },
    ...events,
    ...purgeStore(database),
    tasks: createTaskStore(database),
    rawLogSettings: () => {
      const body = text.parse(database.prepare('select body as value from raw_log_settings').get());
      return body === undefined ? undefined : storedRawLogSettings.parse(JSON.parse(body));
    },
    keepRawLogSettings: (settings) => {
      database.prepare('insert or replace into raw_log_settings values (1, ?)').run(JSON.stringify(settings));
    },
    reset,
    close: () => {
      database.close();
    },
  };
};
