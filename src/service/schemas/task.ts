import { z } from 'zod';
import { integer, text, utcTimestamp } from './fields.ts';
import { type ReadBy, lenient } from './lenient.ts';
import type { InstanceAction } from './instance.ts';

/** Known states of a task. The last two are final. */
export const taskStates = ['NEW', 'RUNNING', 'FINISHED', 'ERROR'] as const;

/** Task names of an instance's changes. */
export const instanceTaskTypes = {
  reboot: 'soft_reboot_vm',
  reboot_hard: 'hard_reboot_vm',
  start: 'start_vm',
  stop: 'stop_vm',
  suspend: 'suspend_vm',
  resume: 'resume_vm',
} as const satisfies Record<InstanceAction, string>;

export type InstanceTaskType = (typeof instanceTaskTypes)[InstanceAction];

/** One task of the service for a change. */
export const task = z.strictObject({
  id: text('task identifier'),
  state: z.enum(taskStates).describe('its state'),
  task_type: z.enum(instanceTaskTypes).describe('what it does'),
  created_on: utcTimestamp('when it was created, UTC'),
  finished_on: utcTimestamp('when it ended, UTC; null until then').nullable(),
  error: text('why it failed, else null').nullable(),
  user_id: integer('user that the API key belongs to'),
  project_id: integer('project it belongs to'),
  region_id: integer('region identifier'),
  data: z.strictObject({ instance_id: text('instance that it changes') }).describe('what it was asked to do'),
  detailed_state: text('its state in more detail, or null').nullable(),
});

/** The reply of `listTasks`. `count` is the number of all matches, not that of the page. */
export const taskList = z.strictObject({
  count: integer('number of matches, on all pages'),
  results: z.array(task).describe('one page of them'),
});

/** Versions of the service name a task's instance differently. */
const namingInstance = z.strictObject({
  instance_id: z.string(),
  instance_name: z.string(),
  id: z.string(),
  name: z.string(),
});

const taskAsRead = task.extend({ data: namingInstance });

/** The same, read leniently. */
export const taskRead = lenient(taskAsRead);
export const taskListRead = lenient(taskList.extend({ results: z.array(taskAsRead) }));

export type TaskReply = z.output<typeof task>;
export type TaskRead = ReadBy<typeof taskRead>;
