import { z } from 'zod';
import { flag, integer, text, utcTimestamp } from '../../../service/schemas/fields.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';
import { wordsIn } from '../../../text/reason.ts';
import { canonicalId } from '../../../text/words.ts';

export const tag = z.strictObject({
  key: text('name of the label'),
  value: text('its value'),
  read_only: flag('set by the service itself'),
});

const flavor = z.strictObject({
  flavor_id: text('identifier of the flavor'),
  flavor_name: text('name of the flavor'),
  architecture: text('processor architecture'),
  os_type: text('operating system family'),
  ram: integer('memory in MiB'),
  vcpus: integer('virtual processors'),
  hardware_description: z
    .strictObject({ ram: text('memory, in words'), vcpus: text('processors, in words') })
    .describe('description of the hardware'),
});

export const instance = z.strictObject({
  id: text('instance identifier'),
  name: text('name of the instance'),
  instance_description: text('purpose of the instance'),
  created_at: utcTimestamp('when it was created, UTC'),
  creator_task_id: text('task that created it'),
  task_id: text('task that is changing it now').nullable(),
  task_state: text('current task on the instance, "" when idle'),
  status: text('for example ACTIVE, REBOOT, SHUTOFF'),
  vm_state: text('for example active, stopped'),
  project_id: integer('project it belongs to'),
  region: text('region name'),
  region_id: integer('region identifier'),
  ssh_key_name: text('name of the SSH key put into it'),
  addresses: z.record(z.string(), z.unknown()).describe('addresses by network, in any form'),
  security_groups: z.array(z.strictObject({ name: text('name of the group') })).describe('firewall groups'),
  tags: z.array(tag).describe('labels'),
  volumes: z
    .array(z.strictObject({ id: text('volume identifier'), delete_on_termination: flag('goes with it') }))
    .describe('attached volumes'),
  fixed_ip_assignments: z
    .array(
      z.strictObject({
        external: flag('reachable from outside'),
        ip_address: text('the address'),
        subnet_id: text('its subnet'),
      }),
    )
    .describe('fixed addresses'),
  instance_isolation: z
    .strictObject({ reason: text('reason for the isolation, "" when not isolated') })
    .describe('isolation from the network'),
  flavor: flavor.describe('size of the instance'),
  blackhole_ports: z.unknown().describe('alarms of DDoS detection, not read'),
  ddos_profile: z.unknown().describe('DDoS protection, not read'),
});

/** The reply to `rebootInstance`, `stopInstance` and `listInstances`. `count` is the total. */
export const instanceList = z.strictObject({
  count: integer('how many results there are'),
  results: z.array(instance).describe('the instances'),
});

/** Older versions of the service name the id differently. */
const instanceAsRead = instance.extend({ instance_id: z.string(), uuid: z.string(), addresses: z.unknown() });

export const instanceRead = lenient(instanceAsRead);

export const instanceListRead = lenient(instanceList.extend({ results: z.array(instanceAsRead) }));

export const instanceActions = ['start', 'stop', 'reboot', 'reboot_hard', 'suspend', 'resume'] as const;

export type InstanceAction = (typeof instanceActions)[number];

export const taskIds = z.strictObject({ tasks: z.array(z.string()).describe('task ids') });

export const taskIdsRead = lenient(taskIds);

export type InstanceRead = ReadBy<typeof instanceRead>;

/** The last two states of a task are final. */
export const taskStates = ['NEW', 'RUNNING', 'FINISHED', 'ERROR'] as const;

export const instanceTaskTypes = {
  reboot: 'soft_reboot_vm',
  reboot_hard: 'hard_reboot_vm',
  start: 'start_vm',
  stop: 'stop_vm',
  suspend: 'suspend_vm',
  resume: 'resume_vm',
} as const satisfies Record<InstanceAction, string>;

export type InstanceTaskType = (typeof instanceTaskTypes)[InstanceAction];

export const task = z.strictObject({
  id: text('task identifier'),
  state: z.enum(taskStates).describe('its state'),
  task_type: z.enum(instanceTaskTypes).describe('type of the task'),
  created_on: utcTimestamp('when it was created, UTC'),
  finished_on: utcTimestamp('when it ended, UTC; null until then').nullable(),
  error: text('why it failed, else null').nullable(),
  user_id: integer('user that the API key belongs to'),
  project_id: integer('project it belongs to'),
  region_id: integer('region identifier'),
  data: z.strictObject({ instance_id: text('instance that it changes') }).describe('target of the task'),
  detailed_state: text('its state in more detail, or null').nullable(),
});

/** In the reply to `listTasks`, `count` is the number of all matches, not that of the page. */
export const taskList = z.strictObject({
  count: integer('number of matches, on all pages'),
  results: z.array(task).describe('the items on this page'),
});

/** Versions of the service name a task's instance differently. */
const namingInstance = z.strictObject({
  instance_id: z.string(),
  instance_name: z.string(),
  id: z.string(),
  name: z.string(),
});

/** Versions of the service give an error as an object. */
const taskAsRead = task.extend({ data: namingInstance, error: z.unknown() });

export const taskRead = lenient(taskAsRead);
export const taskListRead = lenient(taskList.extend({ results: z.array(taskAsRead) }));

export type TaskReply = z.output<typeof task>;
export type TaskRead = ReadBy<typeof taskRead>;

export const errorText = ({ error }: TaskRead): string | undefined => wordsIn({ error }) || undefined;

/** Whether two ids are the same, however each is spelled. */
export const isSameId = (one: string, other: string): boolean => canonicalId(one) === canonicalId(other);
