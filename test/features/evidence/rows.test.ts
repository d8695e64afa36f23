import { expect, it } from 'vitest';

import { createRows, type PackEntry } from '../../../src/features/evidence/pack/changes.ts';

const proposal = (number: number, name: string, labels: Readonly<Record<string, string>>): PackEntry => ({
  number,
  at: 0,
  event: 'proposed',
  requestId: `r-${number}`,
  operation: 'db.restart',
  actor: { team: 'T0OWN', user: 'U0ALICE' },
  target: { kind: 'own', name, key: name, labels },
  policyHash: '',
});

it('a row has the target of its own change, whatever the names of others contain', () => {
  const rows = createRows({});
  rows.add(proposal(1, 'orders', { tier: 'db\n' }), '');
  rows.add(proposal(2, 'orders\ntier=db', {}), '');
  expect([...rows.rows()].map(({ target, labels }) => [target, labels])).toEqual([
    ['orders', 'tier=db\n'],
    ['orders\ntier=db', ''],
  ]);
});

it('a row has the state after the last step, which an ignored click is not', () => {
  const rows = createRows({});
  const [first, click] = [proposal(1, 'orders', {}), { requestId: 'r-1', policyHash: '', at: 0 }];
  rows.add({ ...first, outcome: 'proposed' }, '');
  rows.add({ ...click, number: 2, event: 'ended', outcome: 'succeeded' }, '');
  rows.add({ ...click, number: 3, event: 'ignored click', outcome: 'running' }, '');
  expect([...rows.rows()].map(({ outcome, entries }) => [outcome, entries])).toEqual([
    ['succeeded', '1 2 3'],
  ]);
});
