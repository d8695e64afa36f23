import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { storedMessageSchema } from './history.ts';

const scheduledSchema = z.object({
  id: z.string(),
  /** Epoch seconds. */
  post_at: z.number().int(),
  message: storedMessageSchema.omit({ ts: true }),
});
export type Scheduled = z.infer<typeof scheduledSchema>;

/** Messages that the app has scheduled, stored on disk until they are posted. */
export interface ScheduledMessages {
  add(scheduled: Scheduled): void;
  remove(id: string): void;
  all(): Scheduled[];
}

const rowSchema = z.object({ json: z.string() });

export function openScheduled(database: DatabaseSync): ScheduledMessages {
  const insert = database.prepare('INSERT INTO scheduled (id, json) VALUES (?, ?)');
  const erase = database.prepare('DELETE FROM scheduled WHERE id = ?');
  const select = database.prepare('SELECT json FROM scheduled');
  return {
    add: (scheduled) => void insert.run(scheduled.id, JSON.stringify(scheduled)),
    remove: (id) => void erase.run(id),
    all: () => select.all().map((row) => scheduledSchema.parse(JSON.parse(rowSchema.parse(row).json))),
  };
}
