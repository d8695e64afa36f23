import { detailsOf, ownEvent } from '../../model/audit-event.ts';

export const loginRefused = ownEvent('login refused', {
  sentence: (entry, about) => `had a sign-in refused for ${about}${detailsOf(entry)}`,
  severity: 'medium',
  isFailure: true,
});
