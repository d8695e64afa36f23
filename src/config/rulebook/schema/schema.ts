import { z } from 'zod';

import { readDuration } from '../../../text/words.ts';
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
import { accountName, accounts } from './account-schema.ts';
import { agents } from './agent-schema.ts';
import { hooks } from './hook-schema.ts';
import { identity } from './identity-schema.ts';
import { operationFile, targetsSchema } from './own-schema.ts';
import { peopleMap, schedules } from './schedule-schema.ts';

/** The service numbers projects and regions; both are integers. */
const number = z.int().min(1);

const region = z.string().regex(/^\d{1,15}$/u, { error: 'must be the number of a region.' });

const labels = z.record(label, label);

/** Conditions on labels. To have none, omit the key. */
const wantedLabels = labels.refine((wanted) => Object.keys(wanted).length > 0, {
  error: 'is empty. Add a label, or remove the key to match every target.',
});

const where = {
  project: number.optional().describe('its project, if not the default'),
  region: number.optional().describe('its region, if not the default'),
  account: accountName,
  labels: labels.default({}).describe('your own labels, `name: value`, matched by rules'),
};

const instance = z.strictObject({ id: instanceId.describe('its id at the service'), ...where });

const container = z.strictObject(where);

const role = z.strictObject({
  users: listOf(user)
    .default([])
    .describe('member ids, `U…`; `T…/U…` for people of other organisations. Guests must be listed here'),
  usergroups: listOf(usergroup)
    .default([])
    .describe('ids of Slack user groups, `S…`; they never admit guests'),
  schedule: z
    .string()
    .optional()
    .describe('the schedule whose people have the role while they are on call; it never admits guests'),
});

const waiting = z.string().refine((text) => readDuration(text) !== undefined, {
  error: 'must be a duration, such as 10m or 1h.',
});

const rule = z.strictObject({
  name: writtenValue(ruleName).optional().describe('shown on cards, in denials and in the audit log'),
  risk: oneOrMore(z.enum(risks))
    .optional()
    .describe('one of `read`, `change` and `destructive`, or a list of them'),
  operations: listOf(z.string())
    .optional()
    .describe(
      "names such as `cloud.reboot`, or `cloud.*`. People allowed by a rule that names `bellhop.audit` also see other people's reads there",
    ),
  labels: wantedLabels.optional().describe('labels that the target must have'),
  roles: listOf(z.string())
    .optional()
    .describe(
      'the people the rule is for; `anyone` is every full member of your workspace. Optional only for `deny`',
    ),
  agents: listOf(z.string())
    .optional()
    .describe(
      'agents the rule is for, instead of people. It can only `allow` reads. Rules without `agents` never apply to agents',
    ),
  channels: listOf(channel).optional().describe('channels, `C…`, in which the rule applies'),
  teams: listOf(team).optional().describe('teams, `T…`, to whose people the rule applies'),
  arguments: z
    .record(z.string(), writtenValue(label))
    .optional()
    .describe(
      'what will be sent, `field: value`, however it was typed; a host in any spelling, on all ports',
    ),
  // oxlint-disable-next-line unicorn/no-thenable -- the word that operators write
  then: z.enum(effects).describe('the decision: `allow`, `confirm`, `approve` or `deny`'),
  approvers: listOf(z.string())
    .optional()
    .describe('roles that may approve, never the requester; for `approve`'),
  approvals: z.int().min(1).max(100).optional().describe('how many people must approve, default 1'),
  approvers_after: z
    .record(waiting, listOf(z.string()).min(1))
    .optional()
    .describe(
      'roles that may approve, too, once a request has waited for so long, `10m: [managers]`; they are mentioned in its thread; for `approve`',
    ),
  confirm: z
    .enum(['type-name', 'never'])
    .optional()
    .describe(
      "`type-name`: the requester types the target's name. `never`: a change runs without confirmation",
    ),
  break_glass: listOf(z.string())
    .optional()
    .describe('roles that may skip the approval with `--break-glass "reason"`'),
  step_up: z
    .boolean()
    .optional()
    .describe(
      '`true`: the person who confirms, approves or breaks the glass must sign in with `identity` first; see [step-up](step-up.md)',
    ),
});

