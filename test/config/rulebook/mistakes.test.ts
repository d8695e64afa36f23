import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { knownOperations } from '../known-operations.ts';

const parse = (yaml: string) => parseRulebook(Buffer.from(yaml), 'bellhop.yaml', knownOperations);

/** Seven levels of nine aliases each: five million values in half a kilobyte. */
const bomb = ['regions: &a0 { 1: x }', ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(nineTimes)].join('\n');

function nineTimes(name: string, level: number): string {
  return `${name}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(', ')}]`;
}

/** Enough of a file for rules to refer to. */
const roles = 'roles: { leads: { users: [U0CAROL, U0DAN] }, ops: { usergroups: [S0OPS] } }\n';
const oneRule = (rule: string): string => `${roles}rules:\n  - ${rule}\n`;

describe('a file with a mistake is refused, with line, column and what to do', () => {
  it.each<[string, string, ...string[]]>([
    [
      'an unknown key at the top',
      'instnaces: {}\n',
      'bellhop.yaml:1:1: instnaces: is not a key here. Did you mean “instances”?',
    ],
    [
      'several unknown keys in one place',
      'projcet: 1\nquotas: 5\n',
      'bellhop.yaml:1:1: projcet: is not a key here. Did you mean “project”?',
      'bellhop.yaml:2:1: quotas: is not a key here. Known here: project, region, regions, instances, containers, roles, schedules, people, secrets, rules, freeze, limits, guard, announce, hooks, audit, links, requests, extensions.',
    ],
    [
      'a section under a misspelt key, on which much else depends',
      `roels: { leads: { users: [U0CAROL, U0DAN] } }
instnces: { db-1: { id: a, labels: { env: production } } }
rules: [{ labels: { env: production }, roles: [leads], then: approve, approvers: [leads] }]
`,
      'bellhop.yaml:1:1: roels: is not a key here. Did you mean “roles”?',
      'bellhop.yaml:2:1: instnces: is not a key here. Did you mean “instances”?',
    ],
    [
      'roles under a key that resembles none',
      'humanity: { leads: { users: [U0CAROL] } }\nrules: [{ risk: read, roles: [leads], then: allow }]\n',
      'bellhop.yaml:1:1: humanity: is not a key here. Known here: project, region, regions, instances, containers, roles, schedules, people, secrets, rules, freeze, limits, guard, announce, hooks, audit, links, requests, extensions.',
    ],
    [
      'an unknown key in an instance',
      'instances:\n  web-1: { id: a, label: { env: x } }\n',
      'bellhop.yaml:2:19: instances.web-1.label: is not a key here. Did you mean “labels”?',
    ],
    [
      'an unknown key in a rule',
      oneRule('{ roles: [leads], than: allow }'),
      'bellhop.yaml:3:5: rules[0].then: is missing: give allow, confirm, approve, deny.',
      'bellhop.yaml:3:23: rules[0].than: is not a key here. Did you mean “then”?',
    ],
    [
      'a role that is not defined',
      oneRule('{ risk: read, roles: [laeds], then: allow }'),
      'bellhop.yaml:3:27: rules[0].roles[0]: the role “laeds” is not defined under roles. Did you mean “leads”?',
    ],
    [
      'a role that nothing resembles',
      oneRule('{ risk: read, roles: [managers], then: allow }'),
      'bellhop.yaml:3:27: rules[0].roles[0]: the role “managers” is not defined under roles.',
    ],
    ...[
      'http://console.example/{id}',
      'https://user@console.example/{id}',
      'https://{id}.example/',
      'https://console.example/{name}',
      'https://console.example/{id}|<!here>',
      'javascript:alert(1)',
    ].map((link): [string, string, string] => [
      `a link such as ${link}`,
      `links: { instance: "${link}" }\n`,
      'bellhop.yaml:1:20: links.instance: must be an https:// address, with {project}, {region} and {id} behind the host, such as https://console.example.com/{project}/{region}/{id}.',
    ]),
    [
      'approvers and breakers that are not defined',
      oneRule('{ roles: [ops], then: approve, approvers: [lead], break_glass: [opps] }'),
      'bellhop.yaml:3:48: rules[0].approvers[0]: the role “lead” is not defined under roles. Did you mean “leads”?',
      'bellhop.yaml:3:69: rules[0].break_glass[0]: the role “opps” is not defined under roles. Did you mean “ops”?',
    ],
    [
      'a frozen exception that is not defined',
      `${roles}freeze:\n  - { from: 2026-12-24T18:00:00Z, to: 2026-12-25T18:00:00Z, except: [led] }\n`,
      'bellhop.yaml:3:70: freeze[0].except[0]: the role “led” is not defined under roles. Did you mean “leads”?',
    ],
    [
      'a limit without its parts',
      'limits:\n  - { per: user, at_most: 0, within: 2d }\n',
      'bellhop.yaml:2:12: limits[0].per: must be one of target, person, all.',
      'bellhop.yaml:2:27: limits[0].at_most: must be at least 1.',
      'bellhop.yaml:2:38: limits[0].within: must be a duration from 1s to 24h, such as 15m, 60s or 1h30m.',
    ],
    [
      'a limit on an operation that is not there',
      'limits:\n  - { per: all, at_most: 1, within: 1m, operations: [cloud.rebot] }\n',
      'bellhop.yaml:2:54: limits[0].operations[0]: there is no operation “cloud.rebot”; a rule names one (cloud.reboot) or an area (cloud.*). Did you mean “cloud.reboot”?',
    ],
    [
      'one person under two names that differ in capitals',
      'people: { carol@example.com: U0CAROL, Carol@example.com: U0MALLORY }\n',
      'bellhop.yaml:1:58: people.Carol@example.com: is there twice, but for capitals: leave one.',
    ],
    [
      'a guard of nobody, by nobody',
      'guard:\n  - { labels: {}, keep: 0 }\n',
      'bellhop.yaml:2:5: guard[0].approvers: is missing.',
      'bellhop.yaml:2:15: guard[0].labels: is empty: name a label, or leave it out where every target is meant.',
      'bellhop.yaml:2:25: guard[0].keep: must be at least 1.',
    ],
    [
      'an audit log whose key, addresses and witnesses are none',
      `audit:
  key: PRIVATE+KEY+x
  publish: [http://example.com/checkpoint, folder]
  witnesses:
    - { url: "https://user@example.com", key: example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k }
`,
      'bellhop.yaml:2:8: audit.key: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
      'bellhop.yaml:3:13: audit.publish[0]: must be an https:// address without user, password, “?” or “#”, or the absolute path of a folder.',
      'bellhop.yaml:3:44: audit.publish[1]: must be an https:// address without user, password, “?” or “#”, or the absolute path of a folder.',
      'bellhop.yaml:5:14: audit.witnesses[0].url: must be an https:// address without user, password, “?” or “#”.',
      'bellhop.yaml:5:47: audit.witnesses[0].key: must be the key of a witness; this one signs notes, not cosignatures.',
    ],
    [
      'a collector without TLS, with a token that is none, from before the first entry',
      'audit: { forward: { url: "http://siem.example.com", token: s3cret, from: later, batch: 1 } }\n',
      'bellhop.yaml:1:26: audit.forward.url: must be an https:// address without user, password or “#”.',
      'bellhop.yaml:1:60: audit.forward.token: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
      'bellhop.yaml:1:74: audit.forward.from: must be “now”, or the number of an entry, from 1.',
      'bellhop.yaml:1:81: audit.forward.batch: is not a key here. Known here: url, token, from, content_type.',
    ],
    [
      'a guard and an announcement with roles that are not defined',
      `${roles}guard:\n  - { labels: { tier: web }, approvers: [laeds] }\nannounce: { broken_rules: [lead], break_glass: ops }\n`,
      'bellhop.yaml:3:42: guard[0].approvers[0]: the role “laeds” is not defined under roles. Did you mean “leads”?',
      'bellhop.yaml:4:28: announce.broken_rules[0]: the role “lead” is not defined under roles. Did you mean “leads”?',
      'bellhop.yaml:4:48: announce.break_glass: must be the id of a channel (C…, G… or D…), not its name: at the bottom of “View channel details”.',
    ],
    [
      '“anyone” defined again',
      'roles: { anyone: { users: [U0ALICE] } }\n',
      'bellhop.yaml:1:10: roles.anyone: is built in: it means the full members of the own team. Give this role another name.',
    ],
    [
      'a duplicate key',
      'instances:\n  web-1: { id: a }\n  web-1: { id: b }\n',
      'bellhop.yaml:3:3: this key is here twice; keep one of them.',
    ],
    [
      'a key that is the same as text',
      'regions: { 76: A, "76": B }\n',
      'bellhop.yaml:1:19: this key is here twice; keep one of them.',
    ],
    [
      'a duplicate instance id',
      'instances:\n  web-1: { id: 6c6a }\n  web-2: { id: 6C6A }\n',
      'bellhop.yaml:3:16: instances.web-2.id: is the id of “web-1” already; one instance has one name.',
    ],
    [
      'a duplicate instance id in another spelling',
      'instances:\n  a: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }\n  b: { id: 6C6AA80F78364dc2a2ae125e248be476 }\n',
      'bellhop.yaml:3:12: instances.b.id: is the id of “a” already; one instance has one name.',
    ],
    [
      'an instance named as another one’s id',
      'instances:\n  vm-1: { id: vm-2 }\n  VM-2: { id: vm-3 }\n',
      'bellhop.yaml:3:3: instances.VM-2: is the id of “vm-1”: give this instance another name.',
    ],
    [
      'somebody twice in a role',
      'roles: { leads: { users: [U0CAROL, U0DAN, U0CAROL] } }\n',
      'bellhop.yaml:1:43: roles.leads.users[2]: “U0CAROL” is in this list already.',
    ],
    [
      'somebody under two teams, whose approvals would count twice',
      'roles:\n  ops: { users: [U0ALICE, T0OTHER/U0SARA] }\n  leads: { users: [U0SARA, T1/U0ALICE, U0ALICE] }\n',
      'bellhop.yaml:3:20: roles.leads.users[0]: is T0OTHER/U0SARA under roles.ops already: one person has one team, so write them alike in every role.',
      'bellhop.yaml:3:28: roles.leads.users[1]: is U0ALICE under roles.ops already: one person has one team, so write them alike in every role.',
    ],
    [
      'a text where a list belongs',
      oneRule('{ roles: leads, then: confirm }'),
      'bellhop.yaml:3:14: rules[0].roles: must be a list, not text.',
    ],
    [
      'a list where a mapping belongs',
      'instances: [web-1]\n',
      'bellhop.yaml:1:12: instances: must be a mapping of keys to values, not a list.',
    ],
    [
      'nothing where a mapping belongs',
      'instances:\nroles: {}\n',
      'bellhop.yaml:1:11: instances: must be a mapping of keys to values, not empty (leave the key out, or give it a value).',
    ],
    ['a number as text', 'project: "1186668"\n', 'bellhop.yaml:1:10: project: must be a number, not text.'],
    ['a fraction', 'region: 7.5\n', 'bellhop.yaml:1:9: region: must be a whole number, not 7.5.'],
    ['a number that is too small', 'project: 0\n', 'bellhop.yaml:1:10: project: must be at least 1.'],
    [
      'a number that is too large',
      'project: 9999999999999999\n',
      'bellhop.yaml:1:10: project: must be at most 9007199254740991.',
    ],
    ['infinity', 'project: .inf\n', 'bellhop.yaml:1:10: project: must be a number, not Infinity.'],
    [
      'a region that is no number',
      'regions: { lux: Luxembourg-2 }\n',
      'bellhop.yaml:1:12: regions.lux: must be the number of a region.',
    ],
    [
      'a number as a label',
      'instances: { web-1: { id: a, labels: { zone: 1 } } }\n',
      'bellhop.yaml:1:46: instances.web-1.labels.zone: must be text, not 1 (as text it is written "1").',
    ],
    [
      'yes as a label, a text in YAML 1.2, and true, which is none',
      'instances: { a: { id: a, labels: { x: yes, y: true } } }\n',
      'bellhop.yaml:1:47: instances.a.labels.y: must be text, not true (as text it is written "true").',
    ],
    [
      'an instance without an id',
      'instances:\n  web-1: {}\n',
      'bellhop.yaml:2:10: instances.web-1.id: is missing.',
    ],
    [
      'an id that could change a path',
      'instances: { web-1: { id: ../stop } }\n',
      'bellhop.yaml:1:27: instances.web-1.id: must be an instance id: letters, digits, - and _, as the service writes it.',
    ],
    [
      'an empty id',
      'instances: { web-1: { id: "" } }\n',
      'bellhop.yaml:1:27: instances.web-1.id: must be an instance id: letters, digits, - and _, as the service writes it.',
    ],
    [
      'names that cannot be typed',
      'instances: { "web 1": { id: a }, web/2: { id: b }, "web\\t3": { id: c }, "web\\u202e4": { id: d }, --force: { id: e }, "": { id: f } }\n',
      'bellhop.yaml:1:14: instances.web 1: must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
      'bellhop.yaml:1:34: instances.web/2: must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
      'bellhop.yaml:1:52: instances.web�3: must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
      'bellhop.yaml:1:73: instances.web�4: must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
      'bellhop.yaml:1:98: instances.--force: must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
      'bellhop.yaml:1:118: instances.: must be a name of at most 100 characters, without spaces, slashes or control characters, and without - in front.',
    ],
    [
      'a name of the language',
      'instances: { __proto__: { id: a } }\n',
      'bellhop.yaml:1:14: “__proto__” cannot be used as a key.',
    ],
    [
      'names instead of ids of people',
      'roles: { leads: { users: [carol, "@carol", u0carol, S0OPS, T0OTHER/carol] } }\n',
      'bellhop.yaml:1:27: roles.leads.users[0]: must be the id of a Slack user (U… or W…; T…/U… for somebody of another organisation), not a name: “Copy member ID” in their profile.',
      'bellhop.yaml:1:34: roles.leads.users[1]: must be the id of a Slack user (U… or W…; T…/U… for somebody of another organisation), not a name: “Copy member ID” in their profile.',
      'bellhop.yaml:1:44: roles.leads.users[2]: must be the id of a Slack user (U… or W…; T…/U… for somebody of another organisation), not a name: “Copy member ID” in their profile.',
      'bellhop.yaml:1:53: roles.leads.users[3]: must be the id of a Slack user (U… or W…; T…/U… for somebody of another organisation), not a name: “Copy member ID” in their profile.',
      'bellhop.yaml:1:60: roles.leads.users[4]: must be the id of a Slack user (U… or W…; T…/U… for somebody of another organisation), not a name: “Copy member ID” in their profile.',
    ],
    [
      'a secret bound to what takes none, or to a URL',
      'secrets: { s3-prod: { fields: [s3_secret_kye], hosts: ["https://s3.example.com"] }, S3: { fields: [] } }\n',
      'bellhop.yaml:1:32: secrets.s3-prod.fields[0]: no operation takes a secret in a field “s3_secret_kye”. Did you mean “s3_secret_key”?',
      'bellhop.yaml:1:56: secrets.s3-prod.hosts[0]: must be the name of a host, without scheme, port or path, such as s3.example.com.',
      'bellhop.yaml:1:85: secrets.S3: must be the name of a secret as it is entered, without “secret:”: small letters, digits and -.',
    ],
    [
      'labels that no target has, in a rule, a freeze, a limit and a guard',
      `${roles}instances: { db-1: { id: a, labels: { env: production } } }
rules: [{ labels: { evn: production }, then: deny }]
freeze: [{ labels: { env: prodution }, from: "2026-12-24T18:00Z", to: "2026-12-25T18:00Z" }]
limits: [{ per: all, at_most: 1, within: 1m, labels: { team: a } }]
guard: [{ labels: { env: constructor }, approvers: [leads] }]
`,
      'bellhop.yaml:3:21: rules[0].labels.evn: no instance or container has the label “evn”. Did you mean “env”?',
      'bellhop.yaml:4:27: freeze[0].labels.env: no instance or container has env=prodution. Did you mean “production”?',
      'bellhop.yaml:5:56: limits[0].labels.team: no instance or container has the label “team”.',
      'bellhop.yaml:6:26: guard[0].labels.env: no instance or container has env=constructor.',
    ],
    [
      'a place that is no channel',
      oneRule('{ risk: read, roles: [ops], channels: [terminal], then: allow }'),
      'bellhop.yaml:3:44: rules[0].channels[0]: must be the id of a channel (C…, G… or D…), not its name: at the bottom of “View channel details”.',
    ],
    [
      'a handle instead of the id of a group',
      'roles: { ops: { usergroups: ["@oncall"] } }\n',
      'bellhop.yaml:1:30: roles.ops.usergroups[0]: must be the id of a Slack user group (S…), not its handle.',
    ],
    [
      'names instead of ids of channels',
      oneRule('{ roles: [leads], channels: ["#ops", c0ops], then: confirm }'),
      'bellhop.yaml:3:34: rules[0].channels[0]: must be the id of a channel (C…, G… or D…), not its name: at the bottom of “View channel details”.',
      'bellhop.yaml:3:42: rules[0].channels[1]: must be the id of a channel (C…, G… or D…), not its name: at the bottom of “View channel details”.',
    ],
    [
      'a name instead of the id of a team',
      oneRule('{ teams: [acme], then: deny }'),
      'bellhop.yaml:3:15: rules[0].teams[0]: must be the id of a Slack team (T… or E…).',
    ],
    [
      'an empty role',
      'roles: { leads: { users: [] } }\n',
      'bellhop.yaml:1:26: roles.leads.users: is an empty list: fill it, or leave the key out.',
    ],
    [
      'a rule that says nothing',
      oneRule('{}'),
      'bellhop.yaml:3:5: rules[0].then: is missing: give allow, confirm, approve, deny.',
    ],
    [
      'a rule that is empty',
      oneRule(''),
      'bellhop.yaml:3:5: rules[0]: must be a mapping of keys to values, not empty (leave the key out, or give it a value).',
    ],
    [
      'a rule for nobody',
      oneRule('{ risk: read, then: allow }'),
      'bellhop.yaml:3:5: rules[0].roles: is missing: say whom the rule is for; [anyone] is every full member.',
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
      'bellhop.yaml:3:15: rules[0].labels: is empty: name a label, or leave it out where every target is meant.',
    ],
    [
      'approval by nobody',
      oneRule('{ roles: [ops], then: approve }'),
      'bellhop.yaml:3:5: rules[0].approvers: is missing: “then: approve” needs the roles that may approve.',
    ],
    [
      'approval where none is asked',
      oneRule('{ roles: [ops], then: confirm, approvers: [leads], approvals: 2, break_glass: [leads] }'),
      'bellhop.yaml:3:36: rules[0].approvers: has a meaning only with “then: approve”.',
      'bellhop.yaml:3:56: rules[0].approvals: has a meaning only with “then: approve”.',
      'bellhop.yaml:3:70: rules[0].break_glass: has a meaning only with “then: approve”.',
    ],
    [
      'typing a name where nothing is confirmed',
      oneRule('{ roles: [ops], then: allow, confirm: type-name }'),
      'bellhop.yaml:3:34: rules[0].confirm: has a meaning only with “then: confirm” or “then: approve”.',
    ],
    [
      'another way to confirm',
      oneRule('{ roles: [ops], then: confirm, confirm: typed-name }'),
      'bellhop.yaml:3:45: rules[0].confirm: must be one of type-name, never. Did you mean “type-name”?',
    ],
    [
      'a change that runs at once, by its name',
      oneRule('{ operations: [cloud.ips, cloud.reboot], roles: [ops], then: allow }'),
      'bellhop.yaml:3:66: rules[0].then: would run cloud.reboot at once, without a confirmation: add “confirm: never” if that is meant, else write “then: confirm”.',
    ],
    [
      'a change that runs at once, by its risk',
      oneRule('{ risk: [read, change], roles: [ops], then: allow }'),
      'bellhop.yaml:3:49: rules[0].then: would run cdn.raw-logs at once, without a confirmation: add “confirm: never” if that is meant, else write “then: confirm”.',
    ],
    [
      'a change that runs at once, in an area without reads',
      oneRule('{ operations: [storage.*], roles: [ops], then: allow }'),
      'bellhop.yaml:3:52: rules[0].then: would run storage.post at once, without a confirmation: add “confirm: never” if that is meant, else write “then: confirm”.',
    ],
    ...['confirm', 'approve, approvers: [leads]', 'deny'].map((then): [string, string, string] => [
      `never confirming what is not allowed at once, but “then: ${then}”`,
      oneRule(`{ confirm: never, roles: [ops], then: ${then} }`),
      'bellhop.yaml:3:7: rules[0].confirm: “never” has a meaning only with “then: allow” of changes.',
    ]),
    [
      'never confirming a read',
      oneRule('{ risk: read, confirm: never, roles: [ops], then: allow }'),
      'bellhop.yaml:3:19: rules[0].confirm: “never” has a meaning only with “then: allow” of changes.',
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
      'bellhop.yaml:4:13: rules[1].name: is the name of rule 1 already; give this rule another.',
    ],
    [
      'no approvals at all',
      oneRule('{ roles: [ops], then: approve, approvers: [leads], approvals: 0 }'),
      'bellhop.yaml:3:67: rules[0].approvals: must be at least 1.',
    ],
    [
      'more approvals than approvers',
      oneRule('{ roles: [ops], then: approve, approvers: [leads], approvals: 3 }'),
      'bellhop.yaml:3:67: rules[0].approvals: can never be reached: at most 2 may approve, since nobody approves their own request, and 3 must.',
    ],
    [
      'as many approvals as there are, the requester among them',
      oneRule('{ roles: [leads], then: approve, approvers: [leads], approvals: 2 }'),
      'bellhop.yaml:3:69: rules[0].approvals: can never be reached: at most 1 may approve, since nobody approves their own request, and 2 must.',
    ],
    [
      'the only approver is the only requester',
      'roles: { boss: { users: [U0BOSS] } }\nrules: [{ roles: [boss], then: approve, approvers: [boss] }]\n',
      'bellhop.yaml:2:52: rules[0].approvers: can never be reached: at most 0 may approve, since nobody approves their own request, and 1 must.',
    ],
    [
      'an unknown operation',
      oneRule('{ operations: [cloud.rebot], roles: [ops], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].operations[0]: there is no operation “cloud.rebot”; a rule names one (cloud.reboot) or an area (cloud.*). Did you mean “cloud.reboot”?',
    ],
    [
      'an unknown area',
      oneRule('{ operations: [clod.*, database.*], roles: [ops], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].operations[0]: there is no operation “clod.*”; a rule names one (cloud.reboot) or an area (cloud.*). Did you mean “cloud.*”?',
      'bellhop.yaml:3:28: rules[0].operations[1]: there is no operation “database.*”; a rule names one (cloud.reboot) or an area (cloud.*).',
    ],
    [
      'a pattern of another kind',
      oneRule('{ operations: ["*.reboot", "cloud.re*"], roles: [ops], then: confirm }'),
      'bellhop.yaml:3:20: rules[0].operations[0]: there is no operation “*.reboot”; a rule names one (cloud.reboot) or an area (cloud.*).',
      'bellhop.yaml:3:32: rules[0].operations[1]: there is no operation “cloud.re*”; a rule names one (cloud.reboot) or an area (cloud.*). Did you mean “cloud.*”?',
    ],
    [
      'an argument that no such operation takes',
      oneRule('{ operations: [cloud.*], arguments: { instnace: db-1, bytes: 5 }, then: deny }'),
      'bellhop.yaml:3:43: rules[0].arguments.instnace: no operation of this rule takes “instnace”. Did you mean “instance”?',
      'bellhop.yaml:3:59: rules[0].arguments.bytes: no operation of this rule takes “bytes”.',
    ],
    [
      'an argument that is a list',
      oneRule('{ operations: [storage.post], arguments: { kind: [a, b] }, then: deny }'),
      'bellhop.yaml:3:54: rules[0].arguments.kind: must be text, not a list.',
    ],
    [
      'times without a zone, that do not exist, or are no times',
      'freeze:\n  - { from: 2026-12-24T18:00:00, to: 2027-02-30T00:00:00Z }\n  - { from: tomorrow, to: 5 }\n',
      'bellhop.yaml:2:13: freeze[0].from: must be a time that exists and says its zone, such as 2026-12-24T18:00:00+01:00.',
      'bellhop.yaml:2:38: freeze[0].to: must be a time that exists and says its zone, such as 2026-12-24T18:00:00+01:00.',
      'bellhop.yaml:3:13: freeze[1].from: must be a time that exists and says its zone, such as 2026-12-24T18:00:00+01:00.',
      'bellhop.yaml:3:27: freeze[1].to: must be a time that exists and says its zone, such as 2026-12-24T18:00:00+01:00.',
    ],
    [
      'a freeze that ends before it begins',
      'freeze:\n  - { from: 2026-12-25T00:00:00+01:00, to: 2026-12-24T23:00:00Z }\n',
      'bellhop.yaml:2:44: freeze[0].to: must be later than “from”.',
    ],
    [
      'durations that are none or out of bounds',
      'requests: { expire_after: 25h, lease: 15 }\n',
      'bellhop.yaml:1:27: requests.expire_after: must be a duration from 1s to 24h, such as 15m, 60s or 1h30m.',
      'bellhop.yaml:1:39: requests.lease: must be a duration from 1s to 10m, such as 15m, 60s or 1h30m.',
    ],
    [
      'a drain that is too long',
      'requests: { drain: 10m }\n',
      'bellhop.yaml:1:20: requests.drain: must be a duration from 1s to 5m, such as 10s.',
    ],
    [
      'a time to keep requests that is too short',
      'requests: { keep: 12h }\n',
      'bellhop.yaml:1:19: requests.keep: must be a duration from 1d to 3650d, such as 90d.',
    ],
    [
      'durations that are too short or misspelt',
      'requests: { expire_after: 0s, lease: 1 minute }\n',
      'bellhop.yaml:1:27: requests.expire_after: must be a duration from 1s to 24h, such as 15m, 60s or 1h30m.',
      'bellhop.yaml:1:38: requests.lease: must be a duration from 1s to 10m, such as 15m, 60s or 1h30m.',
    ],
    [
      'an unknown extension',
      'extensions: [instance-reed]\n',
      'bellhop.yaml:1:14: extensions[0]: must be one of instance-list, instance-read, instance-actions, instance-metrics, tasks, floating-ip-list, event-changes, cdn-purge. Did you mean “instance-read”?',
    ],
    [
      'a list for the whole file',
      '- a\n',
      'bellhop.yaml:1:1: must be a mapping of keys to values, not a list.',
    ],
    [
      'a text for the whole file',
      'bellhop\n',
      'bellhop.yaml:1:1: must be a mapping of keys to values, not text.',
    ],
    ['nothing', '', 'bellhop.yaml is empty: start from bellhop.example.yaml.'],
    ['only comments', '# nothing yet\n', 'bellhop.yaml is empty: start from bellhop.example.yaml.'],
    [
      'mistakes in many places, in the order of the file',
      `extensions: [x]\nrules:\n  - { roles: [nobody], then: allow }\nproject: one\n`,
      'bellhop.yaml:1:14: extensions[0]: must be one of instance-list, instance-read, instance-actions, instance-metrics, tasks, floating-ip-list, event-changes, cdn-purge.',
      'bellhop.yaml:3:15: rules[0].roles[0]: the role “nobody” is not defined under roles.',
      'bellhop.yaml:4:10: project: must be a number, not text.',
    ],
    ['a quote that is not closed', 'project: "1\n', 'bellhop.yaml:2:1: a quote is not closed.'],
    [
      'a tab for indentation',
      'instances:\n\tweb-1: { id: a }\n',
      'bellhop.yaml:2:1: tabs cannot indent; use spaces.',
    ],
    [
      'a bracket too many',
      'rules: []]\n',
      'bellhop.yaml:1:10: this bracket closes nothing; delete it, or open it before.',
    ],
    [
      'a tag',
      'project: !!js/function "f"\n',
      'bellhop.yaml:1:10: tags (!…) are not used here; write the plain value.',
    ],
    [
      'a binary tag',
      'project: !!binary aGk=\n',
      'bellhop.yaml:1:10: tags (!…) are not used here; write the plain value.',
    ],
    [
      'two documents',
      'project: 1\n---\nproject: 2\n',
      'bellhop.yaml:2:1: the file holds more than one document; keep one.',
    ],
    ['an alias of nothing', 'project: *p\n', 'bellhop.yaml:1:10: nothing is named &p before this alias.'],
    [
      'an alias that leads into itself',
      'instances: &i { web-1: *i }\n',
      'bellhop.yaml:1:15: this alias leads into itself.',
    ],
    [
      'a merge key, which YAML 1.2 has not',
      'instances:\n  a: &a { id: a }\n  b: { <<: *a, id: b }\n',
      'bellhop.yaml:3:8: instances.b.<<: is not a key here. Known here: id, project, region, labels.',
    ],
    [
      'a merge key under a directive of YAML 1.1',
      '%YAML 1.1\n---\ninstances:\n  a: &a { id: a }\n  b: { <<: *a, id: b }\n',
      'bellhop.yaml:5:8: instances.b.<<: is not a key here. Known here: id, project, region, labels.',
    ],
    [
      'aliases that multiply',
      bomb,
      'bellhop.yaml:1:1: the file has more than 100000 values when its aliases (*…) are written out.',
    ],
    ['a pit of brackets', '['.repeat(100_000), 'bellhop.yaml:1:1: the file is nested too deeply.'],
    [
      'a pit of braces that closes',
      `${'{a: '.repeat(60)}1${'}'.repeat(60)}`,
      'bellhop.yaml:1:133: this is nested more than 32 levels deep.',
    ],
    [
      'a key that is a list',
      '? [a]\n: 1\n',
      'bellhop.yaml:1:3: a key must be one word or text, not a list or a mapping.',
    ],
  ])('%s', (_, yaml, ...expected) => {
    const result = parse(yaml);
    expect(result.ok ? [] : findingLines(result.findings)).toEqual(expected);
  });
});

describe('a mistake of writing is told in words that need no knowledge of YAML', () => {
  it.each<[string, string, string]>([
    [
      'a bracket left open',
      'rules:\n  - { name: a, then: deny\n  - { name: b }\n',
      '3:3: a bracket before this is not closed, or what is inside it is not indented further than its key.',
    ],
    [
      'a list closed at its key',
      'a: [\n  b\n]\nc: [d\ne: 1\n',
      '5:1: a bracket before this is not closed, or what is inside it is not indented further than its key.',
    ],
    [
      'two keys on a line',
      'a: b: c\n',
      '1:4: two keys cannot share a line; put text with a colon in quotes.',
    ],
    [
      'entries that are out of line',
      'rules:\n- {a: 1}\n - {b: 2}\n',
      '3:2: the entries of this list must begin in the same column.',
    ],
    [
      'keys that are out of line',
      'a:\n  b: 1\n c: 2\n',
      '3:1: this key must begin in the same column as the keys beside it.',
    ],
    [
      'a key of an entry out of line',
      'rules:\n  - name: a\n   then: deny\n',
      '3:1: this stands in a list, but neither begins an entry with “-” nor lines up with one.',
    ],
    [
      'a word without a colon',
      'rules:\n  - a\nfreeze\n',
      '3:1: a key must be followed by a colon and a space, on one line.',
    ],
    ['a star without quotes', 'operations: [*]\n', '1:14: text cannot begin with * or &; put it in quotes.'],
    [
      'an at sign without quotes',
      'users: [@alice]\n',
      '1:9: text cannot begin with this character; put it in quotes.',
    ],
    [
      'a missing comma',
      'a: {b: 1 c: 2}\n',
      '1:8: within […] and {…} entries are separated by commas, and a mapping needs braces of its own.',
    ],
    [
      'a mapping without braces',
      'roles: { leads: users: [U1] }\n',
      '1:17: within […] and {…} entries are separated by commas, and a mapping needs braces of its own.',
    ],
    [
      'a dash in brackets',
      'x: [- a]\n',
      '1:5: within […] and {…} an entry takes no “-”; separate entries with commas.',
    ],
    [
      'text after quotes',
      'a: "x" y\n',
      '1:8: the value ended before this; put all of it in quotes, or begin a new line in the right column.',
    ],
    [
      'a backslash',
      'a: "x\\q"\n',
      '1:6: within "…" a \\ begins an escape; write \\\\, or use single quotes.',
    ],
  ])('%s, in one line', (_, yaml, expected) => {
    const result = parse(yaml);
    expect(findingLines(result.ok ? [] : result.findings)).toEqual([`bellhop.yaml:${expected}`]);
  });
});
