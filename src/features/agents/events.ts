import { becauseOf, ownEvent } from '../../model/audit-event.ts';
import type { AuditEntry } from '../../model/records/audit.ts';

const suggestionOf = ({ suggestion }: AuditEntry): string =>
  suggestion?.agent === undefined ? "an agent's suggestion" : `${suggestion.agent}'s suggestion`;

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
