import { type ChangeTasks, type InstanceTarget, type Task, writtenPeriod } from '../../bellhop/bellhop.ts';
import type { ChangedInstance, CloudClient, ServiceReply } from './client/calls.ts';
import {
  type InstanceAction,
  errorText,
  type InstanceTaskType,
  instanceTaskTypes,
  isSameId,
  type TaskRead,
} from './client/instance.ts';

const finished: Readonly<Record<InstanceAction, string>> = {
  reboot: 'has rebooted',
  reboot_hard: 'was power-cycled',
  start: 'has started',
  stop: 'has stopped',
  suspend: 'is suspended',
  resume: 'has resumed',
};

export const instanceTasks = <Input>(
  action: (input: Input) => InstanceAction,
): ChangeTasks<Input, InstanceTarget, ServiceReply<ChangedInstance>, CloudClient> => ({
  extension: 'tasks',
  finished: ({ name }, input) => `${name} ${finished[action(input)]}`,
  started: ({ value }) => value.tasks,
  async read(id, context) {
    const { value } = await context.service.readTask(id, context);
    return taskOf(id, value);
  },
  async search(input, period, context) {
    const { service, target } = context;
    const type = instanceTaskTypes[action(input)];
    const filter = { project: target.project, region: target.region, type, ...period };
    const { value, problems } = await service.listTasks(filter, context);
    const { count, results, serviceTime } = value;
    const mayFit = results.filter((task) => fits(task, type, target));
    const tasks = mayFit.flatMap((task) => (task.id === undefined ? [] : [taskOf(task.id, task)]));
    const complete =
      problems.length === 0 &&
      count === results.length &&
      tasks.length === mayFit.length &&
      mayFit.every(({ state }) => state !== undefined);
    const named = mayFit.every((task) => isAbout(task, target) === true);
    return { tasks, complete, named, serviceTime };
  },
});

/** Missing members of a task count as matching. */
const fits = (task: TaskRead, type: InstanceTaskType, target: InstanceTarget): boolean =>
  (task.task_type ?? type) === type &&
  (task.project_id ?? target.project) === target.project &&
  (task.region_id ?? target.region) === target.region &&
  isAbout(task, target) !== false;

/**
 * Whether the task is about the instance, by the instance's id or name. Undefined if that is unclear, because the
 * service may use a name that is not in bellhop.yaml.
 */
export function isAbout({ data = {} }: TaskRead, { id, name }: InstanceTarget): boolean | undefined {
  const named = data.instance_id ?? data.id;
  if (named !== undefined) return isSameId(named, id);
  return (data.instance_name ?? data.name) === name ? true : undefined;
}

const taskOf = (id: string, task: TaskRead): Task => ({
  id,
  state: task.state === 'FINISHED' ? 'finished' : task.state === 'ERROR' ? 'failed' : 'open',
  type: task.task_type ?? 'task',
  stateName: task.state ?? 'in an unreadable state',
  created: writtenPeriod(task.created_on),
  user: task.user_id === undefined ? undefined : String(task.user_id),
  error: errorText(task),
});
