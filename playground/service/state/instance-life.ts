import { z } from 'zod';
import { Failure } from '../http/failure.ts';

const task = z.strictObject({ id: z.string(), kind: z.enum(['reboot', 'stop']), endsAt: z.number() });

/** What changes about an instance: its status and the task that holds it. */
export const instanceState = z.strictObject({
  status: z.string(),
  vm_state: z.string(),
  task: task.nullable(),
});

export type InstanceState = z.output<typeof instanceState>;

/** How long a task takes, in milliseconds of the service's clock. */
const taskMilliseconds = { reboot: 4000, stop: 3000 } as const;

const settledBy = {
  reboot: { status: 'ACTIVE', vm_state: 'active', task: null },
  stop: { status: 'SHUTOFF', vm_state: 'stopped', task: null },
} as const satisfies Record<keyof typeof taskMilliseconds, InstanceState>;

/** The state at this time: a task that has ended by then has settled. */
export const settle = (state: InstanceState, now: number): InstanceState =>
  state.task && state.task.endsAt <= now ? settledBy[state.task.kind] : state;

const assertIdle = (id: string, state: InstanceState): void => {
  if (state.task) {
    throw new Failure(409, `Instance ${id} is held by task ${state.task.id} (${state.task.kind})`);
  }
};

const isActive = (state: InstanceState): boolean => state.status === 'ACTIVE' && state.vm_state === 'active';

/**
 * Begins a reboot.
 *
 * @throws Failure 409 where a task holds the instance or it is not running.
 */
export const reboot = (id: string, state: InstanceState, taskId: string, now: number): InstanceState => {
  assertIdle(id, state);
  if (!isActive(state))
    throw new Failure(409, `Instance ${id} cannot be rebooted while it is ${state.status}`);
  return {
    status: 'REBOOT',
    vm_state: 'active',
    task: { id: taskId, kind: 'reboot', endsAt: now + taskMilliseconds.reboot },
  };
};

/**
 * Begins a stop; a stopped instance stays as it is.
 *
 * @throws Failure 409 where a task holds the instance or it is neither running nor stopped.
 */
export const stop = (id: string, state: InstanceState, taskId: string, now: number): InstanceState => {
  assertIdle(id, state);
  if (state.status === 'SHUTOFF') return state;
  if (!isActive(state))
    throw new Failure(409, `Instance ${id} cannot be stopped while it is ${state.status}`);
  return { ...state, task: { id: taskId, kind: 'stop', endsAt: now + taskMilliseconds.stop } };
};

/** What `task_state` says of a task. */
export const taskStateOf = (state: InstanceState): string => {
  if (state.task === null) return '';
  return state.task.kind === 'reboot' ? 'rebooting' : 'powering-off';
};
