import type { Effect } from '../../src/model/rulebook/rulebook.ts';
import { dbId, type ruleSets } from './rule-sets.ts';
import type { people } from '../people.ts';

/** The permissions as data: each row is a question to the rules and the complete answer. */

/** Raw ids of the sample inventory: web-1 is staging, db-1 production. */
const webById = '1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476';
const dbById = `1186668/180/${dbId.toUpperCase()}`;

type Row = readonly [
  rules: keyof typeof ruleSets,
  who: keyof typeof people,
  channel: 'C0OPS' | 'C0GENERAL' | 'D0ALICE',
  typed: string,
  effect: Effect,
  rule: string,
  /** For a denial: the roles and channels that would be needed, in one line. */
  needed: string,
  now?: number,
];

const dan = 'dan on call';
const erin = 'erin of a group that cannot be looked up';
const gus = 'gus, a guest';
const gina = 'gina, a guest listed by id';
const greta = 'greta, a guest on call';
const sara = 'sara of another team, listed with it';
const steve = 'steve of another team';
const stan = 'stan of another team, on call';
const twin = "another team's user with alice's id";
const ulla = 'ulla, unknown now';
const dora = 'dora, who left, listed by id';
const uwe = 'uwe, unknown now but listed by id';
const break5 = '--break-glass fire';

