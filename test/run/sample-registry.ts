import { z } from 'zod';

import { createRegistry } from '../../src/command/grammar/registry.ts';
import type { Entry } from '../../src/model/registry.ts';
import { findContainer, findInstance, targetOfArea } from '../../src/command/inventory.ts';
import type { Inventory } from '../../src/model/rulebook/target.ts';
import { operation } from '../../src/bellhop/bellhop.ts';

/** Operations for the grammar, with one of each kind of field. They run nothing. */

export const inventory: Inventory = {
  project: 1186668,
  region: 76,
  regions: { '76': 'Luxembourg-2', '180': 'Frankfurt-2' },
  instances: {
    'web-1': { id: '6c6aa80f-7836-4dc2-a2ae-125e248be476', labels: { env: 'staging', tier: 'web' } },
    'web-2': { id: '2f1b7c1e-93a4-4a55-8c19-7f7f3f0c2b10', labels: { env: 'staging', tier: 'web' } },
    'db-1': {
      id: '0d9c0a3a-52a5-4a1b-8f0e-0d5f4c1b7a11',
      region: 180,
      labels: { env: 'production', tier: 'db' },
    },
  },
  containers: { api: { labels: { env: 'production' } } },
  targets: {},
};

const where = {
  project: z
    .number('must be a whole number')
    .int('must be a whole number')
    .optional()
    .describe('Another project.'),
  region: z
    .number('must be a whole number')
    .int('must be a whole number')
    .optional()
    .describe('Another region.'),
};

const instance = z
  .string()
  .trim()
  .min(1, 'is empty')
  .describe('Instance name from bellhop.yaml, or project/region/id.')
  .meta({ positional: true, target: 'instance', placeholder: 'web-1' });

const reboot = operation({
  name: 'cloud.reboot',
  summary: 'Reboot an instance.',
  risk: 'destructive',
  input: z.strictObject({ instance, ...where }),
  examples: ['/cloud reboot web-1 --reason "stuck"'],
  target: (input, of) => findInstance(of, input.instance, input),
  effect: () => 'It will be down.',
  run: () => Promise.resolve({}),
  report: () => ({ title: 'rebooting' }),
});

const stop = operation({
  ...reboot,
  risk: 'destructive',
  effect: () => 'It will be down.',
  name: 'cloud.stop',
  summary: 'Stop an instance.',
});

const container = operation({
  name: 'cloud.container',
  summary: 'Show a container.',
  risk: 'read',
  input: z.strictObject({
    name: z.string().describe('Its name.').meta({ positional: true }),
    brief: z.boolean().default(false).describe('Only its state.'),
    ...where,
  }),
  examples: ['/cloud container api'],
  target: (input, of) => findContainer(of, input.name, input),
  run: () => Promise.resolve({}),
  report: () => ({ title: 'container' }),
});

const ips = operation({
  name: 'cloud.ips',
  summary: 'List floating IPs.',
  risk: 'read',
  input: z.strictObject({ ...where }),
  examples: ['/cloud ips'],
  target: (input, of) => targetOfArea(of, 'cloud', input),
  run: () => Promise.resolve({}),
  report: () => ({ title: 'ips' }),
});

const cdnAccount = () => ({ kind: 'cdn' as const, name: 'CDN account' as const, labels: {} });

const metrics = operation({
  name: 'cdn.metrics',
  summary: 'Read metrics.',
  risk: 'read',
  input: z.strictObject({
    names: z.array(z.string()).min(1).describe('Metric names.').meta({ positional: true }),
    every: z.enum(['1m', '1h', '1d'], 'must be one of 1m, 1h, 1d').optional().describe('Granularity.'),
    by: z
      .array(z.enum(['cname', 'resource']))
      .default([])
      .describe('Group by.'),
    minShare: z.number('must be a number').optional().describe('Only above this share.'),
    where: z.array(z.string()).default([]).describe('Only what fits.').meta({ itemsMayContainCommas: true }),
    like: z.string().optional().describe('Only sites like this.'),
    total: z.boolean().default(true).describe('With a total.'),
  }),
  examples: ['/cdn metrics 5xx'],
  target: cdnAccount,
  run: () => Promise.resolve({}),
  report: () => ({ title: 'metrics' }),
});

const rawLogs = operation({
  name: 'cdn.raw-logs',
  summary: 'Change the export of raw logs.',
  risk: 'change',
  formOnly: true,
  input: z.strictObject({
    enabled: z.boolean().describe('Export at all.'),
    storageType: z.enum(['s3', 'ftp']).describe('Where to.'),
    s3_secret_key: z.string().optional().describe('Secret key').meta({ secret: true }),
    folders: z
      .array(z.object({ bucket: z.string().describe('Bucket.'), folder: z.string().optional() }))
      .default([])
      .describe('A folder a resource.'),
  }),
  examples: ['/cdn raw-logs'],
  target: cdnAccount,
  effect: () => 'Replaces the settings.',
  run: () => Promise.resolve({}),
  report: () => ({ title: 'raw logs' }),
});

export const registry = createRegistry([reboot, stop, container, ips, metrics, rawLogs], []);

export function entry(name: string): Entry {
  const found = registry.find(name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}
