import { canonicalId } from '../model/target.ts';
import type { Accepted } from './errors/reply.ts';
import { jsonObject } from './errors/reply.ts';
import { readReply } from './errors/reply.ts';
import type { Reply } from './errors/reply.ts';
import { requestPath } from './request-path.ts';
import { endpoints } from './schemas/endpoints.ts';
import type { ReadBy } from './schemas/lenient.ts';
import { containerRead } from './schemas/container.ts';
import { floatingIpListRead, type FloatingIpListRead } from './schemas/floating-ip.ts';
import {
  instanceListRead,
  instanceRead,
  taskIdsRead,
  type InstanceAction,
  type InstanceRead,
} from './schemas/instance.ts';
import type { CallContext } from './http/sender.ts';
import type { Transport } from './http/transport.ts';

export interface RegionRef {
  readonly project: number;
  readonly region: number;
}

export interface InstanceRef extends RegionRef {
  readonly id: string;
}

export interface ContainerRef extends RegionRef {
  readonly name: string;
}

/** The reply to a change. The successor of the interface names only the tasks it started. */
export interface ChangedInstance {
  readonly instance: InstanceRead | undefined;
  readonly tasks: readonly string[];
}

export type ContainerRead = ReadBy<typeof containerRead>;
export type FloatingIpRead = NonNullable<FloatingIpListRead['results']>[number];

export interface FloatingIps {
  /** Of all there are, whatever the page holds. */
  readonly count: number;
  readonly results: readonly FloatingIpRead[];
}

/** Each @throws ServiceError, or BellhopError `bad-input` for a reference that cannot be put into a path. */
export interface CloudCalls {
  rebootInstance(ref: InstanceRef, call: CallContext): Promise<Reply<ChangedInstance>>;
  stopInstance(ref: InstanceRef, call: CallContext): Promise<Reply<ChangedInstance>>;
  /** The extension `instance-actions`; only for a service that has it. */
  actOnInstance(ref: InstanceRef, action: InstanceAction, call: CallContext): Promise<Reply<ChangedInstance>>;
  /** The extension `instance-read`; only for a service that has it. */
  readInstance(ref: InstanceRef, call: CallContext): Promise<Reply<InstanceRead>>;
  getContainer(ref: ContainerRef, call: CallContext): Promise<Reply<ContainerRead>>;
  listFloatingIps(ref: RegionRef, call: CallContext): Promise<Reply<FloatingIps>>;
}

/** The calls of the cloud area. */
export function cloudCalls(transport: Transport): CloudCalls {
  return {
    async rebootInstance({ project, region, id }, call) {
      const path = requestPath(endpoints.rebootInstance.path, { project, region, id });
      return transport.call({ endpoint: 'rebootInstance', path }, call, (accepted) =>
        readChangedInstance(accepted, id),
      );
    },
    async stopInstance({ project, region, id }, call) {
      const path = requestPath(endpoints.stopInstance.path, { project, region, id });
      return transport.call({ endpoint: 'stopInstance', path }, call, (accepted) =>
        readChangedInstance(accepted, id),
      );
    },
    async actOnInstance({ project, region, id }, action, call) {
      const path = requestPath(endpoints.actOnInstance.path, { project, region, id });
      return transport.call({ endpoint: 'actOnInstance', path, body: { action } }, call, (accepted) =>
        readChangedInstance(accepted, id),
      );
    },
    async readInstance({ project, region, id }, call) {
      const path = requestPath(endpoints.readInstance.path, { project, region, id });
      return transport.call({ endpoint: 'readInstance', path }, call, (accepted) => {
        const { value, ...rest } = readChangedInstance(accepted, id);
        if (value.instance === undefined) throw accepted.refuse('it holds no instance');
        return { ...rest, value: value.instance };
      });
    },
    async getContainer({ project, region, name }, call) {
      const path = requestPath(endpoints.getContainer.path, { project, region, name });
      return transport.call({ endpoint: 'getContainer', path }, call, (accepted) => {
        const json = jsonObject(accepted);
        if (!('name' in json || 'status' in json)) throw accepted.refuse('it holds no container');
        return readReply(accepted, containerRead, json);
      });
    },
    async listFloatingIps({ project, region }, call) {
      const path = requestPath(endpoints.listFloatingIps.path, { project, region });
      return transport.call({ endpoint: 'listFloatingIps', path }, call, readFloatingIps);
    },
  };
}

/** Reads `{count, results: [instance]}`, a bare instance and `{tasks: ["id"]}`. @throws ServiceError for any other */
function readChangedInstance(accepted: Accepted, id: string): Reply<ChangedInstance> {
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

/** The one that was asked about; one without an id can be no other. An answer about others says nothing of it. */
function instanceOf(accepted: Accepted, results: readonly InstanceRead[], id: string): InstanceRead {
  const told = results.filter((one) =>
    [one.id, one.status, one.vm_state].some((known) => known !== undefined),
  );
  const found =
    told.find((one) => one.id !== undefined && canonicalId(one.id) === canonicalId(id)) ??
    told.find((one) => one.id === undefined);
  if (found) return found;
  throw accepted.refuse(told.length === 0 ? 'it holds no instance' : 'it is about another instance');
}

const changed = (instance: InstanceRead): ChangedInstance => ({
  instance,
  tasks: instance.task_id === undefined ? [] : [instance.task_id],
});

function readFloatingIps(accepted: Accepted): Reply<FloatingIps> {
  const json = jsonObject(accepted);
  if (!('results' in json || 'count' in json)) throw accepted.refuse('it holds no list');
  const { value, ...rest } = readReply(accepted, floatingIpListRead, json);
  const results = value.results ?? [];
  return { ...rest, value: { count: value.count ?? results.length, results } };
}
