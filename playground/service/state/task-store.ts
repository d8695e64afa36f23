import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { instanceTaskTypes } from '../../../src/areas/cloud/client/instance.ts';

/** Created together with the service's store. */
export const taskTable = `
  create table if not exists tasks (
    id text primary key, created_at integer not null, project_id integer not null, region_id integer not null,
    task_type text not null, body text not null
  ) strict;
  create index if not exists tasks_by_time on tasks (created_at);
`;

const storedTask = z.strictObject({
  id: z.string(),
  task_type: z.enum(instanceTaskTypes),
  /** Epoch milliseconds of the service's clock. */
  createdAt: z.number(),
  endsAt: z.number(),
  /** Why it ends in ERROR; null if it does not. */
  error: z.string().nullable(),
  user_id: z.number(),
  project_id: z.number(),
  region_id: z.number(),
  instance_id: z.string(),
});

/** A task as it is kept: its state follows from the clock. */
export type StoredTask = z.output<typeof storedTask>;

/** Times are epoch milliseconds, both included. */
export interface TaskFilter {
  readonly from: number;
  readonly to: number;
}

/** The tasks of the service. A write has reached the disk when it returns. */
export interface TaskStore {
  add(task: StoredTask): void;
  find(id: string): StoredTask | undefined;
  /** The tasks created in a period, oldest first. */
  between(filter: TaskFilter): StoredTask[];
}

const row = z.object({ body: z.string() }).transform(({ body }) => storedTask.parse(JSON.parse(body)));

export const createTaskStore = (database: DatabaseSync): TaskStore => ({
  add: (task) => {
    database
      .prepare('insert into tasks values (?, ?, ?, ?, ?, ?)')
      .run(task.id, task.createdAt, task.project_id, task.region_id, task.task_type, JSON.stringify(task));
  },
  find: (id) => row.optional().parse(database.prepare('select body from tasks where id = ?').get(id)),
  between: ({ from, to }) =>
    z
      .array(row)
      .parse(
        database
          .prepare('select body from tasks where created_at between ? and ? order by created_at, rowid')
          .all(from, to),
      ),
});
