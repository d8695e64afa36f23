import { describe, expect, it } from 'vitest';

import { mistakesIn, oneRule, roles } from './mistakes-in.ts';

describe('a mistaken rule is refused, with line, column and what to do', () => {
  it.each<[string, string, ...string[]]>([
    [
      'a rule that says nothing',
      oneRule('{}'),
      'bellhop.yaml:3:5: rules[0].then: is missing. Use allow, confirm, approve, deny.',
    ],
    [
      'a rule that is empty',
      oneRule(''),
      'bellhop.yaml:3:5: rules[0]: must be a mapping of keys to values, not empty (remove the key, or give it a value).',
    ],
    [
      'a rule for no one',
      oneRule('{ risk: read, then: allow }'),
      'bellhop.yaml:3:5: rules[0].roles: is missing. Name the roles that the rule applies to; [anyone] means every full member.',
    ],
    [
      'a misspelt effect',
      oneRule('{ roles: [leads], then: confrim }'),
      'bellhop.yaml:3:29: rules[0].then: must be one of allow, confirm, approve, deny. Did you mean “confirm”?',
    ],
    [
      'a misspelt risk',
      oneRule('{ risk: destroy, roles: [leads], then: confirm }'),
      'bellhop.yaml:3:13: rules[0].risk: must be one of read, change, destructive.',
    ],
    [
      'a misspelt risk in a list',
      oneRule('{ risk: [read, destructiv], roles: [leads], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].risk[1]: must be one of read, change, destructive. Did you mean “destructive”?',
    ],
    [
      'a risk that is a number',
      oneRule('{ risk: 3, roles: [leads], then: confirm }'),
      'bellhop.yaml:3:13: rules[0].risk: must be one of read, change, destructive.',
    ],
    [
      'labels that name none',
      oneRule('{ labels: {}, roles: [leads], then: confirm }'),
      'bellhop.yaml:3:15: rules[0].labels: is empty. Add a label, or remove the key to match every target.',
    ],
    [
      'approval by no one',
      oneRule('{ roles: [ops], then: approve }'),
      'bellhop.yaml:3:5: rules[0].approvers: is missing. “then: approve” needs the roles that may approve.',
    ],
    [
      'approval where none is asked',
      oneRule('{ roles: [ops], then: confirm, approvers: [leads], approvals: 2, break_glass: [leads] }'),
      'bellhop.yaml:3:36: rules[0].approvers: is only valid with “then: approve”.',
      'bellhop.yaml:3:56: rules[0].approvals: is only valid with “then: approve”.',
      'bellhop.yaml:3:70: rules[0].break_glass: is only valid with “then: approve”.',
    ],
    [
      'typing a name where nothing is confirmed',
      oneRule('{ roles: [ops], then: allow, confirm: type-name }'),
      'bellhop.yaml:3:34: rules[0].confirm: is only valid with “then: confirm” or “then: approve”.',
    ],
    [
      'another way to confirm',
      oneRule('{ roles: [ops], then: confirm, confirm: typed-name }'),
      'bellhop.yaml:3:45: rules[0].confirm: must be one of type-name, never. Did you mean “type-name”?',
    ],
    [
      'a change that runs at once, by its name',
      oneRule('{ operations: [cloud.ips, cloud.reboot], roles: [ops], then: allow }'),
      'bellhop.yaml:3:66: rules[0].then: would run cloud.reboot without a confirmation. If that is intended, add “confirm: never”; otherwise use “then: confirm”.',
    ],
    [
      'a change that runs at once, by its risk',
      oneRule('{ risk: [read, change], roles: [ops], then: allow }'),
      'bellhop.yaml:3:49: rules[0].then: would run cdn.raw-logs without a confirmation. If that is intended, add “confirm: never”; otherwise use “then: confirm”.',
    ],
    [
      'a change that runs at once, in an area without reads',
      oneRule('{ operations: [storage.*], roles: [ops], then: allow }'),
      'bellhop.yaml:3:52: rules[0].then: would run storage.post without a confirmation. If that is intended, add “confirm: never”; otherwise use “then: confirm”.',
    ],
    ...['confirm', 'approve, approvers: [leads]', 'deny'].map((then): [string, string, string] => [
      `never confirming what is not allowed at once, but “then: ${then}”`,
      oneRule(`{ confirm: never, roles: [ops], then: ${then} }`),
      'bellhop.yaml:3:7: rules[0].confirm: “never” is only valid in a rule that matches changes and has “then: allow”.',
    ]),
    [
      'never confirming a read',
      oneRule('{ risk: read, confirm: never, roles: [ops], then: allow }'),
      'bellhop.yaml:3:19: rules[0].confirm: “never” is only valid in a rule that matches changes and has “then: allow”.',
    ],
    [
      'names of rules that are blank, too long or hide something',
      `${roles}rules:\n${['" "', 'x'.repeat(41), '"a\\u200bb"'].map((name) => `  - { name: ${name}, roles: [ops], then: confirm }\n`).join('')}`,
      'bellhop.yaml:3:13: rules[0].name: must be one line of 1 to 40 visible characters, without spaces at its ends.',
      'bellhop.yaml:4:13: rules[1].name: must be one line of 1 to 40 visible characters, without spaces at its ends.',
      'bellhop.yaml:5:13: rules[2].name: must be one line of 1 to 40 visible characters, without spaces at its ends.',
    ],
    [
      'two rules of one name',
      `${roles}rules:\n  - { name: Ops, roles: [ops], then: confirm }\n  - { name: ops, roles: [leads], then: confirm }\n`,
      'bellhop.yaml:4:13: rules[1].name: is already the name of rule 1. Rename this rule.',
    ],
    [
      'no approvals at all',
      oneRule('{ roles: [ops], then: approve, approvers: [leads], approvals: 0 }'),
      'bellhop.yaml:3:67: rules[0].approvals: must be at least 1.',
    ],
    [
      'more approvals than approvers',
      oneRule('{ roles: [ops], then: approve, approvers: [leads], approvals: 3 }'),
      'bellhop.yaml:3:67: rules[0].approvals: can never be reached. At most 2 may approve, because no one approves their own request, and the rule needs 3.',
    ],
    [
      'as many approvals as there are, the requester among them',
      oneRule('{ roles: [leads], then: approve, approvers: [leads], approvals: 2 }'),
      'bellhop.yaml:3:69: rules[0].approvals: can never be reached. At most 1 may approve, because no one approves their own request, and the rule needs 2.',
    ],
    [
      'the only approver is already the only requester',
      'roles: { boss: { users: [U0BOSS] } }\nrules: [{ roles: [boss], then: approve, approvers: [boss] }]\n',
      'bellhop.yaml:2:52: rules[0].approvers: can never be reached. At most 0 may approve, because no one approves their own request, and the rule needs 1.',
    ],
    [
      'an unknown operation',
      oneRule('{ operations: [cloud.rebot], roles: [ops], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].operations[0]: unknown operation “cloud.rebot”. Use a name (cloud.reboot) or an area (cloud.*). Did you mean “cloud.reboot”?',
    ],
    [
      'an unknown area',
      oneRule('{ operations: [clod.*, database.*], roles: [ops], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].operations[0]: unknown operation “clod.*”. Use a name (cloud.reboot) or an area (cloud.*). Did you mean “cloud.*”?',
      'bellhop.yaml:3:28: rules[0].operations[1]: unknown operation “database.*”. Use a name (cloud.reboot) or an area (cloud.*).',
    ],
    [
      'a pattern of another kind',
      oneRule('{ operations: ["*.reboot", "cloud.re*"], roles: [ops], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].operations[0]: unknown operation “*.reboot”. Use a name (cloud.reboot) or an area (cloud.*).',
      'bellhop.yaml:3:32: rules[0].operations[1]: unknown operation “cloud.re*”. Use a name (cloud.reboot) or an area (cloud.*).',
    ],
    [
      'an argument that no such operation takes',
      oneRule('{ operations: [cloud.*], arguments: { instnace: db-1, bytes: 5 }, then: deny }'),
      'bellhop.yaml:3:43: rules[0].arguments.instnace: no operation of this rule has “instnace”. Did you mean “instance”?',
      'bellhop.yaml:3:59: rules[0].arguments.bytes: no operation of this rule has “bytes”.',
    ],
    [
      'an argument that is a list',
      oneRule('{ operations: [storage.post], arguments: { kind: [a, b] }, then: deny }'),
      'bellhop.yaml:3:54: rules[0].arguments.kind: must be text, not a list.',
    ],
  ])('%s', (_, yaml, ...expected) => {
    expect(mistakesIn(yaml)).toEqual(expected);
  });
});
