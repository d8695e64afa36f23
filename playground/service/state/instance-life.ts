import { z } from 'zod';
import type { InstanceAction } from '../../../src/areas/cloud/client/instance.ts';
import { Failure } from '../http/failure.ts';

const kinds = [
  'reboot',
  'stop',
  'start',
  'reboot_hard',
  'suspend',
  'resume',
] as const satisfies readonly InstanceAction[];

const task = z.strictObject({
  id: z.string(),
  kind: z.enum(kinds),
  endsAt: z.number(),
  /** Set if the task ends in ERROR: the instance then has this state again. */
  failsTo: z.strictObject({ status: z.string(), vm_state: z.string() }).optional(),
});

/** The changing state of an instance: its status and its running task. */
export const instanceState = z.strictObject({
  status: z.string(),
  vm_state: z.string(),
  task: task.nullable(),
});

export type InstanceState = z.output<typeof instanceState>;

type Settled = Omit<InstanceState, 'task'>;

const active: Settled = { status: 'ACTIVE', vm_state: 'active' };
const stopped: Settled = { status: 'SHUTOFF', vm_state: 'stopped' };
const suspended: Settled = { status: 'SUSPENDED', vm_state: 'suspended' };

/**
 * The course of a change: the allowed statuses, the status while it runs, its duration in milliseconds by the service's
 * clock, and the end.
 */
interface Course {
  readonly from: readonly string[];
  readonly done: string;
  /** The status while it runs; undefined if that stays the same. */
  readonly status?: string | undefined;
  readonly taskState: string;
  readonly milliseconds: number;
  readonly to: Settled;
}

const courses: Readonly<Record<InstanceAction, Course>> = {
  reboot: {
    from: ['ACTIVE'],
    done: 'rebooted',
    status: 'REBOOT',
    taskState: 'rebooting',
    milliseconds: 4000,
    to: active,
  },
  reboot_hard: {
    from: ['ACTIVE', 'SHUTOFF', 'SUSPENDED', 'ERROR'],
    done: 'hard rebooted',
    status: 'HARD_REBOOT',
    taskState: 'rebooting_hard',
    milliseconds: 6000,
    to: active,
  },
  stop: { from: ['ACTIVE'], done: 'stopped', taskState: 'powering-off', milliseconds: 3000, to: stopped },
  start: { from: ['SHUTOFF'], done: 'started', taskState: 'powering-on', milliseconds: 3000, to: active },
  suspend: {
    from: ['ACTIVE'],
    done: 'suspended',
    taskState: 'suspending',
    milliseconds: 3000,
    to: suspended,
  },
  resume: { from: ['SUSPENDED'], done: 'resumed', taskState: 'resuming', milliseconds: 3000, to: active },
};

/** The state at this time, with the result of a task that has ended by then. */
export const settle = (state: InstanceState, now: number): InstanceState => {
  if (!state.task || state.task.endsAt > now) return state;
  const { kind, failsTo = courses[kind].to } = state.task;
  return { ...failsTo, task: null };
};

/** Computes an instance's state when a change begins. */
export type Change = (id: string, state: InstanceState, taskId: string, now: number) => InstanceState;

/**
 * Begins a change.
 *
 * @throws Failure 409 if a task is changing the instance, or its status does not allow it.
 */
export const begin =
  (kind: InstanceAction): Change =>
  (id, state, taskId, now) => {
    if (state.task) {
      throw new Failure(409, `Instance ${id} is held by task ${state.task.id} (${state.task.kind})`);
    }
    const { from, done, status = state.status, milliseconds } = courses[kind];
    if (!from.includes(state.status))
      throw new Failure(409, `Instance ${id} cannot be ${done} while it is ${state.status}`);
    return { ...state, status, task: { id: taskId, kind, endsAt: now + milliseconds } };
  };

/** Begins a stop as the interface defines it: a stopped instance stays as it is. @throws Failure 409 as `begin` */
export const stop: Change = (id, state, taskId, now) =>
  !state.task && state.status === 'SHUTOFF' ? state : begin('stop')(id, state, taskId, now);

/** A task's `task_state`. */
export const taskStateOf = ({ task: held }: InstanceState): string =>
  held === null ? '' : courses[held.kind].taskState;
