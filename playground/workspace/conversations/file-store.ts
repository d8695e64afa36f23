import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { WorkspaceFile } from '../protocol.ts';

const storedFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  mimetype: z.string(),
  size: z.number().int(),
  user: z.string(),
  /** Epoch milliseconds. A moment later, the file can be shown and has a mimetype in `files.info`. */
  completed_at: z.number(),
  channels: z.array(z.string()),
});
export type StoredFile = z.infer<typeof storedFileSchema>;

/** A file that was announced, and perhaps sent, but not completed. Forgotten on a restart, like its upload URL. */
export interface PendingUpload {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  bytes?: Uint8Array | undefined;
}

/** Files that were sent, kept on disk. */
export interface FileStore {
  save(file: StoredFile, bytes: Uint8Array): void;
  /** Records that a file is shown in a channel. */
  share(file: StoredFile, channel: string): void;
  find(id: string): StoredFile | undefined;
  bytes(id: string): Uint8Array | undefined;
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  txt: 'text/plain',
  log: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
};

export function mimetypeOf(name: string): string {
  return MIME_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

const rowSchema = z.object({ json: z.string() });
const bytesSchema = z.object({ bytes: z.instanceof(Uint8Array) });

export function openFileStore(database: DatabaseSync): FileStore {
  const insert = database.prepare('INSERT OR REPLACE INTO files (id, json, bytes) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE files SET json = ? WHERE id = ?');
  const select = database.prepare('SELECT json FROM files WHERE id = ?');
  const content = database.prepare('SELECT bytes FROM files WHERE id = ?');
  return {
    save: (file, bytes) => void insert.run(file.id, JSON.stringify(file), bytes),
    share(file, channel) {
      const channels = [...new Set([...file.channels, channel])];
      update.run(JSON.stringify({ ...file, channels }), file.id);
    },
    find(id) {
      const row = select.get(id);
      return row === undefined ? undefined : storedFileSchema.parse(JSON.parse(rowSchema.parse(row).json));
    },
    bytes(id) {
      const row = content.get(id);
      return row === undefined ? undefined : bytesSchema.parse(row).bytes;
    },
  };
}

/** A file as the page shows it. */
export function shownFile(file: StoredFile): WorkspaceFile {
  const { id, name, title, mimetype, size } = file;
  return { id, name, title, mimetype, size, url: `/_workspace/files/${id}/${encodeURIComponent(name)}` };
}
