import { operation, z } from '../../src/bellhop/bellhop.ts';
import type { Operation } from '../../src/model/operation.ts';
import { findInstance } from '../../src/command/inventory.ts';

const bellhop = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;

const bare = { summary: '', run: () => Promise.resolve(), report: () => ({ title: '' }) };

const instance = {
  ...bare,
  risk: 'destructive' as const,
  effect: () => '',
  input: z.object({
    instance: z.string().meta({ positional: true, target: 'instance' }),
    reason: z.string().default(''),
  }),
  target: (input: { readonly instance: string }, inventory: Parameters<typeof findInstance>[0]) =>
    findInstance(inventory, input.instance),
};

/** Operations as the rules see them: names, risks, targets and the fields of their inputs. */
export const knownOperations: readonly Operation[] = [
  operation({
    ...bare,
    name: 'cloud.ips',
    risk: 'read',
    input: z.object({}),
    examples: ['/cloud ips'],
    target: () => bellhop,
  }),
  operation({
    ...bare,
    name: 'cdn.metrics',
    risk: 'read',
    input: z.object({ metrics: z.array(z.string()).meta({ positional: true }), last: z.string().optional() }),
    examples: ['/cdn metrics 5xx --last 1h'],
    target: () => ({ kind: 'cdn', name: 'CDN account', labels: {} }),
  }),
  operation({
    ...bare,
    name: 'bellhop.audit',
    risk: 'read',
    input: z.object({}),
    examples: ['/bellhop audit'],
    target: () => bellhop,
  }),
  ...['bellhop.hold', 'bellhop.release'].map((name) =>
    operation({
      ...bare,
      name,
      risk: 'read',
      atOnce: true,
      input: z.object({
        targets: z.array(z.string()).meta({ positional: true }),
        reason: z.string().optional(),
      }),
      examples: [],
      target: () => bellhop,
    }),
  ),
  operation({ ...instance, name: 'cloud.reboot', examples: ['/cloud reboot web-1'] }),
  operation({ ...instance, name: 'cloud.stop', examples: ['/cloud stop web-1'] }),
  operation({
    ...bare,
    name: 'cdn.raw-logs',
    risk: 'change',
    effect: () => '',
    input: z.object({ enabled: z.boolean(), s3_secret_key: z.string().meta({ secret: true }) }),
    examples: ['/cdn raw-logs'],
    formOnly: true,
    target: () => ({ kind: 'cdn', name: 'CDN account', labels: {} }),
  }),
  operation({
    ...bare,
    name: 'storage.post',
    risk: 'change',
    effect: () => '',
    input: z.object({ kind: z.string(), bytes: z.number() }),
    examples: ['/storage post --kind a --bytes 5'],
    target: () => ({ kind: 'storage', name: 'storage notifications', labels: {} }),
  }),
];
