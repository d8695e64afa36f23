import { expect, test } from 'vitest';

import { events } from '../../../src/features/index.ts';
import { showAudit } from '../../../src/operations/self/audit.ts';

import { bob } from '../../people.ts';

test('a denial is shown in the zone of the heading, without ids and times of machines', () => {
  const at = Date.UTC(2026, 7, 14, 9, 30);
  const entry = {
    seq: 1,
    policyHash: 'p',
    at,
    event: 'denied' as const,
    actor: bob,
    correlationId: 'c',
    operation: 'cloud.reboot',
    note: 'Only U0BOB may, from 2026-08-14 09:45:00 UTC',
  };
  const inventory = { regions: {}, instances: {}, containers: {}, targets: {} };
  const { title, tables, csv } = showAudit.report(
    {
      entries: [entry],
      events,
      names: new Map([['U0BOB', 'Bob']]),
      whole: true,
      inventory,
      since: at - 3_600_000,
      until: at,
      zone: 'Europe/Berlin',
    },
    { target: { kind: 'bellhop', name: 'Bellhop', labels: {} }, input: { last: 1, reads: false } },
  );
  expect(title).toBe('Audit, 2026-08-14 10:30 to 2026-08-14 11:30 (Europe/Berlin)');
  expect(tables?.[0]?.rows[0]?.[0]).toBe('2026-08-14 11:30');
  expect(JSON.stringify(tables?.[0]?.rows)).not.toMatch(/U0ALICE|2026-08-14T09:30:00Z/u);
  expect(JSON.stringify(tables?.[0]?.rows)).toContain(
    'was denied /cloud reboot: Only Bob may, from 2026-08-14 11:45',
  );
  expect(JSON.stringify(csv?.rows)).toContain('2026-08-14T09:30:00.000Z');
});
