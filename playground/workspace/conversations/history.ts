import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { makeFolder } from '../../../src/program/files.ts';
import { attachmentSchema, drawnBlockSchema, reactionSchema } from '../protocol.ts';

/** Metadata that an app attaches to a message for other apps. Source: docs.slack.dev/messaging/message-metadata. */
export const metadataSchema = z.strictObject({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});
export type Metadata = z.infer<typeof metadataSchema>;

/** A message as it is kept. `files` are ids. */
export const storedMessageSchema = z.object({
  channel: z.string(),
  ts: z.string(),
  thread_ts: z.string().optional(),
  user: z.string(),
  is_bot: z.boolean(),
  text: z.string(),
  blocks: z.array(drawnBlockSchema),
  files: z.array(z.string()),
  /** Absent from messages that were stored before blocks were supported. */
  attachments: z.array(attachmentSchema).default([]),
  edited: z.object({ user: z.string(), ts: z.string() }).optional(),
  broadcast: z.boolean(),
  reactions: z.array(reactionSchema).default([]),
  metadata: metadataSchema.optional(),
  /** Set once a message with replies was deleted: its thread stays. */
  tombstone: z.boolean().default(false),
  /** If set, only this person sees the message, and it is never stored. */
  ephemeral_to: z.string().optional(),
});
export type StoredMessage = z.infer<typeof storedMessageSchema>;

/** Messages of all channels. Messages stay after a restart; ephemeral ones do not. */
export interface History {
  save(message: StoredMessage): void;
  find(channel: string, ts: string): StoredMessage | undefined;
  remove(channel: string, ts: string): boolean;
  /** The newest `limit` messages that `user` may see, oldest first. Without a user: those that everyone sees. */
  list(channel: string, limit: number, user?: string): StoredMessage[];
  replies(channel: string, ts: string): StoredMessage[];
  database: DatabaseSync;
  close(): void;
}

const rowSchema = z.object({ json: z.string() });

function parseRow(row: unknown): StoredMessage {
  return storedMessageSchema.parse(JSON.parse(rowSchema.parse(row).json));
}

/**
 * Opens `workspace.db` in `dataDir`, creating it if missing. `reset` deletes the history.
 * @throws Error if another workspace has it open
 */
export function openHistory(dataDir: string, reset: boolean): History {
  makeFolder(dataDir);
  const database = new DatabaseSync(join(dataDir, 'workspace.db'));
  try {
    database.exec(SCHEMA);
    if (reset) for (const table of TABLES) database.exec(`DELETE FROM ${table}`);
  } catch (cause) {
    database.close();
    throw new Error(`${dataDir} cannot be opened. Does another workspace run on it?`, { cause });
  }
  return messagesOf(database);
}

const TABLES = ['messages', 'homes', 'files', 'channels', 'scheduled'] as const;

/** The first write takes the lock, so it is made immediately. */
const SCHEMA = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS messages (
    channel TEXT NOT NULL, ts TEXT NOT NULL, thread_ts TEXT, json TEXT NOT NULL, PRIMARY KEY (channel, ts)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS homes (user TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS files (id TEXT PRIMARY KEY, json TEXT NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS channels (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS scheduled (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT;
  PRAGMA user_version = 1;
`;

const MOST_EPHEMERALS = 1_000;

function key(channel: string, ts: string): string {
  return `${channel}/${ts}`;
}

function messagesOf(database: DatabaseSync): History {
  const ephemerals = new Map<string, StoredMessage>();
  const insert = database.prepare(
    'INSERT OR REPLACE INTO messages (channel, ts, thread_ts, json) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare('SELECT json FROM messages WHERE channel = ? AND ts = ?');
  const erase = database.prepare('DELETE FROM messages WHERE channel = ? AND ts = ?');
  const newest = database.prepare('SELECT json FROM messages WHERE channel = ? ORDER BY ts DESC LIMIT ?');
  const thread = database.prepare(
    'SELECT json FROM messages WHERE channel = ? AND thread_ts = ? AND ts <> ? ORDER BY ts',
  );
  return {
    database,
    save(message) {
      const { channel, ts } = message;
      if (message.ephemeral_to !== undefined) {
        ephemerals.set(key(channel, ts), message);
        const [oldest] = ephemerals.keys();
        if (ephemerals.size > MOST_EPHEMERALS && oldest !== undefined) ephemerals.delete(oldest);
      } else insert.run(channel, ts, message.thread_ts ?? null, JSON.stringify(message));
    },
    find(channel, ts) {
      const row = select.get(channel, ts);
      return row === undefined ? ephemerals.get(key(channel, ts)) : parseRow(row);
    },
    remove: (channel, ts) => ephemerals.delete(key(channel, ts)) || erase.run(channel, ts).changes > 0,
    list(channel, limit, user) {
      const kept = newest.all(channel, limit).map(parseRow);
      const whispered = [...ephemerals.values()].filter(
        (one) => one.channel === channel && one.ephemeral_to === user,
      );
      return [...kept, ...(user === undefined ? [] : whispered)].toSorted((one, other) =>
        one.ts.localeCompare(other.ts),
      );
    },
    replies: (channel, ts) => thread.all(channel, ts, ts).map(parseRow),
    close: () => database.close(),
  };
}
