import { detailsOf, ownEvent } from '../../model/audit-event.ts';

export const alertOwned = ownEvent('alert owned', {
  sentence: (entry) => `took an alert${detailsOf(entry)}`,
});
export const alertTakenOver = ownEvent('alert taken over', {
  sentence: (entry) => `took over an alert${detailsOf(entry)}`,
});
export const alertHandedBack = ownEvent('alert handed back', {
  sentence: (entry) => `${entry.actor ? 'handed back' : 'took back'} an alert${detailsOf(entry)}`,
});
