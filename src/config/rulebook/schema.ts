import { z } from 'zod';

import { risks } from '../../core/model/risk.ts';
import { effects } from '../../core/policy/policy.ts';
import { extensions, longestLeaseMs } from '../../core/model/rulebook.ts';
import { didYouMean } from '../../core/grammar/nearest.ts';
import { parseDuration } from './duration.ts';
import {
  channel,
  host,
  instanceId,
  label,
  name,
  ruleName,
  secretName,
  team,
  user,
  usergroup,
} from './ids.ts';

/** An object of known keys. Its message has a line for each unknown key, in their order. */
const entry = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(key, Object.keys(shape))).join('\n')
        : undefined,
  });

const unknownKey = (key: string, known: readonly string[]): string =>
  `is not a key here.${didYouMean(key, known)} Known here: ${known.join(', ')}.`;

const list = <T extends z.ZodType>(item: T) => z.array(item).min(1);

/** The service numbers projects and regions; both are integers. */
const number = z.int().min(1);

const region = z.string().regex(/^\d{1,15}$/u, { error: 'must be the number of a region.' });

const labels = z.record(label, label);

/** Conditions on labels: none at all is written by leaving the key out. */
const wantedLabels = labels.refine((wanted) => Object.keys(wanted).length > 0, {
  error: 'is empty: name a label, or leave it out where every target is meant.',
});

/** Text that YAML may have read as a number or as true and false. */
const written = <T extends z.ZodType>(text: T) =>
  z.preprocess(
    (value) => (typeof value === 'boolean' || typeof value === 'number' ? String(value) : value),
    text,
  );

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `1h30m` → milliseconds, between two bounds that are written alike. */
const duration = (least: number, most: number, range: string, example = '15m, 60s or 1h30m') =>
  written(
    z.string().transform((text, context) => {
      const milliseconds = parseDuration(text);
      if (milliseconds !== undefined && milliseconds >= least && milliseconds <= most) return milliseconds;
      context.addIssue({
        code: 'custom',
        message: `must be a duration from ${range}, such as ${example}.`,
      });
      return z.NEVER;
    }),
  );

const times = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** A time that says its zone → epoch milliseconds. */
const time = written(
  z.string().transform((text, context) => {
    if (times.some((form) => form.safeParse(text).success)) return Date.parse(text);
    context.addIssue({
      code: 'custom',
      message: 'must be a time that exists and says its zone, such as 2026-12-24T18:00:00+01:00.',
    });
    return z.NEVER;
  }),
);

const instance = entry({
  id: instanceId,
  project: number.optional(),
  region: number.optional(),
  labels: labels.default({}),
});

const container = entry({
  project: number.optional(),
  region: number.optional(),
  labels: labels.default({}),
});

const role = entry({ users: list(user).default([]), usergroups: list(usergroup).default([]) });

const rule = entry({
  name: written(ruleName).optional(),
  risk: z.preprocess((one) => (typeof one === 'object' ? one : [one]), list(z.enum(risks))).optional(),
  operations: list(z.string()).optional(),
  labels: wantedLabels.optional(),
  roles: list(z.string()).optional(),
  channels: list(channel).optional(),
  teams: list(team).optional(),
  arguments: z.record(z.string(), written(label)).optional(),
  // oxlint-disable-next-line unicorn/no-thenable -- the word that operators write
  then: z.enum(effects),
  approvers: list(z.string()).optional(),
  approvals: z.int().min(1).max(100).optional(),
  confirm: z.enum(['type-name', 'never']).optional(),
  break_glass: list(z.string()).optional(),
});

/** Labels left out: every change is frozen. */
const freeze = entry({
  labels: wantedLabels.default({}),
  from: time,
  to: time,
  except: list(z.string()).default([]),
  reason: label.optional(),
}).refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than “from”.' });

/** Where a secret may be sent. */
const secretBinding = entry({ fields: list(z.string()), hosts: list(host).optional() });

/** At most so many changes in a time. */
const limit = entry({
  per: z.enum(['target', 'person', 'all']),
  at_most: z.int().min(1).max(1000),
  within: duration(second, 24 * hour, '1s to 24h'),
  operations: list(z.string()).optional(),
  labels: wantedLabels.optional(),
});

/** How many of a group are to be left running without an approval. */
const guard = entry({
  labels: wantedLabels,
  keep: z.int().min(1).max(1000).default(1),
  approvers: list(z.string()),
});

/** `bellhop.yaml` as it is written. Names that refer to other parts of it are checked by `rulebookFindings`. */
export const rulebookFile = entry({
  project: number.optional(),
  region: number.optional(),
  regions: z.record(region, label).default({}),
  instances: z.record(name, instance).default({}),
  containers: z.record(name, container).default({}),
  roles: z.record(name, role).default({}),
  secrets: z.record(secretName, secretBinding).default({}),
  rules: z.array(rule).default([]),
  freeze: z.array(freeze).default([]),
  limits: z.array(limit).default([]),
  guard: z.array(guard).default([]),
  announce: entry({
    break_glass: channel.optional(),
    broken_rules: list(z.string()).optional(),
  }).prefault({}),
  requests: entry({
    expire_after: duration(second, 24 * hour, '1s to 24h').default(15 * minute),
    lease: duration(second, longestLeaseMs, '1s to 10m').default(minute),
    drain: duration(second, 5 * minute, '1s to 5m', '10s').default(10 * second),
    keep: duration(day, 3650 * day, '1d to 3650d', '90d').default(90 * day),
  }).prefault({}),
  extensions: z.array(z.enum(extensions)).default([]),
});

export type RulebookFile = z.output<typeof rulebookFile>;
