import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { rulebookFile } from '../../../src/config/rulebook/rulebook-file.ts';
import { sourceKinds } from '../../../src/features/index.ts';
import { mistakesIn, oneRule, roles } from './mistakes-in.ts';

/** The keys of the build, in the order of the documents. */
const keysOf = ({ shape }: typeof rulebookFile): string => Object.keys(shape).join(', ');

describe('a file with a mistake is refused, with line, column and what to do', () => {
  it.each<[string, string, ...string[]]>([
    [
      'an unknown key at the top',
      'instnaces: {}\n',
      'bellhop.yaml:1:1: instnaces: is not a valid key here. Did you mean “instances”?',
    ],
    [
      'several unknown keys in one place',
      'projcet: 1\nquotas: 5\n',
      'bellhop.yaml:1:1: projcet: is not a valid key here. Did you mean “project”?',
      `bellhop.yaml:2:1: quotas: is not a valid key here. Known here: ${keysOf(rulebookFile)}.`,
    ],
    [
      'a section under a misspelt key, on which much else depends',
      `roels: { leads: { users: [U0CAROL, U0DAN] } }
instnces: { db-1: { id: a, labels: { env: production } } }
rules: [{ labels: { env: production }, roles: [leads], then: approve, approvers: [leads] }]
`,
      'bellhop.yaml:1:1: roels: is not a valid key here. Did you mean “roles”?',
      'bellhop.yaml:2:1: instnces: is not a valid key here. Did you mean “instances”?',
    ],
    [
      'roles under a key that resembles none',
      'humanity: { leads: { users: [U0CAROL] } }\nrules: [{ risk: read, roles: [leads], then: allow }]\n',
      `bellhop.yaml:1:1: humanity: is not a valid key here. Known here: ${keysOf(rulebookFile)}.`,
    ],
    [
      'an unknown key in an instance',
      'instances:\n  web-1: { id: a, label: { env: x } }\n',
      'bellhop.yaml:2:19: instances.web-1.label: is not a valid key here. Did you mean “labels”?',
    ],
    [
      'an unknown key in a role, such as one of a feature that this build does not have',
      'roles:\n  ops: { users: [U0OPS], rota: primary }\nrules: [{ risk: read, roles: [ops], then: allow }]\n',
      `bellhop.yaml:2:26: roles.ops.rota: is not a valid key here. Known here: ${['users', 'usergroups', ...sourceKinds.map(({ key }) => key)].join(', ')}.`,
    ],
    [
      'an unknown key in a rule',
      oneRule('{ roles: [leads], than: allow }'),
      'bellhop.yaml:3:5: rules[0].then: is missing. Use allow, confirm, approve, deny.',
      'bellhop.yaml:3:23: rules[0].than: is not a valid key here. Did you mean “then”?',
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
      'bellhop.yaml:1:20: links.instance: must be an https:// address with {project}, {region} and {id} after the host, such as https://console.example.com/{project}/{region}/{id}.',
    ]),
    [
      'approvers and breakers that are not defined',
      oneRule('{ roles: [ops], then: approve, approvers: [lead], break_glass: [opps] }'),
      'bellhop.yaml:3:48: rules[0].approvers[0]: the role “lead” is not defined under roles. Did you mean “leads”?',
      'bellhop.yaml:3:69: rules[0].break_glass[0]: the role “opps” is not defined under roles. Did you mean “ops”?',
    ],
    [
      'a frozen exception that is not defined',
      `${roles}freeze:\n  - { from: 2026-12-24T18:00:00Z, to: 2026-12-25T18:00:00Z, except: [lead] }\n`,
      'bellhop.yaml:3:70: freeze[0].except[0]: the role “lead” is not defined under roles. Did you mean “leads”?',
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
      'bellhop.yaml:2:54: limits[0].operations[0]: unknown operation “cloud.rebot”. Use a name (cloud.reboot) or an area (cloud.*). Did you mean “cloud.reboot”?',
    ],
    [
      'one person under two names that differ in capitals',
      'people: { carol@example.com: U0CAROL, Carol@example.com: U0MALLORY }\n',
      'bellhop.yaml:1:58: people.Carol@example.com: is a duplicate that differs only in case. Remove one.',
    ],
    [
      'a guard of nothing, by no one',
      'guard:\n  - { labels: {}, keep: 0 }\n',
      'bellhop.yaml:2:5: guard[0].approvers: is missing.',
      'bellhop.yaml:2:15: guard[0].labels: is empty. Add a label, or remove the key to match every target.',
      'bellhop.yaml:2:25: guard[0].keep: must be at least 1.',
    ],
    [
      'an audit log with an invalid key, URLs and witnesses',
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
      'bellhop.yaml:5:47: audit.witnesses[0].key: must be the key of a witness. This one signs notes, not cosignatures.',
    ],
    [
      'a collector without TLS, with an invalid token, from before the first entry',
      'audit: { forward: { url: "http://siem.example.com", token: s3cret, from: later, batch: 1 } }\n',
      'bellhop.yaml:1:26: audit.forward.url: must be an https:// address without user, password or “#”.',
      'bellhop.yaml:1:60: audit.forward.token: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
      'bellhop.yaml:1:74: audit.forward.from: must be “now”, or the number of an entry, from 1.',
      'bellhop.yaml:1:81: audit.forward.batch: is not a valid key here. Known here: url, token, from, content_type.',
    ],
    [
      'a secret that nothing may use',
      'secrets: { s3-prod: { hosts: [s3.example.com] } }\n',
      'bellhop.yaml:1:21: secrets.s3-prod: is unused. Add the form fields, or the operations, that may use it.',
    ],
    [
      'a guard and an announcement with roles that are not defined',
      `${roles}guard:\n  - { labels: { tier: web }, approvers: [laeds] }\nannounce: { broken_rules: [lead], break_glass: ops }\n`,
      'bellhop.yaml:3:42: guard[0].approvers[0]: the role “laeds” is not defined under roles. Did you mean “leads”?',
      'bellhop.yaml:4:28: announce.broken_rules[0]: the role “lead” is not defined under roles. Did you mean “leads”?',
      'bellhop.yaml:4:48: announce.break_glass: must be the id of a channel (C…, G… or D…), not its name. It is at the bottom of “View channel details”.',
    ],
    [
      '“anyone” defined again',
      'roles: { anyone: { users: [U0ALICE] } }\n',
      'bellhop.yaml:1:10: roles.anyone: is built in and means the full members of your own team. Rename this role.',
    ],
    [
      'a duplicate instance id',
      'instances:\n  web-1: { id: 6c6a }\n  web-2: { id: 6C6A }\n',
      'bellhop.yaml:3:16: instances.web-2.id: is already the id of “web-1”. An instance has one name.',
    ],
    [
      'a duplicate instance id in another spelling',
      'instances:\n  a: { id: 6c6aa80f-7836-4dc2-a2ae-125e248be476 }\n  b: { id: 6C6AA80F78364dc2a2ae125e248be476 }\n',
      'bellhop.yaml:3:12: instances.b.id: is already the id of “a”. An instance has one name.',
    ],
    [
      'targets of an account that is not defined',
      'accounts: { eu: { base_url: "https://api.example.com", key: secret:eu } }\ninstances:\n  web-1: { id: 6c6a, account: ue }\ncontainers: { api: { account: us } }\n',
      'bellhop.yaml:3:31: instances.web-1.account: the account “ue” is not defined under accounts. Did you mean “eu”?',
      'bellhop.yaml:4:31: containers.api.account: the account “us” is not defined under accounts.',
    ],
    [
      'accounts without encryption, with a password, without a key, with a key itself',
      'accounts:\n  a: { base_url: "http://api.example.com", key: secret:a }\n  b: { base_url: "https://u:p@api.example.com", key: secret:b }\n  c: { base_url: "https://api.example.com" }\n  d: { base_url: "http://127.0.0.1:4100", key: hunter2 }\n',
      'bellhop.yaml:2:18: accounts.a.base_url: must be an https:// address, such as https://api.eu.example.com, without a user, “?” or “#”; http:// only for this machine.',
      'bellhop.yaml:3:18: accounts.b.base_url: must be an https:// address, such as https://api.eu.example.com, without a user, “?” or “#”; http:// only for this machine.',
      'bellhop.yaml:4:6: accounts.c.key: is missing.',
      'bellhop.yaml:5:48: accounts.d.key: must be the name of a secret, such as secret:grafana-hook, never the secret itself.',
    ],
    [
      'an instance named as another one’s id',
      'instances:\n  vm-1: { id: vm-2 }\n  VM-2: { id: vm-3 }\n',
      'bellhop.yaml:3:3: instances.VM-2: is the id of “vm-1”. Rename this instance.',
    ],
    [
      'a person twice in a role',
      'roles: { leads: { users: [U0CAROL, U0DAN, U0CAROL] } }\n',
      'bellhop.yaml:1:43: roles.leads.users[2]: “U0CAROL” is a duplicate.',
    ],
    [
      'a person under two teams, whose approvals would count twice',
      'roles:\n  ops: { users: [U0ALICE, T0OTHER/U0SARA] }\n  leads: { users: [U0SARA, T1/U0ALICE, U0ALICE] }\n',
      'bellhop.yaml:3:20: roles.leads.users[0]: is listed as T0OTHER/U0SARA under roles.ops. A person has one team, so use the same id in every role.',
      'bellhop.yaml:3:28: roles.leads.users[1]: is listed as U0ALICE under roles.ops. A person has one team, so use the same id in every role.',
    ],
    [
      'a secret bound to what takes none, or to a URL',
      'secrets: { s3-prod: { fields: [s3_secret_kye], hosts: ["https://s3.example.com"] }, S3: { fields: [] } }\n',
      'bellhop.yaml:1:32: secrets.s3-prod.fields[0]: no operation has a secret field “s3_secret_kye”. Did you mean “s3_secret_key”?',
      'bellhop.yaml:1:56: secrets.s3-prod.hosts[0]: must be a host name without scheme, port or path, such as s3.example.com.',
      'bellhop.yaml:1:85: secrets.S3: must be the name of a secret without “secret:”, in lower-case letters, digits and -.',
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
      'an unknown extension',
      'extensions: [instance-reed]\n',
      'bellhop.yaml:1:14: extensions[0]: must be one of instance-list, instance-read, instance-actions, tasks, floating-ip-list, event-changes, cdn-purge. Did you mean “instance-read”?',
    ],
    [
      'an operation that was removed',
      `roles: { all: { users: [U0ALICE] } }
rules: [{ operations: [cloud.load, cloud.ips], roles: [all], then: allow }]
`,
      'bellhop.yaml:2:24: rules[0].operations[0]: cloud.load was removed. For the load of instances, use your monitoring, such as Grafana. Remove it here.',
    ],
    [
      'an extension that was removed',
      'extensions: [tasks, instance-metrics]\n',
      'bellhop.yaml:1:21: extensions[1]: instance-metrics was removed. For the load of instances, use your monitoring, such as Grafana. Remove it here.',
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
    ['nothing', '', 'bellhop.yaml is empty: start from examples/bellhop.minimal.yaml.'],
    ['only comments', '# nothing yet\n', 'bellhop.yaml is empty: start from examples/bellhop.minimal.yaml.'],
    [
      'mistakes in many places, in the order of the file',
      `extensions: [x]\nrules:\n  - { roles: [ghosts], then: allow }\nproject: one\n`,
      'bellhop.yaml:1:14: extensions[0]: must be one of instance-list, instance-read, instance-actions, tasks, floating-ip-list, event-changes, cdn-purge.',
      'bellhop.yaml:3:15: rules[0].roles[0]: the role “ghosts” is not defined under roles.',
      'bellhop.yaml:4:10: project: must be a number, not text.',
    ],
  ])('%s', (_, yaml, ...expected) => {
    expect(mistakesIn(yaml)).toEqual(expected);
  });
});

it('no finding repeats a sentence of the library that checks the schema', () => {
  const { localeError } = z.config();
  onTestFinished(() => void z.config({ localeError }));
  z.config({ localeError: () => 'nonsense' });
  const yaml = `
project: x
people: { "": 5, ${'x'.repeat(321)}: U1 }
schedules: { a: { jsm: { cloud: 1, schedule: '', user: ghost, token: t, url: 5 } }, b: { ical: 5 } }
roles: { a: { users: [], schedule: 5 } }
hooks: { a: { kind: other, buttons: [{ run: '' }, ${'{ run: x }, '.repeat(6)}] } }
audit: { key: [], publish: 5, forward: { from: -1 }, witnesses: [{ url: '', key: '' }] }
limits: [{ at_most: 0, within: 5 }, 7]
links: { instance: ${'x'.repeat(1001)} }
unknown: 1
`;
  const lines = mistakesIn(yaml);
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.join('\n')).not.toContain('nonsense');
});
