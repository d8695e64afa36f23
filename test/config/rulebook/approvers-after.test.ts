import { describe, expect, it } from 'vitest';

import { compareRulebooks, rulingText } from '../../../src/config/policy/compare.ts';
import { policyTestsFile, runPolicyTests } from '../../../src/config/policy/run-tests.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { findingLines } from '../../../src/config/yaml/findings.ts';
import { operations } from '../../../src/operations/index.ts';

const file = (then: string, requests = ''): string => `${requests}project: 1
region: 2
instances: { db-1: { id: d1, labels: { env: production } } }
roles: { ops: { users: [U0OPS] }, leads: { users: [U0CAROL] }, managers: { users: [U0MONA] } }
rules:
  - { roles: [ops], operations: [cloud.*], ${then} }
`;
const waits = (further: string): string =>
  file(`then: approve, approvers: [leads], approvers_after: ${further}`);

const parse = (yaml: string) => parseRulebook(Buffer.from(yaml), 'bellhop.yaml', operations, {});
function read(yaml: string) {
  const result = parse(yaml);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return result;
}
function mistakes(yaml: string): readonly string[] {
  const result = parse(yaml);
  return result.ok ? [] : findingLines(result.findings).map((line) => line.replace(/^[^ ]+ /u, ''));
}

describe('approvers_after', () => {
  it('is read in the order of its durations, and its roles count as used', () => {
    const { rulebook, warnings } = read(waits('{ 12m: [ops], 600s: [managers] }'));
    expect(rulebook.policy.rules[0]?.approversAfter).toEqual([
      { after: '600s', afterMs: 600_000, roles: ['managers'] },
      { after: '12m', afterMs: 720_000, roles: ['ops'] },
    ]);
    expect(findingLines(warnings()).join()).not.toContain('managers');
  });

  it.each<[string, string, string]>([
    [
      'a role that is not defined',
      waits('{ 10m: [mangers] }'),
      'rules[0].approvers_after.10m[0]: the role “mangers” is not defined under roles. Did you mean “managers”?',
    ],
    [
      'something other than a duration',
      waits('{ soon: [managers] }'),
      'rules[0].approvers_after.soon: must be a duration, such as 10m or 1h.',
    ],
    [
      'no one',
      waits('{ 10m: [] }'),
      'rules[0].approvers_after.10m: is an empty list. Add an entry, or remove the key.',
    ],
    [
      'a time at which the request has expired',
      waits('{ 20m: [managers] }'),
      'rules[0].approvers_after.20m: is too late: a request expires after 900 s (requests.expire_after).',
    ],
    [
      'a time at which it has expired by its own setting',
      waits('{ 5m: [managers] }').replace('project', 'requests: { expire_after: 5m }\nproject'),
      'rules[0].approvers_after.5m: is too late: a request expires after 300 s (requests.expire_after).',
    ],
    ...['confirm', 'allow, confirm: never', 'deny'].map((then): [string, string, string] => [
      `“then: ${then}”`,
      file(`then: ${then}, approvers_after: { 10m: [managers] }`),
      'rules[0].approvers_after: is only valid with “then: approve”.',
    ]),
  ])('is refused with %s', (_, yaml, line) => {
    expect(mistakes(yaml)).toEqual([line]);
  });

  it('lets a request reach its approvals', () => {
    const two = waits('{ 10m: [managers] }').replace('approvers:', 'approvals: 2, approvers:');
    expect(mistakes(two)).toEqual([]);
    expect(mistakes(two.replace(', approvers_after: { 10m: [managers] }', ''))).toHaveLength(1);
  });

  it('is expected by tests of the rules', async () => {
    const { rulebook } = read(waits('{ 10m: [managers] }'));
    const run = async (wanted: Readonly<Record<string, readonly string[]>>) => {
      const test = { as: 'U0OPS', run: '/cloud reboot db-1', expect: 'approve', approvers_after: wanted };
      const { failures } = await runPolicyTests(rulebook, operations, policyTestsFile.parse([test]), 0);
      return failures.map(({ text }) => text);
    };
    expect(await run({ '10m': ['managers'] })).toEqual([]);
    expect(await run({})).toEqual([
      'U0OPS, /cloud reboot db-1: expected no one to approve later, but it is managers after 10m. Rule 1.',
    ]);
  });

  it('is a difference of two versions', () => {
    const [before, after] = ['{ 10m: [managers] }', '{ 5m: [managers] }'].map(
      (further) => read(waits(further)).rulebook,
    );
    if (!before || !after) throw new Error('both are read');
    expect(
      compareRulebooks(before, after, operations).map((one) => [one.before, one.after].map(rulingText)),
    ).toEqual([['approve by leads, managers after 10m', 'approve by leads, managers after 5m']]);
  });
});
