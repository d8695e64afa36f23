import { z } from 'zod';

import { readDuration } from '../../text/words.ts';
import { labels } from './inventory-schema.ts';
import {
  channel,
  duration,
  hour,
  host,
  label,
  listOf,
  oneOrMore,
  ruleName,
  second,
  team,
  time,
  user,
  usergroup,
  writtenValue,
} from './schema-parts.ts';

export const effects = ['allow', 'confirm', 'approve', 'deny'] as const;

/** `change` interrupts nothing. `destructive` interrupts something, or deletes what only people can add again. */
export const risks = ['read', 'change', 'destructive'] as const;

const wantedLabels = labels.refine((wanted) => Object.keys(wanted).length > 0, {
  error: 'is empty. Add a label, or remove the key to match every target.',
});

export const role = z.strictObject({
  users: listOf(user)
    .default([])
    .describe('member ids, `U…`; `T…/U…` for people from other organizations. Guests must be listed here'),
  usergroups: listOf(usergroup)
    .default([])
    .describe('ids of Slack user groups, `S…`; their guests do not get the role'),
});

const waiting = z.string().refine((text) => readDuration(text) !== undefined, {
  error: 'must be a duration, such as 10m or 1h.',
});

export const rule = z.strictObject({
  name: writtenValue(ruleName).optional().describe('shown on cards, in denials and in the audit log'),
  risk: oneOrMore(z.enum(risks)).optional().describe('`read`, `change` or `destructive`, or a list'),
  operations: listOf(z.string())
    .optional()
    .describe(
      'names such as `cloud.reboot`, or `cloud.*`. If a rule names `bellhop.audit`, its people also see the reads of others in `/bellhop audit`',
    ),
  labels: wantedLabels.optional().describe('labels that the target must have'),
  roles: listOf(z.string())
    .optional()
    .describe(
      'roles the rule is for; `anyone` is every full member of your workspace; optional only for `deny`',
    ),
  channels: listOf(channel).optional().describe('channels, `C…`, where the rule applies'),
  teams: listOf(team).optional().describe('teams, `T…`; the rule applies only to their people'),
  arguments: z
    .record(z.string(), writtenValue(label))
    .optional()
    .describe(
      'required input, `field: value`, compared with what will be sent, however it was typed; a host matches on all ports',
    ),
  // oxlint-disable-next-line unicorn/no-thenable -- the word that operators write
  then: z
    .enum(effects)
    .describe('the [decision](configuration.md#rules): `allow`, `confirm`, `approve` or `deny`'),
  approvers: listOf(z.string())
    .optional()
    .describe('for `approve`: roles that may approve, never the requester'),
  approvals: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('how many people must approve, 1 to 100; default: 1'),
  approvers_after: z
    .record(waiting, listOf(z.string()).min(1))
    .optional()
    .describe(
      'for `approve`: [roles that may also approve](policy.md#write) after a time, `10m: [managers]`',
    ),
  confirm: z
    .enum(['type-name', 'never'])
    .optional()
    .describe(
      "`type-name` makes the requester type the target's name; `never` runs changes without confirmation",
    ),
});

export const freeze = z
  .strictObject({
    labels: wantedLabels.default({}).describe('targets with these labels; default: all'),
    from: time.describe('start, a time with its zone'),
    to: time.describe('end, a time with its zone'),
    except: listOf(z.string()).default([]).describe('roles that are exempt'),
    reason: label.optional().describe('shown in the denial'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than “from”.' });

export const limit = z
  .strictObject({
    per: z
      .enum(['target', 'person', 'all'])
      .describe('changes are counted per `target`, per `person`, or `all` together'),
    at_most: z.int().min(1).max(1000).describe('how many are allowed, 1 to 1000'),
    within: duration(second, 24 * hour, '1s to 24h').describe('the period, `1s` to `24h`'),
    operations: listOf(z.string()).optional().describe('only these operations'),
    labels: wantedLabels.optional().describe('only targets with these labels'),
  })
  .transform(({ at_most: atMost, within: withinMs, ...rest }) => ({ ...rest, atMost, withinMs }));

/** How many members of a group must keep running without an approval. */
export const guard = z.strictObject({
  labels: wantedLabels.describe('the group: all targets of a kind with these labels'),
  keep: z.int().min(1).max(1000).default(1).describe('how many must keep running'),
  approvers: listOf(z.string()).describe('roles that may approve a change that leaves fewer'),
});

export const secretBinding = z
  .strictObject({
    fields: listOf(z.string()).default([]).describe('form fields that may contain it'),
    hosts: listOf(host)
      .optional()
      .describe('hosts that forms may send it to, and their subdomains; default: any'),
    operations: listOf(z.string())
      .default([])
      .describe('your own operations that may use it, by name or `area.*`'),
  })
  .refine(({ fields, operations }) => fields.length + operations.length > 0, {
    error: 'is unused. Add the form fields, or the operations, that may use it.',
  });
