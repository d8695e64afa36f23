import { describe, expect, it } from 'vitest';

import { policyTestsFile, runPolicyTests } from '../../../src/config/policy/run-tests.ts';
import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { parseYamlFile } from '../../../src/config/yaml/yaml-file.ts';
import { operations } from '../../../src/operations/index.ts';

const rules = `project: 1
region: 2
instances: { web-1: { id: w1, labels: { env: staging } }, db-1: { id: d1, labels: { env: production } } }
roles: { ops: { users: [U0OPS], usergroups: [S0OPS] }, leads: { users: [U0CAROL, T0OTHER/U0SARA] }, oncall: { schedule: primary } }
people: { carol@example.com: U0CAROL }
identity: { issuer: "https://login.example.com", client_id: bellhop, client_secret: secret:oidc }
schedules: { primary: { ical: https://calendar.example.com/on-call.ics, match: email } }
limits: [{ per: person, at_most: 3, within: 10m }]
rules:
  - { name: reads, risk: read, roles: [anyone], then: allow }
  - name: production
    operations: [cloud.*]
    labels: { env: production }
    roles: [ops]
    then: approve
    approvers: [leads]
    break_glass: [leads]
  - { operations: [cloud.reboot], channels: [C0OPS], roles: [ops, leads, oncall], then: confirm }
  - { name: signed in, operations: [cloud.stop], channels: [C0OPS], roles: [leads], then: confirm, step_up: true }
freeze:
  - { labels: { env: staging }, from: 2026-12-24T00:00:00Z, to: 2026-12-26T00:00:00Z, except: [leads] }
`;

const now = Date.parse('2026-11-22T00:00:00Z');

/** Runs tests of the rules above. The mistakes of a file that cannot be read are returned. */
async function run(yaml: string) {
  const rulebook = parseRulebook(Buffer.from(rules), 'bellhop.yaml', operations);
  if (!rulebook.ok) throw new Error(findingLines(rulebook.findings).join('\n'));
  const tests = parseYamlFile(Buffer.from(yaml), 't.yaml', {
    schema: policyTestsFile,
    example: 'examples/bellhop.example.tests.yaml',
  });
  if (!tests.ok) return { lines: findingLines(tests.findings), unreached: [], cases: 0 };
  const { failures, ...rest } = await runPolicyTests(rulebook.rulebook, operations, tests.data, now);
  return { lines: findingLines(tests.locate(failures, 'error')), ...rest };
}

