import type { StoredCheckpoint } from '../../model/records/sealed-log.ts';
import { disclaimerBlocks, preformatted, section } from '../../slack/render/blocks.ts';
import type { Message } from '../../slack/render/blocks.ts';
import { counted } from '../../text/words.ts';

export function renderCheckpoint(
  { number, size, note }: StoredCheckpoint,
  disclaimers: readonly string[],
): Message {
  const text = `Audit checkpoint ${number}: ${counted(size, 'entry', 'entries')}`;
  return {
    text,
    blocks: [
      section(
        `${text}. Save it as a file; \`npm run audit -- verify --checkpoint FILE\` verifies that the log still contains it.`,
      ),
      preformatted(note),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}
