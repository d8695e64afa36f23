import type { z } from 'zod';

import { type AuditDraft, type AuditEntry, type RoomEvent, roomEvent } from './records/audit.ts';

/** For people, and for a SIEM. */
export interface EventMeaning {
  /**
   * A sentence whose subject is who did it: `requested /cloud reboot web-1: “stuck”`.
   * @param about the command, or `it` below an entry that names the command
   */
  readonly sentence: (entry: AuditEntry, about: string) => string;
  /** Set if the sentence has its own subject. */
  readonly isImpersonal?: true;
  /** Set if the service was read or changed. */
  readonly activity?: 'read' | 'update';
  /** Default: informational. */
  readonly severity?: 'low' | 'medium' | 'high';
  readonly isFailure?: true;
}

export interface OwnEvent extends EventMeaning {
  readonly name: RoomEvent;
}

/** Only declared events can be recorded. */
export const ownEvent = (name: string, meaning: EventMeaning): OwnEvent => ({
  name: roomEvent.parse(name),
  ...meaning,
});

/** By name. */
export type EventMeanings = ReadonlyMap<string, EventMeaning>;

/** For an event of a feature that this build does not have. */
const unknownEvent: EventMeaning = {
  sentence: (entry, about) =>
    `“${entry.event}”${about === '' ? '' : `, ${about}`}${detailsOf(entry)}${becauseOf(entry)}`,
};

export const meaningOf = (events: EventMeanings, { event }: Pick<AuditEntry, 'event'>): EventMeaning =>
  events.get(event) ?? unknownEvent;

export const detailsOf = ({ note }: AuditEntry): string => (note === undefined ? '' : `: ${note}`);

export const becauseOf = ({ reason, reasonRemoved }: AuditEntry): string =>
  reasonRemoved ? ' (reason removed)' : reason === undefined ? '' : `: “${reason}”`;

/** A feature's data in entries, under its own name. */
export interface EntryData<Data> {
  of(entry: AuditDraft): Data | undefined;
  addTo(draft: AuditDraft, data: Data): AuditDraft;
}

export const entryData = <Data>(name: string, schema: z.ZodType<Data>): EntryData<Data> => ({
  of: (entry) =>
    schema
      .optional()
      .catch(undefined)
      .parse(new Map<string, unknown>(Object.entries(entry)).get(name)),
  addTo: (draft, data) => ({ ...draft, [name]: data }),
});
