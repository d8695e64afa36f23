import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A team, and the data of its month. */
export interface Team {
  /** Audit entries, including those of requests and alerts. */
  readonly entries: number;
  readonly requests: number;
  readonly instances: number;
  readonly people: number;
  /** Alerts of the last hour. */
  readonly alerts: number;
}

export const alertsAMinute = 50;

/** A large team at scale 1. */
export const largeTeam = (scale: number): Team => ({
  entries: Math.ceil(1000 * scale) * 1000,
  requests: Math.ceil(1000 * scale) * 100,
  // Enough people that all open requests are by different ones.
  instances: Math.max(Math.ceil(10_000 * scale), 100),
  people: Math.ceil(200 * scale) + 20,
  alerts: Math.ceil(60 * alertsAMinute * scale),
});

/** A team on its first day. */
export const smallTeam: Team = { entries: 0, requests: 0, instances: 60, people: 20, alerts: 0 };

export const instanceName = (number: number): string => `web-${number}`;
export const instanceId = (number: number): string =>
  `6c6aa80f-7836-4dc2-a2ae-${String(number).padStart(12, '0')}`;
export const personName = (number: number): string => `U0PERSON${number}`;

export const hook = 'alertmanager';
export const hookSecret = 'bench-hook';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

/** The bellhop.yaml of a team in which everyone may reboot everything. */
const rulebookOf = ({ instances, people }: Team): string => `
project: 1186668
region: 76
instances:
${range(instances)
  .map((number) => `  ${instanceName(number)}: { id: ${instanceId(number)}, labels: { env: staging } }`)
  .join('\n')}
roles:
  responders: { users: [${range(people).map(personName).join(', ')}] }
rules:
  - { risk: read, roles: [anyone], then: allow }
  - { operations: [cloud.*], roles: [responders], then: confirm }
hooks:
  ${hook}: { secret: 'secret:hook', channel: C0ALERTS, kind: alertmanager, target_label: instance, buttons: [{ run: '/cloud reboot {target}' }] }
`;

/** @returns the path in `folder` */
export function writeRulebook(folder: string, team: Team): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'bellhop.yaml');
  writeFileSync(file, rulebookOf(team));
  return file;
}
