import { expect, it } from 'vitest';

import { createRegistry } from '../../../../src/command/grammar/registry.ts';
import { renderAlert } from '../../../../src/features/alerts/render.ts';
import { operations } from '../../../../src/operations/index.ts';
import { rulesOf } from '../../../rules-of.ts';
import { nasty, timesSeen } from '../../../slack/render/times-seen.ts';
import { sampleRules } from '../sources/hook-server.ts';

const registry = createRegistry(operations, ['instance-read']);
const rulebook = rulesOf(sampleRules);
const at = 1_763_700_000_000;

it('an alert, and a storm, show each value from outside as it is', () => {
  const alert = { status: 'firing', key: 'k', labels: { instance: nasty }, summary: nasty } as const;
  const content = {
    title: nasty,
    severity: nasty,
    note: nasty,
    text: nasty,
    alerts: [alert, alert],
    total: 2,
    firing: 2,
  };
  const group = { id: 'g', status: 'firing', statusAt: at, content } as const;
  const titles = [{ title: nasty, firing: 1, content, since: at }];
  const storm = { tier: 'other', firing: 1, total: 1, titles } as const;
  for (const about of [{ group }, { storm }]) {
    const message = {
      id: 'a',
      source: nasty,
      channel: 'C0OPS',
      version: 1,
      shownVersion: 0,
      openedAt: at,
      ...about,
    };
    const shown = renderAlert({ registry, rulebook: () => rulebook, disclaimers: [nasty] }, message);
    expect(shown && timesSeen(shown)).toBeGreaterThan(2);
  }
});
