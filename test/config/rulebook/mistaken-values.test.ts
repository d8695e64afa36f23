import { describe, expect, it } from 'vitest';

import { mistakesIn, oneRule } from './mistakes-in.ts';

describe('a value of another kind is refused, with line, column and what to do', () => {
  it.each<[string, string, ...string[]]>([
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
      'bellhop.yaml:1:11: instances: must be a mapping of keys to values, not empty (remove the key, or give it a value).',
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
      'a region that is not a number',
      'regions: { lux: Luxembourg-2 }\n',
      'bellhop.yaml:1:12: regions.lux: must be the number of a region.',
    ],
    [
      'a number as a label',
      'instances: { web-1: { id: a, labels: { zone: 1 } } }\n',
      'bellhop.yaml:1:46: instances.web-1.labels.zone: must be text, not 1 (as text it is written "1").',
    ],
    [
      'yes as a label, which YAML 1.2 reads as text, and true, which is not text',
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
      "bellhop.yaml:1:27: instances.web-1.id: must be the service's instance id: letters, digits, - and _.",
    ],
    [
      'an empty id',
      'instances: { web-1: { id: "" } }\n',
      "bellhop.yaml:1:27: instances.web-1.id: must be the service's instance id: letters, digits, - and _.",
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
      'bellhop.yaml:1:27: roles.leads.users[0]: must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.',
      'bellhop.yaml:1:34: roles.leads.users[1]: must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.',
      'bellhop.yaml:1:44: roles.leads.users[2]: must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.',
      'bellhop.yaml:1:53: roles.leads.users[3]: must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.',
      'bellhop.yaml:1:60: roles.leads.users[4]: must be the id of a Slack user (U… or W…; T…/U… for another organization), not a name. Use “Copy member ID” in their profile.',
    ],
    [
      'a place that is not a channel',
      oneRule('{ risk: read, roles: [ops], channels: [terminal], then: allow }'),
      'bellhop.yaml:3:44: rules[0].channels[0]: must be the id of a channel (C…, G… or D…), not its name. It is at the bottom of “View channel details”.',
    ],
    [
      'a handle instead of the id of a group',
      'roles: { ops: { usergroups: ["@oncall"] } }\n',
      'bellhop.yaml:1:30: roles.ops.usergroups[0]: must be the id of a Slack user group (S…), not its handle.',
    ],
    [
      'names instead of ids of channels',
      oneRule('{ roles: [leads], channels: ["#ops", c0ops], then: confirm }'),
      'bellhop.yaml:3:34: rules[0].channels[0]: must be the id of a channel (C…, G… or D…), not its name. It is at the bottom of “View channel details”.',
      'bellhop.yaml:3:42: rules[0].channels[1]: must be the id of a channel (C…, G… or D…), not its name. It is at the bottom of “View channel details”.',
    ],
    [
      'a name instead of the id of a team',
      oneRule('{ teams: [acme], then: deny }'),
      'bellhop.yaml:3:15: rules[0].teams[0]: must be the id of a Slack workspace (T…).',
    ],
    [
      'an empty role',
      'roles: { leads: { users: [] } }\n',
      'bellhop.yaml:1:26: roles.leads.users: is an empty list. Add an entry, or remove the key.',
    ],
    [
      'times without a zone, that do not exist, or are no times',
      'freeze:\n  - { from: 2026-12-24T18:00:00, to: 2027-02-30T00:00:00Z }\n  - { from: tomorrow, to: 5 }\n',
      'bellhop.yaml:2:13: freeze[0].from: must be an existing time with its zone, such as 2026-12-24T18:00:00+01:00.',
      'bellhop.yaml:2:38: freeze[0].to: must be an existing time with its zone, such as 2026-12-24T18:00:00+01:00.',
      'bellhop.yaml:3:13: freeze[1].from: must be an existing time with its zone, such as 2026-12-24T18:00:00+01:00.',
      'bellhop.yaml:3:27: freeze[1].to: must be an existing time with its zone, such as 2026-12-24T18:00:00+01:00.',
    ],
    [
      'a freeze that ends before it begins',
      'freeze:\n  - { from: 2026-12-25T00:00:00+01:00, to: 2026-12-24T23:00:00Z }\n',
      'bellhop.yaml:2:44: freeze[0].to: must be later than “from”.',
    ],
    [
      'durations that are invalid or out of bounds',
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
  ])('%s', (_, yaml, ...expected) => {
    expect(mistakesIn(yaml)).toEqual(expected);
  });
});
