import { z } from 'zod';

import { auditSection } from './outside-schema.ts';
import {
  accounts,
  containerEntry,
  instanceEntry,
  number,
  operationFile,
  region,
  targets,
} from './inventory-schema.ts';
import { freeze, guard, limit, role, rule, secretBinding } from './policy-schema.ts';
import { peopleMap } from './people-schema.ts';
import {
  day,
  distinct,
  duration,
  hour,
  label,
  linkTemplate,
  listOf,
  minute,
  name,
  second,
  secretName,
} from './schema-parts.ts';

/** In milliseconds. A lease that ends further in the future was written before the clock was set back. */
export const longestLeaseMs = 10 * 60_000;

/** Optional features of a service. `extensions:` in bellhop.yaml lists those that it has. */
export const extensions = [
  'instance-list',
  'instance-read',
  'instance-actions',
  'tasks',
  'floating-ip-list',
  'event-changes',
  'cdn-purge',
] as const;

const announce = z.strictObject({
  broken_rules: listOf(z.string())
    .optional()
    .describe('roles notified privately when a changed `bellhop.yaml` is invalid; default: all approvers'),
});

export const links = z.strictObject({
  instance: linkTemplate
    .optional()
    .describe(
      'page of an instance, `https://…`, with `{project}`, `{region}` and `{id}`; linked from cards with an unknown outcome',
    ),
});

const requests = z.strictObject({
  expire_after: duration(second, 24 * hour, '1s to 24h')
    .prefault('15m')
    .describe('how long a request waits for confirmation or approval, `1s` to `24h`'),
  lease: duration(second, longestLeaseMs, '1s to 10m')
    .prefault('60s')
    .describe(
      'how long a running request may go without a renewal before its outcome is unknown, `1s` to `10m`',
    ),
  drain: duration(second, 5 * minute, '1s to 5m', '10s')
    .prefault('10s')
    .describe('how long a shutdown waits for running work, `1s` to `5m`'),
  timeout: duration(second, 10 * minute, '1s to 10m', '30s')
    .prefault('30s')
    .describe('how long a change may run before its outcome is unknown, `1s` to `10m`'),
  read_timeout: duration(second, 30 * second, '1s to 30s', '10s')
    .prefault('10s')
    .describe('when a read times out, `1s` to `30s`'),
  keep: duration(day, 3650 * day, '1d to 3650d', '90d')
    .prefault('90d')
    .describe(
      'how long finished requests are kept, `1d` to `3650d`; those with an open break-glass review stay until it is closed',
    ),
});

/** Reading more would block the process for too long. */
const maxInstances = 10_000;

const fileVersion = 1;

const version = number.refine((written) => written <= fileVersion, {
  error: ({ input }) =>
    `version ${String(input)} needs a newer Bellhop than the one running, which reads version ${fileVersion}. Upgrade Bellhop.`,
});

/** `bellhop.yaml` as written, without the sections of features. `rulebookFindings` checks the names that refer to other parts. */
export const kernelFile = z.strictObject({
  version: version.default(1).describe('version of this file, `1`'),
  project: number.optional().describe('the default project'),
  region: number.optional().describe('the default region'),
  regions: z.record(region, label).default({}).describe('display names of regions, `number: name`'),
  accounts: accounts
    .prefault({})
    .describe('[further accounts](configuration.md#several-accounts) of the service, at most 20'),
  instances: z
    .record(name, instanceEntry)
    .refine((listed) => Object.keys(listed).length <= maxInstances, {
      error: () =>
        `has more than ${maxInstances.toLocaleString('en-US')} instances. Run a Bellhop per region, or list only instances that rules or people name.`,
    })
    .default({})
    .describe('named instances, at most 10,000'),
  containers: z.record(name, containerEntry).default({}).describe('containers with labels for rules'),
  operations: distinct(operationFile)
    .max(100)
    .default([])
    .describe(
      'files of [your own operations](own-operations.md), relative to this file, at most 100; changed code needs a restart',
    ),
  targets: targets
    .default({})
    .describe(
      'targets of your own operations, by kind, then by name, at most 10,000 of a kind; all keys but `labels` belong to the operation. Or the path of a `.json` file with them, relative to this file',
    ),
  roles: z.record(name, role).default({}).describe('groups of people, for rules'),
  people: peopleMap
    .default({})
    .describe('Slack ids, `U…`, for names from schedules and `identity`, such as e-mail addresses'),
  secrets: z
    .record(secretName, secretBinding)
    .default({})
    .describe('where [each secret](configuration.md#secrets) may be sent'),
  rules: z.array(rule).default([]).describe('[who may do what](configuration.md#rules)'),
  freeze: z.array(freeze).default([]).describe('periods in which changes are denied'),
  limits: z.array(limit).default([]).describe('how many changes are allowed within a period'),
  guard: z
    .array(guard)
    .default([])
    .describe('groups of targets that must keep running; a change that leaves too few needs an approval'),
  announce: announce.prefault({}).describe('notifications'),
  audit: auditSection
    .prefault({})
    .describe(
      "[the audit log's](reliability.md#what-the-audit-log-proves-and-to-whom) key, publication and forwarding",
    ),
  links: links.prefault({}).describe("pages of the provider's console"),
  requests: requests.prefault({}).describe('time limits and retention'),
  extensions: distinct(z.enum(extensions))
    .default([])
    .describe('[extensions](interface.md#extensions) that the service has'),
});

export type RulebookFile = z.output<typeof kernelFile>;

/** Invalid parts are undefined, and keep their keys or positions. */
export type Fitting<T> = T extends readonly (infer Item)[]
  ? readonly (Fitting<Item> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: Fitting<T[K]> | undefined }
    : T;

export type FittingFile = Fitting<RulebookFile>;

export type FittingRule = NonNullable<NonNullable<FittingFile['rules']>[number]>;
