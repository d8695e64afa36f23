import { type Accepted, type ServiceReply, jsonObject, readReply } from '../../../service/errors/reply.ts';
import { type PageSchema, readPage, readPages, rememberFound } from './pages.ts';
import type { CallContext, Transport } from '../../../service/http/transport.ts';
import { type CallOptions, createServiceClient, type ServiceClientOptions } from '../../../service/client.ts';
import type { CallRequest } from '../../../service/schemas/endpoints.ts';
import { BellhopError, ServiceError } from '../../../model/values/errors.ts';
import type { TriedInstance } from '../../../host/area.ts';
import { cloudCall } from './endpoints.ts';
import { containerRead } from './container.ts';
import { floatingIpListRead, heldFloatingIpListRead } from './floating-ip.ts';
import { closing, counted } from '../../../text/words.ts';
import {
  type InstanceAction,
  type InstanceRead,
  instanceListRead,
  instanceRead,
  isSameId,
  taskIdsRead,
  type InstanceTaskType,
  taskListRead,
  taskRead,
} from './instance.ts';

export { type ServiceReply, replyNotes } from '../../../service/errors/reply.ts';

export interface RegionRef {
  readonly project: number;
  readonly region: number;
}

interface InstanceRef extends RegionRef {
  readonly id: string;
}

/**
 * The reply to a change. The successor of the interface replies with only the ids of the tasks that the change started.
 */
export interface ChangedInstance {
  readonly instance: InstanceRead | undefined;
  readonly tasks: readonly string[];
}

/**
 * Calls of an extension need a service that has the extension. Each call throws ServiceError, or BellhopError
 * `bad-input` for a reference that does not fit into a path.
 */
export function cloudCalls(transport: Transport, { now }: Pick<CallOptions, 'now'>) {
  const remembered = rememberFound(now);
  const page = <Item>(request: CallRequest, schema: PageSchema<Item>, call: CallContext) =>
    transport.call(request, call, (accepted) => readPage(accepted, schema));
  return {
    changeInstance: async (ref: InstanceRef, action: InstanceAction, call: CallContext) =>
      transport.call(changeOf(ref, action), call, (accepted) => readChangedInstance(accepted, ref.id)),
    /** Needs the extension `instance-read`. */
    readInstance: async (ref: InstanceRef, call: CallContext) =>
      transport.call(cloudCall('readInstance', ref), call, (accepted) => {
        const { value, ...rest } = readChangedInstance(accepted, ref.id);
        if (value.instance === undefined) throw accepted.refuse('it contains no instance');
        return { ...rest, value: value.instance };
      }),
    /** Needs the extension `instance-list`. Resolves to all instances of a project and region, at most 10,000. */
    listInstances: async (ref: RegionRef, call: CallContext) =>
      readPages((query) => page(cloudCall('listInstances', ref, { query }), instanceListRead, call)),
    /** Needs the extension `instance-list`. The instances were found at most 30 s ago. */
    findInstances: (ref: RegionRef, name: string, call: CallContext) =>
      remembered(`${ref.project}/${ref.region}`, name, async (wanted, limit) => {
        const query = { limit: String(limit), ...(wanted !== '' && { name: wanted }) };
        const found = await page(cloudCall('listInstances', ref, { query }), instanceListRead, call);
        return found.value.results;
      }),
    getContainer: async (ref: RegionRef & { readonly name: string }, call: CallContext) =>
      transport.call(cloudCall('getContainer', ref), call, (accepted) => {
        const json = jsonObject(accepted);
        if (!('name' in json || 'status' in json)) throw accepted.refuse('it contains no container');
        return readReply(accepted, containerRead, json);
      }),
    listFloatingIps: async (ref: RegionRef, call: CallContext) =>
      page(cloudCall('listFloatingIps', ref), floatingIpListRead, call),
    /** Needs the extension `floating-ip-list`. Resolves to all floating IPs with their holders, at most 10,000. */
    listHeldFloatingIps: async (ref: RegionRef, call: CallContext) =>
      readPages((query) =>
        page(cloudCall('listHeldFloatingIps', ref, { query }), heldFloatingIpListRead, call),
      ),
    ...taskCalls(transport),
  };
}

/**
 * Reads what `/cloud ips` reads, and, if the service has the extension `instance-list`, looks the instance up.
 * @throws ServiceError, and BellhopError `unknown-target` if the service does not list the instance
 */