describe('tests of rules', () => {
  it.each([
    [
      'of a person and a command',
      '{ as: U0OPS, run: /cloud reboot db-1, expect: approve, rule: production, approvers: [leads], approvals: 1 }',
    ],
    [
      'of a login',
      '{ as: U0CAROL, in: C0OPS, run: /cloud stop web-1, expect: confirm, rule: signed in, step_up: true }',
    ],
    ['of no login', '{ as: U0OPS, run: /cloud reboot db-1, expect: approve, step_up: false }'],
    ['of a channel', '{ as: U0OPS, in: C0OPS, run: /cloud reboot web-1, expect: confirm, rule: 3 }'],
    [
      'of a person assumed to be on call',
      '{ as: U0BOB, oncall: { primary: [U0BOB] }, in: C0OPS, run: /cloud reboot web-1, expect: confirm }',
    ],
    [
      'of a person not assumed to be on call',
      '{ as: U0BOB, in: C0OPS, run: /cloud reboot web-1, expect: deny, rule: no rule }',
    ],
    [
      'of a guest who is on call',
      '{ as: U0BOB, guests: [U0BOB], oncall: { primary: [U0BOB] }, in: C0OPS, run: /cloud reboot web-1, expect: deny }',
    ],
    ['within a limit', '{ as: U0OPS, after: 2, in: C0OPS, run: /cloud reboot web-1, expect: confirm }'],
    [
      'over a limit',
      '{ as: U0OPS, after: 3, in: C0OPS, run: /cloud reboot web-1, expect: deny, rule: limit 1 }',
    ],
    ['of any other channel', '{ as: U0OPS, run: /cloud reboot web-1, expect: deny, rule: no rule }'],
    [
      'of a frozen time',
      '{ as: U0OPS, in: C0OPS, at: 2026-12-25T10:00:00+01:00, run: /cloud reboot web-1, expect: deny, rule: freeze 1 }',
    ],
    [
      'of a person who may act during a freeze',
      '{ as: U0CAROL, in: C0OPS, at: 2026-12-25T10:00:00+01:00, run: /cloud reboot web-1, expect: confirm }',
    ],
    [
      'of a member of a group',
      '{ as: U0NEW, groups: { S0OPS: [U0NEW] }, in: C0OPS, run: /cloud reboot web-1, expect: confirm }',
    ],
    [
      'of a guest in a group',
      '{ as: U0NEW, guests: [U0NEW], groups: { S0OPS: [U0NEW] }, in: C0OPS, run: /cloud reboot web-1, expect: deny }',
    ],
    [
      'of a person from another team',
      '{ as: T0OTHER/U0SARA, in: C0OPS, run: /cloud reboot web-1, expect: confirm }',
    ],
    ['of the same id in the own team', '{ as: U0SARA, in: C0OPS, run: /cloud reboot web-1, expect: deny }'],
    ['of an operation that needs a form', '{ as: U0OPS, run: /cdn raw-logs, expect: deny }'],
    [
      'of break-glass that the rule does not give',
      `{ as: U0OPS, run: '/cloud stop db-1 --break-glass "it burns"', expect: deny, rule: production }`,
    ],
    [
      'of many people and commands',
      '{ as: [U0OPS, U0CAROL], in: C0OPS, run: [/cloud reboot web-1, /cloud reboot 1/2/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99], expect: confirm }',
    ],
    [
      'of a table',
      '{ in: C0OPS, table: { /cloud reboot web-1: { U0OPS: confirm, U0BOB: deny }, /cloud ips: { U0BOB: allow } } }',
    ],
  ])('%s pass', async (_, test) => {
    expect(await run(`- ${test}\n`)).toMatchObject({ lines: [] });
  });

  it.each([
    [
      'another decision',
      '{ as: U0OPS, run: /cloud reboot db-1, expect: confirm }',
      't.yaml:1:49: [0].expect: U0OPS, /cloud reboot db-1: expected confirm, but it is approve. Rule “production”.',
    ],
    [
      'another rule',
      '{ as: U0OPS, in: C0OPS, run: /cloud reboot web-1, expect: confirm, rule: production }',
      't.yaml:1:61: [0].expect: U0OPS, /cloud reboot web-1 in C0OPS: expected to be decided by production, but it is by rule 3. Rule 3.',
    ],
    [
      'other approvers',
      '{ as: U0OPS, run: /cloud reboot db-1, expect: approve, approvers: [ops], approvals: 2 }',
      't.yaml:1:49: [0].expect: U0OPS, /cloud reboot db-1: expected ops to approve, but it is leads; expected 2 approvals, but it is 1. Rule “production”.',
    ],
    [
      'another decision in a table, at its place',
      '{ table: { /cloud ips: { U0BOB: allow, U0OPS: deny } } }',
      't.yaml:1:49: [0].table./cloud ips.U0OPS: U0OPS, /cloud ips: expected deny, but it is allow. Rule “reads”.',
    ],
    [
      'an unknown command, whatever is expected',
      '{ as: U0OPS, run: /cloud rebot db-1, expect: deny }',
      't.yaml:1:48: [0].expect: U0OPS, /cloud rebot db-1: Unknown command “/cloud rebot”. Did you mean “/cloud reboot”?',
    ],
  ])('fail for %s, and say what decided', async (_, test, expected) => {
    expect(await run(`- ${test}\n`)).toMatchObject({ lines: [expected] });
  });

  it('name the rules that no case reaches', async () => {
    const { unreached } = await run('- { as: U0OPS, run: [/cloud ips, /cloud stop web-1], expect: allow }\n');
    expect(unreached).toEqual([1, 2, 3]);
  });

  it.each([
    [
      'an unknown key',
      '- { as: U0OPS, run: /cloud ips, expcet: allow }\n',
      't.yaml:1:33: [0].expcet: is not a valid key here. Did you mean “expect”?',
    ],
    [
      'an unknown decision',
      '- { as: U0OPS, run: /cloud ips, expect: alow }\n',
      't.yaml:1:41: [0].expect: must be one of allow, confirm, approve, deny. Did you mean “allow”?',
    ],
    [
      'half a case',
      '- { as: U0OPS, run: /cloud ips }\n',
      't.yaml:1:3: [0]: needs “as”, “run” and “expect”, or a “table” instead.',
    ],
    [
      'a name for an id',
      '- { as: alice, run: /cloud ips, expect: allow }\n',
      't.yaml:1:9: [0].as: must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.',
    ],
    [
      'a command without its slash',
      '- { as: U0OPS, run: cloud ips, expect: allow }\n',
      't.yaml:1:21: [0].run: must be a complete command, such as /cloud reboot web-1.',
    ],
  ])('report %s with its position', async (_, yaml, expected) => {
    expect((await run(yaml)).lines).toEqual([expected]);
  });
});
