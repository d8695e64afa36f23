import { stepEntry } from '../../audit/entries.ts';
import { becauseOf, ownEvent } from '../../model/audit-event.ts';
import type { StartEntries } from '../../model/ports.ts';

const glassBroken = ownEvent('break-glass', {
  sentence: (entry, about) => `used break-glass for ${about}${becauseOf(entry)}`,
  severity: 'high',
});
export const reviewClosed = ownEvent('review closed', {
  sentence: (entry, about) => `closed the break-glass review${about && ` of ${about}`}${becauseOf(entry)}`,
});
export const reviewEvents = [glassBroken, reviewClosed];

export const startEntries: StartEntries = (context, request, { review }) => {
  const { requester: actor, breakGlass: reason } = request;
  return review ? [stepEntry(context, glassBroken.name, request, 'running', { actor, reason })] : [];
};
