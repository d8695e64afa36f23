import type { Container } from '../../../src/areas/cloud/client/container.ts';
import { type LocalInventory, type Located, seededProject } from '../state/inventory.ts';
import { seededInteger, seededUuid } from './seeded.ts';

/**
 * A container and where it runs. A deploying container becomes ready step by step, counted from the start of the
 * service.
 */
export interface SeededContainer {
  readonly project: number;
  readonly region: number;
  readonly container: Container;
  readonly deploys: boolean;
}

type Traits = Partial<Omit<Container, 'name'>> & { readonly deploys?: boolean };

const containerOf = (
  name: string,
  located: Located,
  { deploys = false, ...traits }: Traits,
): SeededContainer => {
  const { project, region, labels = {} } = located;
  const total = traits.deploy_status?.total ?? seededInteger(`${name} replicas`, 2, 5);
  return {
    project,
    region,
    deploys,
    container: {
      name,
      namespace: `project-${String(project)}`,
      description: `${name} of the shop`,
      address: `${name}-${String(project)}.caas.example.net`,
      image: `registry.example.net/shop/${name}:2026.11.3`,
      commands: `node server.js --name ${name}`,
      envs: {
        ...labels,
        LOG_LEVEL: 'info',
        DATABASE_URL: `postgres://${name}:${seededUuid(name)}@db-1/shop`,
      },
      flavor: '1vCPU-2GiB',
      listening_port: 8080,
      timeout: 30,
      pull_secret: 'registry-example-net',
      source: 'registry',
      status: 'RUNNING',
      status_message: '',
      is_api_key_auth: false,
      is_disabled: false,
      created_at: '2026-09-02T08:15:00Z',
      deploy_status: { ready: total, total },
      scale: { min: 1, max: Math.max(1, total) },
      logging: {
        enabled: true,
        destination_region_id: region,
        topic_name: `${name}-logs`,
        retention_policy: { period: 14 },
      },
      ...traits,
    },
  };
};

const luxembourg: Located = { project: seededProject, region: 76, labels: { env: 'production' } };
const frankfurt: Located = { project: seededProject, region: 180, labels: { env: 'staging' } };

const seeded: readonly SeededContainer[] = [
  containerOf('checkout', luxembourg, { is_api_key_auth: true, deploy_status: { ready: 4, total: 4 } }),
  containerOf('thumbnails', luxembourg, { deploys: true, deploy_status: { ready: 0, total: 3 } }),
  containerOf('feed-import', frankfurt, {
    status: 'Error',
    status_message: 'Back-off restarting failed container: exit code 137 (out of memory)',
    deploy_status: { ready: 0, total: 1 },
  }),
  containerOf('old-promo', frankfurt, {
    status: 'Disabled',
    is_disabled: true,
    deploy_status: { ready: 0, total: 0 },
    scale: { min: 0, max: 2 },
    logging: { enabled: false, destination_region_id: 0, topic_name: '', retention_policy: { period: 0 } },
  }),
];

const keyOf = (project: number, region: number, name: string): string =>
  `${String(project)}/${String(region)}/${name}`;

const stepMilliseconds = 20_000;

const deploying = (seed: SeededContainer, elapsed: number): Container => {
  const { container } = seed;
  const { total } = container.deploy_status;
  const ready = Math.min(total, Math.floor(elapsed / stepMilliseconds));
  return ready === total
    ? { ...container, deploy_status: { ready, total } }
    : {
        ...container,
        deploy_status: { ready, total },
        status: 'Deploying',
        status_message: `Waiting for ${String(total - ready)} of ${String(total)} replicas`,
      };
};

/** Every container of the service: the seeded ones and those of the inventory. */
export const seedContainers = (inventory: LocalInventory): ReadonlyMap<string, SeededContainer> => {
  const given = Object.entries(inventory.containers).map(([name, located]) => containerOf(name, located, {}));
  return new Map(
    [...seeded, ...given].map(
      (each) => [keyOf(each.project, each.region, each.container.name), each] as const,
    ),
  );
};

/** A container as it is at a time after the start of the service, in milliseconds; undefined if there is none. */
export const readContainer = (
  containers: ReadonlyMap<string, SeededContainer>,
  place: { project: number; region: number; name: string },
  elapsed: number,
): Container | undefined => {
  const found = containers.get(keyOf(place.project, place.region, place.name));
  return found?.deploys ? deploying(found, elapsed) : found?.container;
};
