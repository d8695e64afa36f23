import { z } from 'zod';

import { becauseOf, entryData, ownEvent } from '../../../model/audit-event.ts';
import type { AuditEntry } from '../../../model/records/audit.ts';

/** The suggestion that an entry is about, and the id of its agent, such as `agent:holmes`. */
export const entrySuggestion = entryData(
  'suggestion',
  z.object({ id: z.string(), agent: z.string() }).readonly(),
);

const suggestionOf = (entry: AuditEntry): string =>
  `${entrySuggestion.of(entry)?.agent ?? 'an agent'}'s suggestion`;

export const suggestionEvents = {
  suggested: ownEvent('suggested', {
    sentence: (entry, about) => `suggested ${about}${becauseOf(entry)}`,
  }),
  pressed: ownEvent('pressed', {
    sentence: (entry, about) => `took up ${suggestionOf(entry)}: ${about}`,
  }),
  dismissed: ownEvent('dismissed', {
    sentence: (entry, about) => `dismissed ${suggestionOf(entry)}: ${about}`,
  }),
};
