import { describe, expect, it } from 'vitest';

import { findingLines } from '../../../src/config/yaml/findings.ts';
import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import type { Surroundings } from '../../../src/model/section.ts';
import { operations } from '../../../src/operations/index.ts';

/** Warnings about a file, a line each, without the name of the file. */
function warnings(yaml: string, surroundings: Surroundings = {}): readonly string[] {
  const result = parseRulebook(Buffer.from(yaml), 'b', operations, surroundings);
  if (!result.ok) throw new Error(findingLines(result.findings).join('\n'));
  return findingLines(result.warnings()).map((line) => line.replace(/^b:|warning: /gu, ''));
}

const targets = `project: 1
region: 2
instances:
  web-1: { id: w1, labels: { env: staging, tier: web } }
  db-1: { id: d1, labels: { env: production } }
roles:
  ops: { users: [U0OPS], usergroups: [S0OPS] }
  leads: { users: [U0CAROL, U0DAN] }
rules:
`;

/** Rules without a warning: every warning is about the rule that is added to them. */
const rest = `  - { name: denied, risk: [change, destructive], then: deny }
  - { name: reads, risk: read, roles: [anyone, ops, leads], then: allow }
`;

const added = (rule: string): readonly string[] => warnings(`${targets}  - ${rule}\n${rest}`);

describe('rules without a mistake', () => {
  it('have no warnings', () => {
    expect(warnings(targets + rest)).toEqual([]);
    expect(added('{ operations: [cloud.*], roles: [ops], then: approve, approvers: [leads] }')).toEqual([]);
  });
});

describe('a rule for holds', () => {
  it.each(['bellhop.hold', 'bellhop.release'])(
    'matches %s on any target that has the labels',
    (operation) => {
      const rule = (labels: string): string =>
        `{ operations: [${operation}], ${labels}roles: [ops], then: allow }`;
      const elsewhere = targets.replace('db-1:', 'cache-1:');
      const of = (labels: string) =>
        warnings(`${elsewhere}  - ${rule(labels)}\n${rest}`).filter((line) => line.includes('never'));
      expect(of('')).toEqual([]);
      expect(of('labels: { env: staging }, ')).toEqual([]);
      expect(of('labels: { env: production, tier: web }, ')).toEqual([
        '10:5: rules[0]: never matches: no known target has these labels for these operations.',
      ]);
    },
  );
});

