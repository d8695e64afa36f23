import { detailsOf, ownEvent } from '../../model/audit-event.ts';

export const loginRefused = ownEvent('login refused', {
  sentence: (entry, about) => `could not sign in for ${about}${detailsOf(entry)}`,
  severity: 'medium',
  isFailure: true,
});
