import type { AuditDraft, AuditEvent } from '../../core/audit/audit.ts';

/** Events that end something carry its outcome. */
const outcomes: Partial<Readonly<Record<AuditEvent, true | string>>> = {
  read: true,
  ended: true,
  settled: true,
  cancelled: true,
  superseded: true,
  expired: true,
  refused: true,
  'denied approval': true,
  denied: 'denied',
  invalid: 'invalid',
  'ignored click': 'ignored click',
};

/** What became of an ask by this entry; undefined for the steps on the way. */
export function operationOutcome({ event, outcome }: AuditDraft): string | undefined {
  const known = outcomes[event];
  return known === true ? (outcome ?? 'other') : known;
}
