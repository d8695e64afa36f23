import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { CHANNELS, DIRECT_MESSAGES, type Conversation } from './directory.ts';

/**
 * The current conversations: those of the directory, the people who have joined them since, and the channels that the
 * app created.
 */
export interface Conversations {
  channels(): Conversation[];
  /** By id, `#name`, `name`, or by the id of the person whose direct message it is. */
  find(reference: string): Conversation | undefined;
  /** Stores the channel's current state on disk. */
  save(channel: Conversation): void;
}

const rowSchema = z.object({ json: z.string() });
const channelSchema = z.object({
  id: z.string(),
  kind: z.literal('channel'),
  name: z.string(),
  topic: z.string(),
  members: z.array(z.string()),
  bot: z.boolean(),
  shared: z.boolean(),
});

export function openConversations(database: DatabaseSync): Conversations {
  const channels = new Map(CHANNELS.map((channel) => [channel.id, channel]));
  for (const row of database.prepare('SELECT json FROM channels ORDER BY rowid').all()) {
    const channel = channelSchema.parse(JSON.parse(rowSchema.parse(row).json));
    channels.set(channel.id, channel);
  }
  const upsert = database.prepare(
    'INSERT INTO channels (id, json) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json',
  );
  return {
    channels: () => [...channels.values()],
    find(reference) {
      const name = reference.replace(/^#/, '');
      return (
        channels.get(reference) ??
        [...channels.values()].find((channel) => channel.name === name) ??
        DIRECT_MESSAGES.find(({ id, members }) => id === reference || members[0] === reference)
      );
    },
    save(channel) {
      channels.set(channel.id, channel);
      upsert.run(channel.id, JSON.stringify(channel));
    },
  };
}
