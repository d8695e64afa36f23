import type { StoredCheckpoint } from '../../model/sealed-log.ts';
import { noticeBlocks, preformatted, section, type Message } from '../render/blocks.ts';

/** A checkpoint of the audit log, for a channel that keeps it. */
export function renderCheckpoint(
  { number, size, note }: StoredCheckpoint,
  notices: readonly string[],
): Message {
  const text = `Audit checkpoint ${number}: ${size} ${size === 1 ? 'entry' : 'entries'}`;
  return {
    text,
    blocks: [
      section(
        `${text}. Saved as a file, \`npm run audit -- verify --checkpoint FILE\` tells whether the log still continues it.`,
      ),
      preformatted(note),
      ...noticeBlocks(notices),
    ],
  };
}