describe('a rule that can never decide', () => {
  it.each<[string, string, string]>([
    [
      'the same conditions',
      '{ operations: [cloud.stop], labels: { env: production }, roles: [leads], then: deny }',
      'rules[1]: never decides anything: rule “first” before it decides everything it matches.',
    ],
    [
      'a narrower one in one channel',
      '{ operations: [cloud.stop, cloud.reboot], labels: { env: production }, roles: [leads], channels: [C0OPS], then: confirm }',
      'rules[1]: never decides anything: rule “first” before it decides everything it matches.',
    ],
  ])('%s as an earlier one', (_, rule, expected) => {
    const first =
      '  - { name: first, operations: [cloud.*], labels: { env: production }, roles: [ops, leads], then: approve, approvers: [leads] }\n';
    const [line = ''] = warnings(`${targets}${first}  - ${rule}\n${rest}`);
    expect(line.replace(/^\d+:\d+: /u, '')).toBe(expected);
  });

  it('is reported with all the rules that shadow it together', () => {
    const lines = warnings(`${targets}  - { operations: [cloud.reboot], roles: [ops], then: deny }
  - { name: stops, operations: [cloud.stop], roles: [ops], then: deny }
  - { operations: [cloud.reboot, cloud.stop], roles: [ops], then: deny }
${rest}`);
    expect(lines).toEqual([
      '12:5: rules[2]: never decides anything: rule 1 and rule “stops” before it decide everything it matches.',
    ]);
  });

  it('is one whose conditions go together nowhere', () => {
    const never = 'never matches: no known target has these labels for these operations.';
    expect(added('{ operations: [cdn.*], labels: { env: production }, roles: [ops], then: deny }')).toEqual([
      `10:5: rules[0]: ${never}`,
    ]);
    expect(added('{ labels: { env: production, tier: web }, roles: [ops], then: deny }')).toEqual([
      `10:5: rules[0]: ${never}`,
    ]);
    expect(added('{ risk: read, operations: [cloud.reboot], roles: [ops], then: deny }')).toEqual([
      `10:5: rules[0]: ${never}`,
    ]);
  });

  it.each<[string, string, string]>([
    [
      'another channel',
      '{ channels: [C1], roles: [ops], then: deny }',
      '{ channels: [C2], roles: [ops], then: deny }',
    ],
    [
      'everywhere else',
      '{ channels: [C1], roles: [ops], then: deny }',
      '{ risk: change, roles: [ops], then: deny }',
    ],
    [
      'another argument',
      '{ arguments: { region: "2" }, roles: [ops], then: deny }',
      '{ arguments: { region: "3" }, roles: [ops], then: deny }',
    ],
    [
      'a guest who is listed',
      '{ risk: read, roles: [anyone], then: allow }',
      '{ risk: read, roles: [leads], then: allow }',
    ],
    [
      'guests of a group that is denied',
      '{ risk: read, roles: [ops], then: allow }',
      '{ risk: read, roles: [ops], then: deny }',
    ],
    ['other teams', '{ teams: [T1], roles: [ops], then: deny }', '{ teams: [T2], roles: [ops], then: deny }'],
  ])('is not one for %s', (_, first, second) => {
    const lines = warnings(`${targets}  - ${first}\n  - ${second}\n`);
    expect(lines.filter((line) => line.includes('never decides'))).toEqual([]);
  });
});

describe('a rule that is too loose', () => {
  it('runs changes at once', () => {
    expect(added('{ operations: [storage.post], roles: [ops], then: allow, confirm: never }')).toEqual([
      '10:71: rules[0].confirm: runs storage.post without confirmation or approval.',
    ]);
  });

  it('seems to let changes run', () => {
    expect(added('{ operations: [cloud.*], roles: [ops], then: allow }')).toEqual([
      '10:50: rules[0].then: applies to reads only; cloud.reboot and cloud.stop will still ask for confirmation. Use a separate rule for changes.',
    ]);
  });

  it('lets people confirm changes of unlisted targets, where listed ones need an approval', () => {
    const production =
      '  - { operations: [cloud.*], labels: { env: production }, roles: [ops], then: approve, approvers: [leads] }\n';
    const open = '  - { operations: [cloud.reboot], channels: [C0OPS], roles: [ops], then: confirm }\n';
    expect(warnings(targets + production + open + rest)).toEqual([
      '11:5: rules[1]: allows cloud.reboot on unlisted targets with weaker checks than on db-1. Require approval for, or deny, unlisted targets.',
    ]);
    const strict = open.replace('then: confirm', 'then: approve, approvers: [leads]');
    expect(warnings(targets + production + strict + rest)).toEqual([]);
  });
});

describe('what no one may do', () => {
  it('is a change that no rule is about', () => {
    const lines =
      warnings(`${targets}  - { operations: [cloud.reboot, cdn.*, storage.*], roles: [ops, leads], then: confirm }
  - { operations: [cloud.stop], labels: { env: staging }, roles: [ops], then: confirm }\n`);
    expect(lines).toEqual([
      "10:3: rules: no rule covers cloud.stop on db-1, so it is denied to everyone. If that's intended, add a “then: deny” rule.",
    ]);
  });

  it('is everything, without rules', () => {
    expect(warnings('project: 1\nrules: []\n')).toEqual([
      '2:8: rules: has no rules, so everything is denied to everyone.',
    ]);
  });

  it('is what only the asker could approve', () => {
    expect(
      added(
        '{ operations: [cloud.*], roles: [ops, leads], then: approve, approvers: [leads], approvals: 2 }',
      ),
    ).toEqual([
      '10:77: rules[0].approvers: requests by U0CAROL and U0DAN can never be approved, because no one approves their own request and too few others may.',
    ]);
  });
});

