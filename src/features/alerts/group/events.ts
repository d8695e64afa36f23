import { ownEvent } from '../../../model/audit-event.ts';

export const alertFiring = ownEvent('alert firing', {
  sentence: ({ note }, about) => `Alert firing: ${note ?? about}`,
  isImpersonal: true,
  severity: 'medium',
});

export const alertResolved = ownEvent('alert resolved', {
  sentence: ({ note }, about) => `Alert resolved: ${note ?? about}`,
  isImpersonal: true,
});
