import { z } from 'zod';

import type { Fitting } from '../../yaml/read-by-schema.ts';
import { extensions, longestLeaseMs, effects, risks } from '../../../model/rulebook.ts';
import { auditSection } from './audit-schema.ts';
import {
  channel,
  day,
  distinct,
  duration,
  host,
  hour,
  instanceId,
  label,
  linkTemplate,
  listOf,
  minute,
  name,
  oneOrMore,
  ruleName,
  second,
  secretName,
  team,
  time,
  user,
  usergroup,
  writtenValue,
} from './schema-parts.ts';
import { agents } from './agent-schema.ts';
import { hooks } from './hook-schema.ts';
import { peopleMap, schedules } from './schedule-schema.ts';

/** The service numbers projects and regions; both are integers. */
const number = z.int().min(1);

const region = z.string().regex(/^\d{1,15}$/u, { error: 'must be the number of a region.' });

const labels = z.record(label, label);

/** Conditions on labels: none at all is written by leaving the key out. */
const wantedLabels = labels.refine((wanted) => Object.keys(wanted).length > 0, {
  error: 'is empty: name a label, or leave it out where every target is meant.',
});

const where = {
  project: number.optional().describe('its project, where it is not the default one'),
  region: number.optional().describe('its region, where it is not the default one'),
  labels: labels.default({}).describe('labels of your own, `name: value`, which rules look at'),
};

const instance = z.strictObject({ id: instanceId.describe("the service's id of it"), ...where });

const container = z.strictObject(where);

const role = z.strictObject({
  users: listOf(user)
    .default([])
    .describe('member ids, `U…`; `T…/U…` for somebody of another organisation. A guest is let in only by id'),
  usergroups: listOf(usergroup)
    .default([])
    .describe("ids of Slack's user groups, `S…`; they never admit a guest"),
  schedule: z
    .string()
    .optional()
    .describe('the schedule whose people are in it while they are on call; it never admits a guest'),
});

const rule = z.strictObject({
  name: writtenValue(ruleName)
    .optional()
    .describe('said wherever the rule is mentioned: on cards, in refusals, in the audit log'),
  risk: oneOrMore(z.enum(risks))
    .optional()
    .describe('one of `read`, `change` and `destructive`, or a list of them'),
  operations: listOf(z.string())
    .optional()
    .describe(
      'names such as `cloud.reboot`, or `cloud.*`. Whom a rule that names `bellhop.audit` lets run it sees there what others looked at',
    ),
  labels: wantedLabels.optional().describe('labels that the target must have'),
  roles: listOf(z.string())
    .optional()
    .describe(
      'whom the rule is for; `anyone` is every full member of your workspace. Only `deny` may leave it out',
    ),
  agents: listOf(z.string())
    .optional()
    .describe(
      'agents that the rule is for, instead of people. It can only `allow` reads, and no rule without `agents` is for any of them',
    ),
  channels: listOf(channel).optional().describe('channels, `C…`, in which the rule holds'),
  teams: listOf(team).optional().describe('teams, `T…`, whose people the rule is for'),
  arguments: z
    .record(z.string(), writtenValue(label))
    .optional()
    .describe(
      'what will be sent, `field: value`, however it was typed; a host in whatever spelling, on all of its ports',
    ),
  // oxlint-disable-next-line unicorn/no-thenable -- the word that operators write
  then: z.enum(effects).describe('the decision: `allow`, `confirm`, `approve` or `deny`'),
  approvers: listOf(z.string())
    .optional()
    .describe('roles that may approve, never the requester; for `approve`'),
  approvals: z.int().min(1).max(100).optional().describe('how many people must approve, 1 if left out'),
  confirm: z
    .enum(['type-name', 'never'])
    .optional()
    .describe(
      "`type-name`: the requester types the target's name. `never`: a change runs without being confirmed",
    ),
  break_glass: listOf(z.string())
    .optional()
    .describe('roles that may skip the approval with `--break-glass "reason"`'),
});