describe('names that fit nothing', () => {
  it('are roles without people and roles that nothing names', () => {
    expect(
      warnings(targets.replace('rules:', '  idle: { users: [U1] }\n  empty: {}\nrules:') + rest),
    ).toEqual([
      '9:3: roles.idle: is not used by any rule.',
      '10:3: roles.empty: has no people. List users or usergroups, or name a schedule.',
    ]);
  });

  it.each([
    ['users: [U0OPS], ', 'users: [U0OPS, E0ORG/U0BOB, T0LABS/U0EVE], ', '7:25: roles.ops.users[1]'],
    ['{ users: [U0CAROL', '{ users: [E0ORG/W0ANN, U0CAROL', '8:20: roles.leads.users[0]'],
    ['risk: read, ', 'risk: read, teams: [T0ACME, E0ORG], ', '11:48: rules[1] “reads”.teams[1]'],
  ])('are ids of organizations, where %s is %s', (before, after, where) => {
    expect(warnings((targets + rest).replace(before, after))).toEqual([
      `${where}: matches no one, because E… is the id of an organization, not of a workspace. Use the id of a workspace (T…).`,
    ]);
  });

  it('are labels of a target, one letter away from those that rules look at', () => {
    const strict =
      '  - { operations: [cloud.*], labels: { env: production }, roles: [ops], then: approve, approvers: [leads] }\n';
    const misspelt = targets.replace(
      'roles:',
      '  db-2: { id: d2, labels: { env: prodution } }\n  db-3: { id: d3, labels: { emv: production } }\nroles:',
    );
    expect(warnings(misspelt + strict + rest)).toEqual([
      '6:34: instances.db-2.labels.env: no rule uses “prodution”. Did you mean “production”?',
      '7:29: instances.db-3.labels.emv: no rule uses “emv”. Did you mean “env”?',
    ]);
  });

  it('are secrets without an entry', () => {
    const bound = 'secrets: { log-bucket: { fields: [s3_secret_key] } }\n';
    expect(warnings(targets + rest + bound, { secretNames: ['log-bucket', 'log-buket'] })).toEqual([
      "12:10: secrets: secret:log-buket is set, but not listed here, so forms reject it outside the playground, and your own operations can't use it in production. List it with the fields and hosts, or the operations, that may use it. Did you mean “log-bucket”?",
    ]);
  });
});

it('warns of a secret that is listed for forms, and that Bellhop uses itself', () => {
  const both = `${targets}${rest}audit: { key: secret:audit-key }\nsecrets: { audit-key: { fields: [ftp_password] } }\n`;
  expect(warnings(both)).toEqual([
    '13:12: secrets.audit-key: secret:audit-key is used by audit, so forms reject it. Remove it here.',
  ]);
});

it('warns of an audit log that is not forwarded, because its token has no value', () => {
  const forwarding = `${targets}${rest}audit: { key: secret:audit-key, forward: { url: "https://siem.example.com/in?source=bellhop", token: secret:siem } }\n`;
  expect(warnings(forwarding, { secretNames: ['audit-key'] })).toEqual([
    '12:102: audit.forward.token: secret:siem does not exist, so the audit log is not forwarded. Set BELLHOP_SECRET_SIEM, or put it into the file siem in BELLHOP_SECRETS_DIR.',
  ]);
  expect(warnings(forwarding, { secretNames: ['audit-key', 'siem'] })).toEqual([]);
});

it('warns of a schedule that cannot be polled, because its token has no value', () => {
  const polled = `${targets}${rest}schedules: { primary: { pagerduty: { schedule: PABC123, token: secret:pd }, match: email } }\n`;
  const text =
    "schedules.primary: secret:pd does not exist, so Bellhop can't tell who is on call. Set BELLHOP_SECRET_PD, or put it into the file pd in BELLHOP_SECRETS_DIR.";
  expect(warnings(polled, { secretNames: [] })).toEqual([
    expect.stringContaining('schedules.primary: is not used by any role.'),
    expect.stringContaining(text),
  ]);
  expect(warnings(polled, { secretNames: ['pd'] })).toHaveLength(1);
});

