import type { Instance } from '../schemas/instance.ts';
import { type LocalInventory, type Located, regionNameOf, seededProject } from '../state/inventory.ts';
import { seededChoice, seededInteger, seededUuid } from './seeded.ts';

/** The fields of an instance that never change while the service runs, and its state at the start. */
export type SeededInstance = Omit<Instance, 'task_id' | 'task_state'>;

interface InstancePlan extends Located {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status?: 'ACTIVE' | 'SHUTOFF' | 'ERROR' | undefined;
}

const flavor = (name: string, ram: number, vcpus: number): Instance['flavor'] => ({
  flavor_id: name,
  flavor_name: name,
  architecture: 'x86_64',
  os_type: 'linux',
  ram,
  vcpus,
  hardware_description: { ram: `${String(ram / 1024)} GiB DDR4`, vcpus: `${String(vcpus)} vCPU at 2.9 GHz` },
});

const flavors = [
  flavor('g2-standard-2-4', 4096, 2),
  flavor('g2-standard-4-8', 8192, 4),
  flavor('g2-memory-8-64', 65_536, 8),
] as const;

const vmStates = { ACTIVE: 'active', SHUTOFF: 'stopped', ERROR: 'error' } as const;

const network = (id: string) => {
  const privateAddress = `10.0.${String(seededInteger(`${id} net`, 0, 8))}.${String(seededInteger(`${id} host`, 10, 250))}`;
  const publicAddress = `203.0.113.${String(seededInteger(`${id} public`, 1, 255))}`;
  return {
    publicAddress,
    addresses: {
      private: [{ addr: privateAddress, type: 'fixed', subnet_id: seededUuid(`${id} private subnet`) }],
      external: [{ addr: publicAddress, type: 'fixed', subnet_id: seededUuid(`${id} external subnet`) }],
    },
    fixed_ip_assignments: [
      { external: false, ip_address: privateAddress, subnet_id: seededUuid(`${id} private subnet`) },
      { external: true, ip_address: publicAddress, subnet_id: seededUuid(`${id} external subnet`) },
    ],
  };
};

const emptyProfile: Instance['ddos_profile'] = {
  id: 0,
  site: '',
  options: { active: false, bgp: false },
  status: { status: '', error_description: '' },
  profile_template_description: '',
  protocols: [],
  fields: [],
  profile_template: { id: 0, name: '', description: '', fields: [] },
};

const portsField = {
  name: 'TCP ports',
  description: 'Open TCP ports',
  required: false,
  default: null,
  field_type: 'list',
  validation_schema: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1, maximum: 65_535 } },
};

const profileOf = (id: string): Instance['ddos_profile'] => ({
  id: seededInteger(`${id} profile`, 1000, 9999),
  site: 'LUX',
  options: { active: true, bgp: false },
  status: { status: 'Available', error_description: '' },
  profile_template_description: 'Web servers',
  protocols: [
    { port: '80', protocols: ['TCP'] },
    { port: '443', protocols: ['TCP', 'UDP'] },
  ],
  fields: [
    {
      id: seededInteger(`${id} profile field`, 1000, 9999),
      base_field: 71,
      ...portsField,
      field_value: [80, 443],
      value: null,
    },
  ],
  profile_template: {
    id: 12,
    name: 'web',
    description: 'Web servers',
    fields: [{ id: 71, ...portsField }],
  },
});

const protection = (
  id: string,
  isProtected: boolean,
  publicAddress: string,
): Pick<Instance, 'blackhole_ports' | 'ddos_profile'> => ({
  blackhole_ports: isProtected
    ? [
        {
          AlarmStart: '2026-11-14T03:12:40Z',
          AlarmEnd: '2026-11-14T03:31:05Z',
          AlarmState: 'CLEAR',
          AlertDuration: '00:18:25',
          DestinationIP: publicAddress,
          ID: seededInteger(`${id} alarm`, 10_000, 99_999),
        },
      ]
    : [],
  ddos_profile: isProtected ? profileOf(id) : emptyProfile,
});

const instanceOf = (plan: InstancePlan): SeededInstance => {
  const { id, name, status = 'ACTIVE', labels = {} } = plan;
  const { publicAddress, ...addresses } = network(id);
  const isWeb = labels['tier'] === 'web';
  return {
    id,
    name,
    instance_description: plan.description,
    created_at: `2026-0${String(seededInteger(`${id} month`, 1, 10))}-1${String(seededInteger(`${id} day`, 0, 10))}T09:30:00Z`,
    creator_task_id: seededUuid(`${id} creator`),
    status,
    vm_state: vmStates[status],
    project_id: plan.project,
    region: plan.regionName ?? regionNameOf(plan.region),
    region_id: plan.region,
    ssh_key_name: 'on-call',
    ...addresses,
    security_groups: isWeb ? [{ name: 'default' }, { name: 'web' }] : [{ name: 'default' }],
    tags: [
      ...Object.entries(labels).map(([key, value]) => ({ key, value, read_only: false })),
      { key: 'os_distro', value: 'ubuntu-24.04', read_only: true },
    ],
    volumes: [
      { id: seededUuid(`${id} boot volume`), delete_on_termination: true },
      { id: seededUuid(`${id} data volume`), delete_on_termination: false },
    ],
    instance_isolation: { reason: status === 'ERROR' ? 'abuse report 4711' : '' },
    flavor: seededChoice(`${id} flavor`, flavors),
    ...protection(id, isWeb, publicAddress),
  };
};

const plan = (
  name: string,
  region: number,
  labels: Located['labels'],
  description: string,
  status?: InstancePlan['status'],
): InstancePlan => ({
  id: seededUuid(`instance ${name}`),
  name,
  project: seededProject,
  region,
  labels,
  description,
  ...(status && { status }),
});

const plans: readonly InstancePlan[] = [
  plan('edge-cache-1', 76, { env: 'production', tier: 'web' }, 'Cache in front of the shop'),
  plan('edge-cache-2', 180, { env: 'production', tier: 'web' }, 'Cache in front of the shop'),
  plan('mail-relay', 76, { env: 'production', tier: 'mail' }, 'Outgoing mail'),
  plan('batch-3', 76, { env: 'staging', tier: 'batch' }, 'Nightly reports', 'SHUTOFF'),
  plan('search-1', 180, { env: 'production', tier: 'search' }, 'Product search, primary'),
  plan('search-2', 180, { env: 'production', tier: 'search' }, 'Product search, replica'),
  plan('ci-runner-7', 76, { env: 'staging', tier: 'ci' }, 'Builds'),
  plan('legacy-ftp', 180, { env: 'production', tier: 'files' }, 'Files of the old partner portal', 'ERROR'),
  plan('vpn-gateway', 180, { env: 'production', tier: 'network' }, 'Way in for the office'),
];

/** Every instance of the service by id: the seeded ones and those of the inventory. */
export const seedInstances = (inventory: LocalInventory): ReadonlyMap<string, SeededInstance> => {
  const given = Object.entries(inventory.instances).map(
    ([name, { id, project, region, regionName, labels }]): InstancePlan => {
      const description = `${name}, from the inventory`;
      return { id, name, description, project, region, regionName, labels };
    },
  );
  return new Map([...plans, ...given].map((each) => [each.id, instanceOf(each)] as const));
};