/** Labels left out: every change is frozen. */
const freeze = z
  .strictObject({
    labels: wantedLabels.default({}).describe('which targets; all if left out'),
    from: time.describe('beginning, a time with its zone'),
    to: time.describe('end, a time with its zone'),
    except: listOf(z.string()).default([]).describe('roles that may act nevertheless'),
    reason: label.optional().describe('shown to the people it denies'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than “from”.' });

/** Where a secret may be sent. */
const secretBinding = z.strictObject({
  fields: listOf(z.string()).describe('fields of forms that may hold it'),
  hosts: listOf(host).optional().describe('hosts that it may go to, and those below them; any if left out'),
});

/** At most so many changes in a time. */
const limit = z.strictObject({
  per: z
    .enum(['target', 'person', 'all'])
    .describe('what is counted: changes of a `target`, of a `person`, or `all`'),
  at_most: z.int().min(1).max(1000).describe('how many are allowed within the time, 1 to 1000'),
  within: duration(second, 24 * hour, '1s to 24h').describe('the time, `1s` to `24h`'),
  operations: listOf(z.string()).optional().describe('only these operations'),
  labels: wantedLabels.optional().describe('only targets with these labels'),
});

/** How many of a group are to be left running without an approval. */
const guard = z.strictObject({
  labels: wantedLabels.describe('the group: all instances with these labels'),
  keep: z.int().min(1).max(1000).default(1).describe('how many must be left running'),
  approvers: listOf(z.string()).describe('roles that may approve leaving fewer'),
});

const announce = z.strictObject({
  break_glass: channel
    .optional()
    .describe(
      'the channel, `C…`, in which each `--break-glass` is announced; that of the command if left out',
    ),
  broken_rules: listOf(z.string())
    .optional()
    .describe(
      'roles that get a private message when a changed `bellhop.yaml` is invalid; all approvers if left out',
    ),
});

const links = z.strictObject({
  instance: linkTemplate
    .optional()
    .describe(
      'the page of an instance, `https://…`, with `{project}`, `{region}` and `{id}` where its own go; a card whose outcome is unknown links to it',
    ),
});

const requests = z.strictObject({
  expire_after: duration(second, 24 * hour, '1s to 24h')
    .prefault('15m')
    .describe('how long a request waits to be confirmed or approved, `1s` to `24h`'),
  lease: duration(second, longestLeaseMs, '1s to 10m')
    .prefault('60s')
    .describe('how long a running request may be silent before its replica counts as dead, `1s` to `10m`'),
  drain: duration(second, 5 * minute, '1s to 5m', '10s')
    .prefault('10s')
    .describe('how long a stop waits for running work, `1s` to `5m`'),
  read_timeout: duration(second, 30 * second, '1s to 30s', '10s')
    .prefault('10s')
    .describe('how long a read may take until it is given up, `1s` to `30s`'),
  keep: duration(day, 3650 * day, '1d to 3650d', '90d')
    .prefault('90d')
    .describe(
      'how long settled requests stay in the store, `1d` to `3650d`; one whose break-glass review is open stays until that is closed',
    ),
});

/** More take so long to read that other work of the process waits for it. */
const mostInstances = 10_000;

/** `bellhop.yaml` as it is written. Names that refer to other parts of it are checked by `rulebookFindings`. */
export const rulebookFile = z.strictObject({
  project: number.optional().describe('the default project'),
  region: number.optional().describe('the default region'),
  regions: z
    .record(region, label)
    .default({})
    .describe('names of regions as people know them, `number: name`'),
  instances: z
    .record(name, instance)
    .refine((listed) => Object.keys(listed).length <= mostInstances, {
      error: `has more than ${mostInstances.toLocaleString('en-US')} instances: give regions a Bellhop of their own, or list only those that rules or people name.`,
    })
    .default({})
    .describe('instances that people can name, at most 10,000'),
  containers: z.record(name, container).default({}).describe('containers that rules know labels of'),
  roles: z.record(name, role).default({}).describe('who people are'),
  schedules: schedules.default({}).describe('who is on call, for roles with a `schedule`; at most 20'),
  people: peopleMap
    .default({})
    .describe('who people are in Slack, `U…`, by what schedules call them, such as their e-mail address'),
  secrets: z
    .record(secretName, secretBinding)
    .default({})
    .describe(
      'where each `secret:name` may be sent; one that is not listed is refused outside the playground',
    ),
  rules: z
    .array(rule)
    .default([])
    .describe('who may do what: the first that matches decides; none matches: denied'),
  freeze: z.array(freeze).default([]).describe('times in which changes are denied'),
  limits: z.array(limit).default([]).describe('how many changes are allowed within a time'),
  guard: z.array(guard).default([]).describe('how many of a group must be left running without an approval'),
  announce: announce.prefault({}).describe('who is told what'),
  hooks: hooks.default({}).describe('sources of alerts: each is received at `POST /hooks/<name>`'),
  agents: agents.default({}).describe('programs that read and suggest changes at `POST /mcp`, at most 20'),
  audit: auditSection.prefault({}).describe('how the audit log is proved to others'),
  links: links.prefault({}).describe("pages of the service's console"),
  requests: requests.prefault({}).describe('how long things wait and are kept'),
  extensions: distinct(z.enum(extensions))
    .default([])
    .describe('what the service offers beyond the interface; see [the extensions](interface.md#extensions)'),
});

export type RulebookFile = z.output<typeof rulebookFile>;

/** What fits of a file: a mistake in one place hides none elsewhere. */
export type FittingFile = Fitting<RulebookFile>;

/** A rule, or what of it fits. */
export type FittingRule = NonNullable<NonNullable<FittingFile['rules']>[number]>;
