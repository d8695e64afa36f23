import { becauseOf, detailsOf, ownEvent } from '../../model/audit-event.ts';

/** The note of an entry says what is held, until when, and what ended a hold. */
export const held = ownEvent('held', {
  sentence: (entry) => `placed a hold${detailsOf(entry)}${becauseOf(entry)}`,
});
export const holdExtended = ownEvent('hold extended', {
  sentence: (entry) => `extended a hold${detailsOf(entry)}${becauseOf(entry)}`,
});
export const holdReleased = ownEvent('hold released', {
  sentence: (entry) =>
    `${entry.actor ? 'released a hold' : 'ended a hold on time'}${detailsOf(entry)}${becauseOf(entry)}`,
});
