import { kernelEvents } from '../../../audit/kernel-events.ts';
import { type EventMeanings, meaningOf } from '../../../model/audit-event.ts';
import { capitalized } from '../../../text/words.ts';
import type { PackEntry } from '../pack/changes.ts';

const events: EventMeanings = new Map(Object.entries(kernelEvents));

/** Says who did what: `U0ALICE requested /cloud reboot db-1: “it hangs”`. @param reason what was typed, or '' */
export function sentenceOf(entry: PackEntry, reason: string, who: string): string {
  const said = { ...entry, seq: entry.number, reason: reason === '' ? undefined : reason };
  const command = `/${(entry.operation ?? '').replace('.', ' ')} ${entry.target?.name ?? ''}`.trim();
  const meaning = meaningOf(events, entry);
  const sentence = meaning.sentence(said, entry.event === 'proposed' ? command : 'it');
  return meaning.isImpersonal ? capitalized(sentence) : `${who} ${sentence}`;
}