export const whoMay: readonly Row[] = [
  ['two channels', 'bob', 'C0GENERAL', '/cloud reboot web-1', 'deny', 'no rule', 'on call'],
  ['two channels', 'bob', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  [
    'two channels',
    'bob',
    'D0ALICE',
    '/cloud reboot web-1',
    'deny',
    'no rule',
    'on call responders in C0GENERAL C0OPS',
  ],
  ['two channels', 'alice', 'C0GENERAL', '/cloud reboot web-1', 'deny', 'no rule', 'on call in C0OPS'],
  // Without a rule, nothing is allowed.
  ['none', 'alice', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', ''],
  ['none', 'alice', 'C0OPS', '/cloud ips', 'deny', 'no rule', ''],

  // Reads: every full member, and no one else.
  ['sample', 'alice', 'C0OPS', '/cloud ips', 'allow', 'rule 1', ''],
  ['sample', 'bob', 'C0GENERAL', '/cloud container api', 'allow', 'rule 1', ''],
  ['sample', 'bob', 'D0ALICE', '/cdn metrics 5xx', 'allow', 'rule 1', ''],
  ['sample', gus, 'C0OPS', '/cloud ips', 'deny', 'no rule', 'anyone responders'],
  ['sample', greta, 'C0OPS', '/cloud ips', 'deny', 'no rule', 'anyone responders'],
  ['sample', steve, 'C0OPS', '/cloud ips', 'deny', 'no rule', 'anyone responders'],
  ['sample', twin, 'C0OPS', '/cloud ips', 'deny', 'no rule', 'anyone responders'],
  ['sample', ulla, 'C0OPS', '/cloud ips', 'deny', 'rule 1', 'anyone'],
  ['sample', gina, 'C0OPS', '/cloud ips', 'confirm', 'rule 3', ''],
  ['sample', gina, 'C0GENERAL', '/cloud ips', 'deny', 'no rule', 'anyone in C0OPS'],

  // Staging: responders, in the channel.
  ['sample', 'alice', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 3', ''],
  ['sample', 'alice', 'C0GENERAL', '/cloud reboot web-1', 'deny', 'no rule', 'in C0OPS'],
  ['sample', 'alice', 'D0ALICE', '/cloud reboot web-1', 'deny', 'no rule', 'in C0OPS'],
  ['sample', 'bob', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', 'bob', 'C0GENERAL', '/cloud reboot web-1', 'deny', 'no rule', 'responders in C0OPS'],
  ['sample', 'carol', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', dan, 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 3', ''],
  ['sample', erin, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', gus, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', greta, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', gina, 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 3', ''],
  ['sample', sara, 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 3', ''],
  ['sample', stan, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', twin, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', ulla, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 3', 'responders'],
  ['sample', uwe, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 3', 'responders'],
  ['sample', dora, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'responders'],
  ['sample', dora, 'C0OPS', '/cloud ips', 'deny', 'no rule', 'anyone responders'],

  // Production needs an approval in every channel. Typing the id does not avoid that.
  ['sample', 'alice', 'C0OPS', '/cloud reboot db-1', 'approve', 'rule 2', ''],
  ['sample', 'alice', 'C0GENERAL', '/cloud stop db-1', 'approve', 'rule 2', ''],
  ['sample', 'alice', 'C0OPS', `/cloud reboot ${dbById}`, 'approve', 'rule 2', ''],
  ['sample', 'alice', 'C0OPS', `/cloud stop ${dbById.toLowerCase()}`, 'approve', 'rule 2', ''],
  ['sample', 'alice', 'C0OPS', `/cloud stop ${dbById.replaceAll('-', '')}`, 'approve', 'rule 2', ''],
  [
    'sample',
    'alice',
    'C0GENERAL',
    `/cloud reboot ${webById.replaceAll('-', '')}`,
    'deny',
    'no rule',
    'in C0OPS',
  ],
  ['sample', 'alice', 'C0OPS', `/cloud reboot ${webById}`, 'confirm', 'rule 3', ''],
  [
    'sample',
    'alice',
    'C0OPS',
    '/cloud reboot 1186668/180/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99',
    'confirm',
    'rule 3',
    '',
  ],
  ['sample', 'bob', 'C0OPS', '/cloud reboot db-1', 'deny', 'no rule', 'responders'],
  ['sample', 'carol', 'C0OPS', '/cloud reboot db-1', 'deny', 'no rule', 'responders'],
  ['sample', 'alice', 'C0OPS', '/cdn raw-logs', 'confirm', 'rule 3', ''],
  ['sample', 'alice', 'C0GENERAL', '/cdn raw-logs', 'deny', 'no rule', 'in C0OPS'],

  // The first rule that matches decides.
  ['first match', 'bob', 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['first match', 'bob', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 2', ''],
  ['first match', gus, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 3', 'anyone'],
  ['first match', steve, 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['first match', 'bob', 'C0OPS', '/cloud ips', 'deny', 'no rule', ''],
  ['deny some', 'carol', 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 1', ''],
  ['deny some', 'carol', 'C0GENERAL', '/cloud reboot web-1', 'confirm', 'rule 2', ''],
  ['deny some', 'alice', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 2', ''],
  ['deny some', 'bob', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'leads responders'],

  // A rule that allows something must name roles. An id of another team is not ours.
  ['no roles said', 'alice', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', ''],
  ['teams', sara, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 1', ''],
  ['teams', sara, 'C0OPS', '/cloud ips', 'confirm', 'rule 2', ''],
  ['teams', 'alice', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 2', ''],

  // The target must have every label with its value.
  ['labels', 'bob', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 1', ''],
  ['labels', 'bob', 'C0OPS', '/cloud reboot db-1', 'deny', 'no rule', ''],
  ['labels', 'bob', 'C0OPS', '/cloud container api', 'deny', 'no rule', ''],
  ['labels', 'bob', 'C0OPS', '/cloud reboot 1/2/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99', 'deny', 'no rule', ''],

  // Arguments are compared as they will be sent. Defaults count, and a list can't hide a value.
  ['arguments', 'bob', 'C0OPS', '/cloud container api', 'allow', 'rule 4', ''],
  ['arguments', 'bob', 'C0OPS', '/cloud container api --brief', 'deny', 'no rule', ''],
  [
    'arguments',
    'bob',
    'C0OPS',
    '/cloud reboot 1/9/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99 --region 9',
    'confirm',
    'rule 5',
    '',
  ],
  ['arguments', 'bob', 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', ''],
  ['arguments', 'bob', 'C0OPS', '/cdn metrics 5xx --by cname', 'allow', 'rule 3', ''],
  ['arguments', 'bob', 'C0OPS', '/cdn metrics 5xx --by cname,resource', 'deny', 'no rule', ''],
  ['arguments', 'bob', 'C0OPS', '/cdn metrics 5xx', 'deny', 'no rule', ''],
  ['arguments', 'bob', 'C0OPS', '/cdn metrics 5xx,secret --by cname', 'deny', 'rule 1', ''],
  ['arguments', 'bob', 'C0OPS', '/cdn metrics 5xx --by cname --total=false', 'deny', 'rule 2', ''],

  // Arguments are compared as they will be sent: an instance by name and id, and its default place, too.
  ['effective arguments', 'bob', 'C0OPS', '/cloud reboot db-1', 'deny', 'rule 1', ''],
  ['effective arguments', 'bob', 'C0OPS', `/cloud reboot ${dbById}`, 'deny', 'rule 1', ''],
  [
    'effective arguments',
    'bob',
    'C0OPS',
    `/cloud reboot ${dbById.replaceAll('-', '')}`,
    'deny',
    'rule 1',
    '',
  ],
  ['effective arguments', 'bob', 'C0OPS', '/cloud stop db-1 --region 180', 'deny', 'rule 2', ''],
  [
    'effective arguments',
    'bob',
    'C0OPS',
    '/cloud stop 1/180/0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a99',
    'approve',
    'rule 3',
    '',
  ],
  ['effective arguments', 'bob', 'C0OPS', '/cloud ips --region 180', 'approve', 'rule 3', ''],
  ['effective arguments', 'bob', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 4', ''],
  ['effective arguments', 'bob', 'C0OPS', '/cloud container api', 'confirm', 'rule 4', ''],
  ['effective arguments', 'bob', 'C0OPS', '/cloud ips --project 5', 'deny', 'no rule', ''],

  // `area.*` matches all operations of an area. Nothing else is a pattern.
  ['globs', 'bob', 'C0OPS', '/cloud container api', 'allow', 'rule 1', ''],
  ['globs', 'bob', 'C0OPS', '/cloud ips', 'deny', 'no rule', ''],
  ['globs', 'bob', 'C0OPS', '/cdn metrics 5xx', 'deny', 'no rule', ''],

  // Break-glass skips an approval for the people whom the rule names. It allows nothing else.
  ['break-glass', 'carol', 'C0OPS', `/cloud reboot db-1 ${break5}`, 'confirm', 'rule 1', ''],
  ['break-glass', 'carol', 'C0OPS', '/cloud reboot db-1', 'approve', 'rule 1', ''],
  ['break-glass', 'alice', 'C0OPS', `/cloud reboot db-1 ${break5}`, 'approve', 'rule 1', ''],
  ['break-glass', 'carol', 'C0OPS', `/cloud stop web-1 ${break5}`, 'deny', 'rule 2', ''],
  ['break-glass', 'bob', 'C0OPS', `/cloud reboot web-1 ${break5}`, 'confirm', 'rule 3', ''],
  ['break-glass', gus, 'C0OPS', `/cloud reboot db-1 ${break5}`, 'deny', 'no rule', 'responders leads anyone'],

  // Frozen from the first millisecond to the last. Roles can be exempt. Reads are not affected.
  ['frozen', 'bob', 'C0OPS', '/cloud reboot db-1', 'confirm', 'rule 1', '', 999],
  ['frozen', 'bob', 'C0OPS', '/cloud reboot db-1', 'deny', 'freeze 1', 'leads', 1000],
  ['frozen', 'bob', 'C0OPS', `/cloud reboot ${dbById}`, 'deny', 'freeze 1', 'leads', 1999],
  ['frozen', 'bob', 'C0OPS', `/cloud stop ${dbById.replaceAll('-', '')}`, 'deny', 'freeze 1', 'leads', 1500],
  ['frozen', 'bob', 'C0OPS', '/cloud reboot db-1', 'confirm', 'rule 1', '', 2000],
  ['frozen', 'carol', 'C0OPS', '/cloud reboot db-1', 'confirm', 'rule 1', '', 1500],
  ['frozen', 'bob', 'C0OPS', `/cloud reboot db-1 ${break5}`, 'deny', 'freeze 1', 'leads', 1500],
  ['frozen', 'bob', 'C0OPS', '/cloud container api', 'confirm', 'rule 1', '', 1500],
  ['frozen', 'bob', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 1', '', 1500],
  ['frozen', 'carol', 'C0OPS', '/cloud reboot web-1', 'deny', 'freeze 2', '', 5500],
  ['frozen', gus, 'C0OPS', '/cloud reboot web-1', 'deny', 'no rule', 'anyone', 1500],

  // A person who cannot be looked up is denied by deny rules, and no rule allows them anything, not even a later one.
  ['cannot be looked up', 'lee', 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', 'in C0GENERAL'],
  ['cannot be looked up', 'bob', 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['cannot be looked up', uwe, 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['cannot be looked up', steve, 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['cannot be looked up', 'lee', 'C0OPS', '/cloud reboot db-1', 'approve', 'rule 2', ''],
  ['cannot be looked up', 'bob', 'C0OPS', '/cloud reboot db-1', 'deny', 'rule 2', 'night'],
  ['cannot be looked up', erin, 'C0OPS', '/cloud reboot db-1', 'deny', 'rule 2', 'night'],
  ['cannot be looked up', uwe, 'C0OPS', '/cloud reboot db-1', 'deny', 'rule 2', 'night'],
  ['cannot be looked up', 'bob', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 4', ''],
  ['cannot be looked up', uwe, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 4', 'anyone responders'],
  ['cannot be looked up', ulla, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 4', 'anyone responders'],
  [
    'cannot be looked up',
    gus,
    'C0GENERAL',
    '/cloud reboot db-1',
    'deny',
    'no rule',
    'night anyone responders',
  ],
  ['cannot be looked up', 'lee', 'C0GENERAL', `/cloud reboot web-1 ${break5}`, 'confirm', 'rule 3', ''],
  ['cannot be looked up', 'bob', 'C0GENERAL', `/cloud reboot web-1 ${break5}`, 'deny', 'rule 3', 'night'],
  ['cannot be looked up', 'bob', 'C0GENERAL', '/cloud reboot web-1', 'approve', 'rule 3', ''],
  ['cannot be looked up', 'lee', 'C0OPS', '/cloud reboot db-1', 'approve', 'rule 2', '', 1500],
  ['cannot be looked up', 'bob', 'C0OPS', '/cloud reboot db-1', 'deny', 'freeze 1', 'night', 1500],

  // A change runs at once only if its rule says so explicitly; otherwise it is confirmed. A rule is also known by its name.
  ['at once', 'alice', 'C0OPS', '/cloud ips', 'allow', 'rule “most of it”', ''],
  ['at once', 'alice', 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule “most of it”', ''],
  ['at once', 'alice', 'C0OPS', '/cdn raw-logs', 'allow', 'rule “free”', ''],
  ['at once', 'alice', 'C0OPS', '/cdn metrics 5xx', 'allow', 'rule “free”', ''],
  ['at once', 'bob', 'C0OPS', '/cloud ips', 'deny', 'rule “nothing else”', 'responders'],

  // No user group admits a guest, and each one denies guests. The same applies to someone from another team.
  ['deny visitors', greta, 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['deny visitors', stan, 'C0OPS', '/cloud stop web-1', 'deny', 'rule 1', ''],
  ['deny visitors', gina, 'C0OPS', '/cloud stop web-1', 'confirm', 'rule 3', ''],
  ['deny visitors', gina, 'C0OPS', '/cloud reboot web-1', 'deny', 'rule 2', ''],
  ['deny visitors', stan, 'C0OPS', '/cloud reboot web-1', 'confirm', 'rule 3', ''],
  ['deny visitors', greta, 'C0OPS', '/cloud ips', 'confirm', 'rule 3', ''],
];
