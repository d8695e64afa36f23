import { createHash } from 'node:crypto';

import type { LocalInventory } from '../../playground/service/state/inventory.ts';

/** An instance of its own for each request that is under way, so that none stands in the way of another. */
export interface Target {
  readonly name: string;
  readonly id: string;
  /** Production: Carol approves. Else Alice confirms. */
  readonly production: boolean;
}

const project = 1186668;
const region = 76;

const leaseMs = 2000;

/** Made of the name, so that it is the same in each run. */
const uuidOf = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/u, '$1-$2-$3-$4-$5');

export const targetsOf = (howMany: number): readonly Target[] =>
  Array.from({ length: howMany }, (_, number) => {
    const production = number % 3 === 2;
    const name = `${production ? 'db' : 'web'}-${number + 100}`;
    return { name, id: uuidOf(name), production };
  });

const environmentOf = ({ production }: Target): string => (production ? 'production' : 'staging');

export const inventoryOf = (targets: readonly Target[]): LocalInventory => ({
  instances: Object.fromEntries(targets.map(({ name, id }) => [name, { id, project, region }])),
  containers: {},
});

/** Everybody's rules: staging is confirmed, production approved. */
export const rulebookOf = (targets: readonly Target[], expireMs: number): string => `
project: ${project}
region: ${region}
instances:
${targets.map((target) => `  ${target.name}: { id: ${target.id}, labels: { env: ${environmentOf(target)} } }`).join('\n')}
roles:
  responders: { users: [U0ALICE, U0BOB] }
  leads: { users: [U0CAROL] }
rules:
  - { risk: read, roles: [anyone], then: allow }
  - { operations: [cloud.*], labels: { env: production }, roles: [responders], then: approve, approvers: [leads] }
  - { operations: [cloud.*], labels: { env: staging }, roles: [responders], then: confirm }
requests: { expire_after: ${expireMs / 1000}s, lease: ${leaseMs / 1000}s }
extensions: [instance-read]
`;
