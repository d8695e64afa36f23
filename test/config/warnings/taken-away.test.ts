import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';

const warnings = (rules: readonly string[], head = 'project: 1\nregion: 2\n'): readonly string[] => {
  const yaml = `${head}instances:
  web-1: { id: w1, labels: { env: staging } }
  db-1: { id: d1, labels: { env: production } }
roles:
  engineers: { users: [U0OPS, U0X], usergroups: [S0OPS] }
  seniors: { users: [U0OPS], usergroups: [S0SEN] }
  leads: { users: [U0CAROL, U0DAN] }
rules:
${rules.map((rule) => `  - { ${rule} }\n`).join('')}  - { name: denied, risk: [change, destructive], then: deny }
  - { name: reads, risk: read, roles: [anyone, leads], then: allow }
`;
  const result = parseRulebook(Buffer.from(yaml), 'b', operations, {});
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return findingLines(result.warnings()).map((line) => line.replace(/^b:\d+:\d+: warning: /u, ''));
};

const production =
  'name: production, operations: [cloud.*], labels: { env: production }, roles: [engineers, seniors], then: approve, approvers: [leads]';

describe('a looser rule above a stricter one', () => {
  it.each([
    [
      'takes some people away',
      ['name: staff, operations: [cloud.*], roles: [engineers], then: confirm', production],
      'rules[0] “staff”: engineers may run cloud.reboot and cloud.stop on db-1 alone, though rule “production” below asks for an approval: move rule “production” above rule “staff”, or narrow this rule.',
    ],
    [
      'takes them in one channel',
      [
        'name: staff, operations: [cloud.reboot], channels: [C0OPS], roles: [engineers], then: confirm',
        production,
      ],
      'rules[0] “staff”: engineers may run cloud.reboot on db-1 alone in C0OPS, though rule “production” below asks for an approval: move rule “production” above rule “staff”, or narrow this rule.',
    ],
    [
      'takes who is listed in both',
      [
        'operations: [cloud.*], roles: [seniors], then: confirm',
        production.replace('engineers, seniors', 'engineers'),
      ],
      'rules[0]: seniors may run cloud.reboot and cloud.stop on db-1 alone, though rule “production” below asks for an approval: move rule “production” above rule 1, or narrow this rule.',
    ],
    [
      'takes them from a denial',
      [
        'name: staff, operations: [cloud.*], roles: [engineers], then: confirm',
        'name: never, operations: [cloud.stop], labels: { env: production }, roles: [anyone], then: deny',
      ],
      'rules[0] “staff”: engineers may run cloud.stop on db-1 alone, though rule “never” below denies it: move rule “never” above rule “staff”, or narrow this rule.',
    ],
  ])('%s', (_, rules, expected) => {
    expect(warnings(rules)).toContain(expected);
  });

  it.each([
    [
      'for fewer targets',
      [
        'name: staging, operations: [cloud.*], labels: { env: staging }, roles: [engineers], then: confirm',
        'name: all, operations: [cloud.*], roles: [engineers, seniors], then: approve, approvers: [leads]',
      ],
    ],
    [
      'for fewer people',
      [
        'name: seniors, operations: [cloud.*], labels: { env: production }, roles: [seniors], then: confirm',
        production,
      ],
    ],
    ['below it', [production, 'name: staff, operations: [cloud.*], roles: [engineers], then: confirm']],
  ])('is not a mistake %s', (_, rules) => {
    expect(warnings(rules).filter((line) => line.includes('may run'))).toEqual([]);
  });
});

it('a rule without a login above one with it takes people away', () => {
  const head =
    'project: 1\nregion: 2\npeople: { c@example.com: U0CAROL, d@example.com: U0DAN }\nidentity: { issuer: "https://login.example.com", client_id: b, client_secret: secret:oidc }\n';
  const staff = 'name: staff, operations: [cloud.*], roles: [engineers], then: approve, approvers: [leads]';
  expect(warnings([staff, `${production}, step_up: true`], head)).toEqual([
    'rules[0] “staff”: engineers may run cloud.reboot and cloud.stop on db-1 without a login, though rule “production” below asks for one: move rule “production” above rule “staff”, or narrow this rule.',
  ]);
  expect(warnings([`${staff}, step_up: true`, production], head)).toEqual([]);
});

it('a missing region is reported as such, not as a fault of the rules', () => {
  const lines = warnings([production], 'project: 1\n');
  expect(lines[0]).toBe(
    'region: is missing, so no command works on web-1 and db-1. Set region for all, or on each of them.',
  );
  expect(lines.join('\n')).not.toContain('can never match');
});
