import { expect, it } from 'vitest';

import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../../../src/config/yaml/findings.ts';
import { operations } from '../../../src/operations/index.ts';
import { renderHome } from '../../../src/slack/handle/home.ts';
import { alice } from '../../people.ts';

const problems = (rule: string): readonly string[] => {
  const roles = 'roles: { leads: { users: [U0CAROL, U0LEE] } }\n';
  const result = parseRulebook(Buffer.from(`${roles}rules:\n  - { ${rule} }\n`), 'b.yaml', operations);
  return result.ok ? [] : findingLines(result.findings);
};

const takesEffect = /then: must be allow or deny, because bellhop.hold takes effect at once/u;

it.each([
  ['operations: [bellhop.hold], roles: [leads], then: confirm', takesEffect],
  ['operations: [cloud.ips, bellhop.hold], roles: [leads], then: approve, approvers: [leads]', takesEffect],
  ['operations: [bellhop.hold], roles: [leads], then: allow, step_up: true', /step_up: is only valid with/u],
  [
    'operations: [bellhop.hold], roles: [leads], then: allow, confirm: never',
    /confirm: “never” is only valid/u,
  ],
])('a rule for holds that would ask for more is a mistake: %s', (rule, text) => {
  expect(problems(rule).join('\n')).toMatch(text);
});

it.each([
  'operations: [bellhop.hold, bellhop.release], roles: [leads], then: allow',
  'operations: [bellhop.hold], roles: [leads], then: deny',
  'risk: change, roles: [leads], then: confirm',
])('a rule that allows or denies holds, or does not name them, is valid: %s', (rule) => {
  expect(problems(rule)).toEqual([]);
});

it('the Home tab shows what is held now', () => {
  const standing = Array.from({ length: 7 }, (_, at) => ({
    label: 'Held now',
    noun: 'hold',
    by: { team: 'T0LOCAL', user: 'U0BOB' },
    until: undefined,
    said: [`db-${at} is held by `, { person: 'U0BOB' }, ': drill'],
  }));
  const open = { items: [], more: false };
  const view = renderHome({
    now: 0,
    reader: alice,
    roles: [],
    unknownRoles: [],
    lines: [],
    open,
    recent: [],
    disclaimers: [],
    standing,
  });
  const shown = JSON.stringify(view.blocks);
  expect(shown).toContain('*Held now:* db-0 is held by <@U0BOB>: drill.');
  expect(shown).toContain('and 2 more: `/bellhop policy`');
  expect(shown).not.toContain('db-5');
});
