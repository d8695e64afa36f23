import { describe, expect, it } from 'vitest';

import { findingLines } from '../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../src/config/rulebook/read-rulebook.ts';
import { resolveUnfinished } from '../../src/command/resolve.ts';
import { decide } from '../../src/policy/policy.ts';
import { createRegistry } from '../../src/command/grammar/registry.ts';
import { operations } from '../../src/operations/index.ts';

const registry = createRegistry(operations, []);

/** The decision of rules on a field of an operation for anyone, from bellhop.yaml. */
function decided(
  operation: string,
  field: string,
  [denied, let_]: readonly [string, string],
  value: unknown,
) {
  const yaml = `rules:
  - { name: never there, operations: [${operation}], arguments: { ${field}: "${denied}" }, then: deny }
  - { name: there, operations: [${operation}], arguments: { ${field}: "${let_}" }, roles: [anyone], then: confirm }
`;
  const read = parseRulebook(Buffer.from(yaml), 'bellhop.yaml', operations);
  if (!read.ok) return findingLines(read.findings).join('\n');
  const entry = registry.find(operation);
  if (!entry) throw new Error(operation);
  const command = resolveUnfinished(
    { entry, values: { [field]: value }, options: {} },
    read.rulebook.inventory,
  );
  const roles = new Map([['anyone', 'held' as const]]);
  return decide(read.rulebook.policy, {
    operation: { name: operation, risk: entry.operation.risk },
    input: command.effective,
    target: command.target,
    team: 'T0LOCAL',
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    roles: { granting: roles, denying: roles },
    breakGlass: false,
    now: 0,
  }).rule;
}

const spellings = [
  'evil.example.com',
  'EVIL.Example.com',
  'evil.example.com.',
  'evil.example.com:2121',
  'Evil.example.COM.:21',
  'evil。example。com',
];

const cases: readonly (readonly [rule: string, typed: string, decides: string])[] = [
  ...spellings.map((typed) => ['evil.example.com', typed, 'rule “never there”'] as const),
  ['EVIL.example.com', 'evil.example.com', 'rule “never there”'],
  ['evil.example.com.', 'evil.example.com', 'rule “never there”'],
  ['bücher.example', 'xn--bcher-kva.example', 'rule “never there”'],
  ['evil.example.com', 'fine.example.com', 'rule “there”'],
  ['evil.example.com', 'Fine.Example.com.:21', 'rule “there”'],
  ['evil.example.com', 'other.example.com', 'no rule'],
];

describe.each(['ftp_hostname', 'sftp_hostname', 's3_hostname', 's3_host_bucket'])('a rule on %s', (field) => {
  it.each(cases)('%s, asked about %s: %s', (rule, typed, decides) => {
    expect(decided('cdn.raw-logs', field, [rule, 'fine.example.com'], typed)).toBe(decides);
  });
});

it('a rule on hosts applies to the hosts of a metrics query, too', () => {
  for (const host of ['EVIL.example.com', 'evil.example.com.'])
    expect(
      decided('cdn.metrics', 'cname', ['evil.example.com', 'fine.example.com'], ['fine.example.com', host]),
    ).toBe('rule “never there”');
});

const said = (rule: string) => decided('cdn.raw-logs', 'ftp_hostname', [rule, 'fine.example.com'], '');

it('a rule on a host that can never be compared is a mistake', () => {
  expect(said('evil.example.com:21')).toContain(
    'remove the port, because a rule on a host applies to all of its ports.',
  );
  expect(said('ftp://evil.example.com')).toContain('host name, such as logs.example.com,');
});
