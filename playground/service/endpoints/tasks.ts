import { z } from '@hono/zod-openapi';
import {
  instanceTaskTypes,
  type TaskReply,
  task,
  taskList,
  taskStates,
} from '../../../src/areas/cloud/client/instance.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { Failure } from '../http/failure.ts';
import type { StoredTask } from '../state/task-store.ts';
import { page, queryTime } from '../http/page-query.ts';
import { pathInteger } from '../http/path-params.ts';

/** How long a task is NEW, in milliseconds. */
const newMilliseconds = 500;

const seconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** The task at this time. */
const taskAt = (stored: StoredTask, now: number): TaskReply => {
  const ended = stored.endsAt <= now;
  const open = now - stored.createdAt < newMilliseconds ? 'NEW' : 'RUNNING';
  const end = stored.error === null ? 'FINISHED' : 'ERROR';
  return {
    id: stored.id,
    state: ended ? end : open,
    task_type: stored.task_type,
    created_on: seconds(stored.createdAt),
    finished_on: ended ? seconds(stored.endsAt) : null,
    error: ended ? stored.error : null,
    user_id: stored.user_id,
    project_id: stored.project_id,
    region_id: stored.region_id,
    data: { instance_id: stored.instance_id },
    detailed_state: ended ? end : null,
  };
};

const taskPath = z.object({ task_id: z.string().describe('task identifier') });

export const readTask = endpoint({
  name: 'readTask',
  method: 'get',
  path: '/cloud/v1/tasks/{task_id}',
  summary: 'Read a task',
  extension: 'tasks',
  changes: false,
  params: taskPath,
  response: task,
  failures: { 404: 'no such task' },
  run: (call, { store, clock }) => {
    const { task_id: id } = read(taskPath, call.params);
    const found = store.tasks.find(id);
    if (!found) throw new Failure(404, `Task ${id} could not be found`);
    return taskAt(found, clock.now());
  },
});

const filter = page.extend({
  limit: page.shape.limit.unwrap().default(10),
  from_timestamp: queryTime('only tasks created at or after this time; without a zone, the time is UTC'),
  to_timestamp: queryTime('only tasks created at or before this time; without a zone, the time is UTC'),
  project_id: pathInteger('only tasks of this project').optional(),
  region_id: pathInteger('only tasks of this region').optional(),
  task_type: z.enum(instanceTaskTypes).optional().openapi({ description: 'only tasks of this type' }),
  state: z.enum(taskStates).optional().openapi({ description: 'only tasks in this state' }),
  order_by: z.enum(['asc', 'desc']).default('desc').openapi({ description: 'sort by creation time' }),
});

export const listTasks = endpoint({
  name: 'listTasks',
  method: 'get',
  path: '/cloud/v1/tasks',
  summary: 'List tasks',
  description: 'Newest first, ten per page. count is the number of matching tasks on all pages.',
  extension: 'tasks',
  changes: false,
  query: filter,
  response: taskList,
  run: (call, { store, clock }) => {
    const wanted = read(filter, call.query);
    const { from_timestamp: from, to_timestamp: to } = wanted;
    const now = clock.now();
    const found = store.tasks
      .between({
        from: from ?? 0,
        to: to ?? now,
      })
      .map((stored) => taskAt(stored, now))
      .filter((one) =>
        (['project_id', 'region_id', 'task_type', 'state'] as const).every(
          (field) => wanted[field] === undefined || wanted[field] === one[field],
        ),
      );
    const ordered = wanted.order_by === 'desc' ? found.toReversed() : found;
    const { limit: most, offset: start } = wanted;
    return { count: ordered.length, results: ordered.slice(start, start + most) };
  },
});
