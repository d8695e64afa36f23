import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

/** Public channels that the app joined by itself, kept on disk. */
export interface JoinedChannels {
  has(channel: string): boolean;
  add(channel: string): void;
}

const rowSchema = z.object({ channel: z.string() });

export function joinedChannels(database: DatabaseSync): JoinedChannels {
  const rows = database.prepare('SELECT channel FROM joined').all();
  const joined = new Set(rows.map((row) => rowSchema.parse(row).channel));
  const insert = database.prepare('INSERT OR IGNORE INTO joined (channel) VALUES (?)');
  return {
    has: (channel) => joined.has(channel),
    add(channel) {
      joined.add(channel);
      insert.run(channel);
    },
  };
}