/** Without labels, every change is frozen. */
const freeze = z
  .strictObject({
    labels: wantedLabels.default({}).describe('targets with these labels; default: all'),
    from: time.describe('start, a time with its zone'),
    to: time.describe('end, a time with its zone'),
    except: listOf(z.string()).default([]).describe('roles that are exempt'),
    reason: label.optional().describe('shown in the denial'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than “from”.' });

/** Who may have a secret. */
const secretBinding = z
  .strictObject({
    fields: listOf(z.string()).optional().describe('form fields that may contain it'),
    hosts: listOf(host)
      .optional()
      .describe('hosts that forms may send it to, with their subdomains; default: any'),
    operations: listOf(z.string())
      .optional()
      .describe('your own operations that may use it, by name or `area.*`'),
  })
  .refine(({ fields, operations }) => fields !== undefined || operations !== undefined, {
    error: 'is unused. Add the form fields, or the operations, that may use it.',
  });

const targets = targetsSchema(labels);

/** A maximum number of changes per time. */
const limit = z.strictObject({
  per: z
    .enum(['target', 'person', 'all'])
    .describe('what is counted: changes of a `target`, of a `person`, or `all`'),
  at_most: z.int().min(1).max(1000).describe('how many are allowed within the period, 1 to 1000'),
  within: duration(second, 24 * hour, '1s to 24h').describe('the period, `1s` to `24h`'),
  operations: listOf(z.string()).optional().describe('only these operations'),
  labels: wantedLabels.optional().describe('only targets with these labels'),
});

/** How many of a group must keep running without an approval. */
const guard = z.strictObject({
  labels: wantedLabels.describe('the group: all instances with these labels'),
  keep: z.int().min(1).max(1000).default(1).describe('how many must keep running'),
  approvers: listOf(z.string()).describe('roles that may approve leaving fewer'),
});

const announce = z.strictObject({
  break_glass: channel
    .optional()
    .describe('the channel, `C…`, that announces each `--break-glass`; default: the channel of the command'),
  broken_rules: listOf(z.string())
    .optional()
    .describe(
      'roles that get a private message when a changed `bellhop.yaml` is invalid; default: all approvers',
    ),
});

const links = z.strictObject({
  instance: linkTemplate
    .optional()
    .describe(
      'the page of an instance, `https://…`, with `{project}`, `{region}` and `{id}`; linked from cards with an unknown outcome',
    ),
});

const requests = z.strictObject({
  expire_after: duration(second, 24 * hour, '1s to 24h')
    .prefault('15m')
    .describe('how long a request waits for confirmation or approval, `1s` to `24h`'),
  lease: duration(second, longestLeaseMs, '1s to 10m')
    .prefault('60s')
    .describe(
      'how long a running request may go without a renewal before its replica counts as dead, `1s` to `10m`',
    ),
  drain: duration(second, 5 * minute, '1s to 5m', '10s')
    .prefault('10s')
    .describe('how long a shutdown waits for running work, `1s` to `5m`'),
  timeout: duration(second, 10 * minute, '1s to 10m', '30s')
    .prefault('30s')
    .describe('how long a change may run before its outcome is unknown, `1s` to `10m`'),
  read_timeout: duration(second, 30 * second, '1s to 30s', '10s')
    .prefault('10s')
    .describe('when a read is given up, `1s` to `30s`'),
  keep: duration(day, 3650 * day, '1d to 3650d', '90d')
    .prefault('90d')
    .describe(
      'how long finished requests are kept, `1d` to `3650d`; with an open break-glass review, until it is closed',
    ),
});

/** Reading more would block the process for too long. */
const mostInstances = 10_000;

/** `bellhop.yaml` as it is written. Names that refer to other parts of it are checked by `rulebookFindings`. */
export const rulebookFile = z.strictObject({
  project: number.optional().describe('the default project'),
  region: number.optional().describe('the default region'),
  regions: z.record(region, label).default({}).describe('display names of regions, `number: name`'),
  accounts: accounts
    .default({})
    .describe(
      'further [accounts of the service](configuration.md#several-accounts), at most 20; instances and containers name theirs',
    ),
  instances: z
    .record(name, instance)
    .refine((listed) => Object.keys(listed).length <= mostInstances, {
      error: () =>
        `has more than ${mostInstances.toLocaleString('en-US')} instances. Run a Bellhop per region, or list only instances that rules or people name.`,
    })
    .default({})
    .describe('named instances, at most 10,000'),
  containers: z.record(name, container).default({}).describe('containers with labels for rules'),
  operations: distinct(operationFile)
    .max(100)
    .default([])
    .describe(
      'files of [your own operations](own-operations.md), relative to this file; loaded at start, so changed code needs a restart',
    ),
  targets: targets
    .default({})
    .describe(
      'what your own operations act on, by kind, then by name, at most 10,000 of a kind. All keys but `labels` belong to the operation',
    ),
  roles: z.record(name, role).default({}).describe('roles that people have'),
  schedules: schedules.default({}).describe('who is on call, for roles with a `schedule`; at most 20'),
  people: peopleMap
    .default({})
    .describe('Slack ids, `U…`, for the names in schedules and in `identity`, such as e-mail addresses'),
  identity: identity.optional().describe("the company's login, for rules with `step_up`"),
  secrets: z
    .record(secretName, secretBinding)
    .default({})
    .describe('where each `secret:name` may be sent; unlisted ones are refused outside the playground'),
  rules: z.array(rule).default([]).describe('who may do what. The first match decides; no match is denied'),
  freeze: z.array(freeze).default([]).describe('periods in which changes are denied'),
  limits: z.array(limit).default([]).describe('how many changes are allowed within a period'),
  guard: z
    .array(guard)
    .default([])
    .describe('how many instances of a group must keep running, or an approval is needed'),
  announce: announce.prefault({}).describe('notifications'),
  hooks: hooks.default({}).describe('alert sources; each posts to `POST /hooks/<name>`'),
  agents: agents
    .default({})
    .describe('programs that read and suggest changes at `POST /mcp`, at most 20; see [agents](agents.md)'),
  audit: auditSection.prefault({}).describe("the audit log's key, publication and forwarding"),
  links: links.prefault({}).describe("pages of the provider's console"),
  requests: requests.prefault({}).describe('time limits and retention'),
  extensions: distinct(z.enum(extensions))
    .default([])
    .describe('what the service offers beyond the ten endpoints; see [extensions](interface.md#extensions)'),
});

export type RulebookFile = z.output<typeof rulebookFile>;

/** The valid parts of a file, so that one mistake does not hide others. */
export type FittingFile = Fitting<RulebookFile>;

/** A rule, or its valid parts. */
export type FittingRule = NonNullable<NonNullable<FittingFile['rules']>[number]>;
