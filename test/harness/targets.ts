import { createHash } from 'node:crypto';

import type { LocalInventory } from '../../playground/service/state/inventory.ts';

/** Each request in progress has its own instance, so that no request blocks another. */
export interface Target {
  readonly name: string;
  readonly id: string;
  /** In production, Carol approves. Otherwise, Alice confirms. */
  readonly production: boolean;
  /**
   * The area of the operations that reboot and stop the instance: built-in operations, or those of a file next to
   * bellhop.yaml.
   */
  readonly area: 'cloud' | 'box';
  /** Set for a target of the rollout. */
  readonly rolls?: true;
}

const project = 1186668;
const region = 76;

const leaseMs = 2000;

/** Derived from the name, so that it is the same in each run. */
const uuidOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5');

export const targetsOf = (howMany: number): readonly Target[] =>
  Array.from({ length: howMany }, (_, number) => {
    const production = number % 3 === 2;
    const name = `${production ? 'db' : 'web'}-${number + 100}`;
    return { name, id: uuidOf(name), production, area: number % 2 === 1 ? 'box' : 'cloud' };
  });

/** Three targets that only the rollout reboots. */
export const rollingTargets: readonly Target[] = ['roll-1', 'roll-2', 'roll-3'].map((name) => ({
  name,
  id: uuidOf(name),
  production: false,
  area: 'cloud',
  rolls: true,
}));

/** The typed text for them, and their common name on the card. */
export const rollingCommand = '/cloud reboot --each tier=rolling --pause 0s';
export const rollingName = `${rollingTargets.length} × tier=rolling`;

const environmentOf = ({ production }: Target): string => (production ? 'production' : 'staging');

export const inventoryOf = (targets: readonly Target[]): LocalInventory => ({
  instances: Object.fromEntries(targets.map(({ name, id }) => [name, { id, project, region }])),
  containers: {},
});

const linesOf = (targets: readonly Target[], area: Target['area'], indent: string): string =>
  targets
    .filter((target) => target.area === area)
    .map(
      (target) =>
        `${indent}${target.name}: { id: ${target.id}, labels: { env: ${environmentOf(target)}${target.rolls ? ', tier: rolling' : ''} } }`,
    )
    .join('\n');

/** The path next to bellhop.yaml. */
export const ownFile = 'operations/box.ts';

/** The reboot and the stop as your own operations. They call the same service, which counts them alike. */
export const ownOperations = `
import { operation, z } from 'bellhop';

const change = (verb) => operation({
  name: \`box.\${verb}\`,
  summary: \`To \${verb} a box.\`,
  risk: 'destructive',
  input: z.strictObject({ box: z.string().max(60).describe('The box.').meta({ positional: true, target: 'box' }) }),
  run: async (_input, { target, http }) => {
    const service = http(process.env.API_BASE_URL, { headers: { authorization: \`apikey \${process.env.API_KEY}\` } });
    return service.send('POST', \`/cloud/v1/instances/${project}/${region}/\${target.settings.id}/\${verb}\`);
  },
  report: (_answer, { target }) => ({ title: \`\${verb}: \${target.name}\` }),
});

export const reboot = change('reboot');
export const stop = change('stop');
`;

/** Everyone's rules: staging is confirmed, production approved. */
export const rulebookOf = (targets: readonly Target[], expireMs: number): string => `
project: ${project}
region: ${region}
instances:
${linesOf(targets, 'cloud', '  ')}
operations: [./${ownFile}]
targets:
  box:
${linesOf(targets, 'box', '    ')}
roles:
  responders: { users: [U0ALICE, U0BOB] }
  leads: { users: [U0CAROL] }
rules:
  - { risk: read, roles: [anyone], then: allow }
  - { operations: [cloud.*, box.*], labels: { env: production }, roles: [responders], then: approve, approvers: [leads] }
  - { operations: [cloud.*, box.*], labels: { env: staging }, roles: [responders], then: confirm }
requests: { expire_after: ${expireMs / 1000}s, lease: ${leaseMs / 1000}s }
extensions: [instance-read]
`;
