import { instanceTaskTypes } from '../../src/areas/cloud/client/instance.ts';
import type { Instance } from './schemas/instance.ts';
import { Failure } from './http/failure.ts';
import { type Change, type InstanceState, settle, taskStateOf } from './state/instance-life.ts';
import type { LocalInventory } from './state/inventory.ts';
import type { SeededContainer } from './seed/containers.ts';
import type { SeededInstance } from './seed/instances.ts';
import type { ServiceClock } from './service-clock.ts';
import type { ServiceStore } from './state/service-store.ts';

/** The state that the endpoints read and change. */
export interface Service {
  readonly clock: ServiceClock;
  readonly store: ServiceStore;
  readonly inventory: LocalInventory;
  readonly instances: ReadonlyMap<string, SeededInstance>;
  readonly containers: ReadonlyMap<string, SeededContainer>;
  /** When this service started, epoch milliseconds on its own clock: deployments count from here. */
  readonly startedAt: number;
  readonly newId: () => string;
}

/** Which instance a path names. */
export interface InstancePath {
  readonly project_id: number;
  readonly region_id: number;
  readonly instance_id: string;
}

const stateOf = (service: Service, seeded: SeededInstance): InstanceState =>
  settle(service.store.instanceState(seeded.id) ?? initialState(seeded), service.clock.now());

const initialState = ({ status, vm_state }: SeededInstance): InstanceState => ({
  status,
  vm_state,
  task: null,
});

const find = (service: Service, path: InstancePath): SeededInstance => {
  const seeded = service.instances.get(path.instance_id);
  if (seeded?.project_id === path.project_id && seeded.region_id === path.region_id) return seeded;
  throw new Failure(404, `Instance ${path.instance_id} could not be found`);
};

const record = (seeded: SeededInstance, state: InstanceState): Instance => ({
  ...seeded,
  status: state.status,
  vm_state: state.vm_state,
  task_id: state.task?.id ?? null,
  task_state: taskStateOf(state),
});

/**
 * The instance as it is now.
 *
 * @throws Failure 404 if there is none in that project and region.
 */
export const readInstance = (service: Service, path: InstancePath): Instance => {
  const seeded = find(service, path);
  return record(seeded, stateOf(service, seeded));
};

export const instanceOrders = ['name.asc', 'name.desc', 'created.asc', 'created.desc'] as const;

/** Which instances of a project and region are requested. */
export interface InstanceFilter {
  /** Part of the name, in any case. */
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  /** Part of an address. */
  readonly ip?: string | undefined;
  readonly uuid?: string | undefined;
  readonly flavor_id?: string | undefined;
  readonly tag_value?: string | undefined;
  readonly order_by?: (typeof instanceOrders)[number] | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** One page of the instances of a project and region as they are now, in the order of the seed if none is requested, and how many fit. */
export const listInstances = (
  { instances, store, clock }: Service,
  { project_id: project, region_id: region }: Omit<InstancePath, 'instance_id'>,
  { name = '', status, ip = '', order_by: order, limit, offset, ...wanted }: InstanceFilter,
): { count: number; results: Instance[] } => {
  const states = store.instanceStates();
  const now = clock.now();
  const fitting = [...instances.values()].flatMap((seeded) => {
    if (seeded.project_id !== project || seeded.region_id !== region) return [];
    if (!seeded.name.toLowerCase().includes(name.toLowerCase())) return [];
    if (ip !== '' && !seeded.fixed_ip_assignments.some(({ ip_address: address }) => address.includes(ip)))
      return [];
    if (wanted.uuid !== undefined && wanted.uuid !== seeded.id) return [];
    if (wanted.flavor_id !== undefined && wanted.flavor_id !== seeded.flavor.flavor_id) return [];
    if (wanted.tag_value !== undefined && !seeded.tags.some(({ value }) => value === wanted.tag_value))
      return [];
    const state = settle(states.get(seeded.id) ?? initialState(seeded), now);
    return status === undefined || state.status === status ? [{ seeded, state }] : [];
  });
  const [field, direction] = order?.split('.') ?? [];
  const key = ({ seeded }: (typeof fitting)[number]): string =>
    field === 'created' ? seeded.created_at : seeded.name;
  if (order !== undefined) fitting.sort((one, other) => (key(one) < key(other) ? -1 : 1));
  if (direction === 'desc') fitting.reverse();
  const page = fitting.slice(offset, offset + limit);
  return { count: fitting.length, results: page.map(({ seeded, state }) => record(seeded, state)) };
};

/** The user of the full key, which the tasks of its changes name. */
const keyUser = 2077;

/** The requester of a change, and the end of its task. */
export interface ChangeOptions {
  /** Default: the user of the full key. */
  readonly user?: number | undefined;
  /** Lets the task end in ERROR with this text. */
  readonly taskError?: string | undefined;
}

/**
 * Changes the state of an instance, and stores its state and task on disk before it returns.
 * @throws Failure 404 as `readInstance`; what `change` throws.
 */
export const changeInstance = (
  service: Service,
  path: InstancePath,
  change: Change,
  { user = keyUser, taskError }: ChangeOptions = {},
): Instance => {
  const seeded = find(service, path);
  const before = stateOf(service, seeded);
  const now = service.clock.now();
  const after = change(seeded.id, before, service.newId(), now);
  if (after === before) return record(seeded, after);
  const { status, vm_state } = before;
  const task =
    after.task && taskError !== undefined ? { ...after.task, failsTo: { status, vm_state } } : after.task;
  service.store.keepClock(now);
  service.store.keepInstanceState(seeded.id, { ...after, task });
  if (task) {
    service.store.tasks.add({
      id: task.id,
      task_type: instanceTaskTypes[task.kind],
      createdAt: now,
      endsAt: task.endsAt,
      error: taskError ?? null,
      user_id: user,
      project_id: seeded.project_id,
      region_id: seeded.region_id,
      instance_id: seeded.id,
    });
  }
  return record(seeded, after);
};