it('warns of a lease that is shorter than the longest call', () => {
  expect(warnings(`${targets}${rest}requests: { lease: 3s }\n`, { longestCallMs: 30_000 })).toEqual([
    '12:20: requests.lease: 3 s is shorter than the longest call to the service, 30 s. Set it to at least that; otherwise a change may become unknown while its call is still running.',
  ]);
});

it('the search for warnings gives up on comparing if there is too much to compare', () => {
  const instances = Array.from(
    { length: 500 },
    (_, at) => `  i-${at}: { id: x${at}, labels: { n: n${at} } }\n`,
  );
  const rules = Array.from({ length: 2000 }, (_, at) => `  - { labels: { n: n${at % 500} }, then: deny }\n`);
  const yaml = `project: 1\nregion: 2\ninstances:\n${instances.join('')}rules:\n${rules.join('')}`;
  expect(warnings(yaml)).toEqual(['505:3: rules: is too large to check for rules that never decide.']);
});

describe('schedules', () => {
  const onCall = `roles:
  leads: { users: [U0CAROL] }
  dba: { schedule: databases }
schedules:
  databases: { ical: https://calendar.example.com/on-call.ics, match: email }
rules:
  - { risk: [change, destructive], roles: [leads], then: approve, approvers: [dba] }
`;

  it('whose people are the only ones who may approve', () => {
    expect(warnings(onCall)).toEqual([
      '7:78: rules[0].approvers: only people on call may approve (dba). No one can approve if the person on call is the requester, or while the schedule does not answer. Add a role with other people.',
    ]);
    expect(warnings(onCall.replace('[dba]', '[dba, leads]').replace('[leads]', '[anyone]'))).toEqual([]);
  });

  it('that no role is for', () => {
    const idle = onCall
      .replace('approvers: [dba]', 'approvers: [leads, dba]')
      .replace('rules:', '  old: { ical: https://calendar.example.com/old.ics, match: email }\nrules:');
    expect(warnings(idle)).toEqual([
      '6:3: schedules.old: is not used by any role. To use it: roles: { oncall: { schedule: old } }.',
    ]);
  });
});

it.each(['error', 'warning'] as const)(
  'the calendar of the playground is an %s where that does not run',
  (severity) => {
    const yaml = `${targets}${rest}schedules: { primary: { ical: local, match: { a: U0OPS } } }\n`;
    const result = parseRulebook(Buffer.from(yaml), 'b', operations, { unusable: severity });
    const lines = findingLines(result.ok ? result.warnings() : result.findings).join('\n');
    expect(lines).toContain("schedules.primary.ical: “local” is the playground's");
    expect(result.ok).toBe(severity === 'warning');
  },
);

it('warns of accounts without a key, without a target, or of the playground alone', () => {
  const used = targets.replace('id: w1,', 'id: w1, account: eu,');
  const file = `${used}${rest}accounts:
  eu: { base_url: "https://api.eu.example.com", key: secret:eu }
  us: { base_url: local, key: secret:us }
`;
  expect(warnings(file, { secretNames: ['us'], unusable: 'warning' })).toEqual([
    '13:54: accounts.eu.key: secret:eu does not exist, so nothing is sent to this account. Set BELLHOP_SECRET_EU, or put it into the file eu in BELLHOP_SECRETS_DIR.',
    '14:3: accounts.us: is not the account of any target.',
    '14:19: accounts.us.base_url: “local” is a service of the playground, which runs only with API_BASE_URL=local. Use an https:// address.',
  ]);
  expect(() => warnings(file, { secretNames: [], unusable: 'error' })).toThrow(
    /accounts\.eu\.key: secret:eu does not exist/u,
  );
});
