import { rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import type { StoredCheckpoint } from '../../core/audit/sealed-log.ts';
import { sendText } from './send-text.ts';

/**
 * Puts a checkpoint to an address, or beside the others in a folder as `<number>.checkpoint`, whole or not at all.
 * @throws Error where it is not there
 */
export async function publish(to: string, { number, note }: StoredCheckpoint): Promise<void> {
  if (isAbsolute(to)) return writeWhole(join(to, `${number}.checkpoint`), note);
  const { status } = await sendText('PUT', to, note);
  if (status < 200 || status > 299) throw new Error(`${new URL(to).host} answered ${status}`);
}

async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