export async function tryOut(
  options: ServiceClientOptions,
  { called, id, ...place }: TriedInstance,
): Promise<string> {
  await using service = closing(createServiceClient([{ calls: cloudCalls }], options));
  const call = { correlationId: 'setup' };
  const { results: ips } = (await service.listFloatingIps(place, call)).value;
  const where = `project ${place.project}, region ${place.region}`;
  const found = `The service answers: ${counted(ips.length, 'available floating IP')} in ${where}.`;
  const listed = await service.listInstances(place, call).catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
  const { count, results } = listed?.value ?? { count: 1, results: [] };
  if (results.some((one) => isSameId(idOf(one) ?? '', id))) return `${found} It has ${called}.`;
  if (count <= results.length)
    throw new BellhopError(
      'unknown-target',
      `The service has no instance ${id} in ${where}. Check the id and both numbers.`,
    );
  const doubt = ips.length === 0 ? ' If you expected some, check both numbers.' : '';
  return `${found}${doubt}\n${called} was not checked, because the service can't list its instances. The first reboot shows whether the id is right.`;
}

export type CloudClient = ReturnType<typeof cloudCalls>;

/** The interface has only reboot and stop. Other changes need the extension `instance-actions`. */
export function changeOf(ref: InstanceRef, action: InstanceAction): CallRequest {
  if (action === 'reboot') return cloudCall('rebootInstance', ref);
  return action === 'stop'
    ? cloudCall('stopInstance', ref)
    : cloudCall('actOnInstance', ref, { body: { action } });
}

/** @throws ServiceError for anything but `{count, results: [instance]}`, a bare instance and `{tasks: ["id"]}` */
function readChangedInstance(accepted: Accepted, id: string): ServiceReply<ChangedInstance> {
  const json = jsonObject(accepted);
  if (Array.isArray(json['tasks'])) {
    const { value, ...rest } = readReply(accepted, taskIdsRead, json);
    const tasks = value.tasks ?? [];
    if (tasks.length === 0) throw accepted.refuse('it names no task');
    return { ...rest, value: { instance: undefined, tasks } };
  }
  if (Array.isArray(json['results'])) {
    const { value, ...rest } = readReply(accepted, instanceListRead, json);
    return { ...rest, value: changed(instanceOf(accepted, value.results ?? [], id)) };
  }
  const { value, ...rest } = readReply(accepted, instanceRead, json);
  return { ...rest, value: changed(instanceOf(accepted, [value], id)) };
}

const idOf = (one: InstanceRead): string | undefined => one.id ?? one.instance_id ?? one.uuid;

/** An instance without an id must be the requested one. An answer about other instances proves nothing about it. */
function instanceOf(accepted: Accepted, results: readonly InstanceRead[], id: string): InstanceRead {
  const told = results.filter((one) =>
    [idOf(one), one.status, one.vm_state].some((known) => known !== undefined),
  );
  const found =
    told.find((one) => isSameId(idOf(one) ?? '', id)) ?? told.find((one) => idOf(one) === undefined);
  if (found) return found;
  throw accepted.refuse(told.length === 0 ? 'it contains no instance' : 'it is about another instance');
}

const changed = (instance: InstanceRead): ChangedInstance => ({
  instance,
  tasks: instance.task_id === undefined ? [] : [instance.task_id],
});

/** Finds tasks of a type that were created in a period. Times are epoch milliseconds, both included. */
interface TaskFilter extends RegionRef {
  readonly type: InstanceTaskType;
  readonly from: number;
  readonly to: number;
}

const maxOnPage = '1000';

/** Only a service with the extension `tasks` has these calls. Each call throws ServiceError. */
function taskCalls(transport: Transport) {
  return {
    readTask: async (id: string, call: CallContext) =>
      transport.call(cloudCall('readTask', { id }), call, (accepted) => {
        const json = jsonObject(accepted);
        if (!isSameId(String(json['id']), id)) throw accepted.refuse('it is about another task');
        return readReply(accepted, taskRead, json);
      }),
    /**
     * Resolves to the newest tasks first, at most 1000. `count` is undefined if the service does not say. `serviceTime`
     * is when the service answered by its own clock, cut to the second.
     */
    async listTasks({ project, region, type, from, to }: TaskFilter, call: CallContext) {
      const query = {
        from_timestamp: new Date(from).toISOString(),
        to_timestamp: new Date(to).toISOString(),
        project_id: String(project),
        region_id: String(region),
        task_type: type,
        order_by: 'desc',
        limit: maxOnPage,
      };
      return transport.call(cloudCall('listTasks', {}, { query }), call, (accepted) => {
        const json = jsonObject(accepted, { results: [] });
        if (!Array.isArray(json['results']) && json['results'] !== null)
          throw accepted.refuse('it contains no list');
        const { value, ...rest } = readReply(accepted, taskListRead, json);
        const { count, results = [] } = value;
        return { ...rest, value: { count, results, serviceTime: accepted.serviceTime } };
      });
    },
  };
}
