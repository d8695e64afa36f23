import {
  type ChangeWatch,
  type Fact,
  givenFacts,
  type InstanceTarget,
  type Observation,
  type ReportParts,
  type RunContext,
} from '../../bellhop/bellhop.ts';
import {
  type ChangedInstance,
  changeOf,
  type CloudClient,
  type ServiceReply,
  replyNotes,
} from './client/calls.ts';
import type { InstanceAction } from './client/instance.ts';
import { instanceMembers, observation } from './instance.ts';
import { instanceTasks } from './instance-tasks.ts';
import { isBroken, statusText } from './parts.ts';

const ends = {
  active: { there: 'is up', isDone: 'is running' },
  stopped: { there: 'is off', isDone: 'is stopped' },
  suspended: { there: 'is suspended', isDone: 'is suspended' },
} as const;

interface Course {
  readonly done: string;
  /** The service's name for the state during the change. Undefined if the end state is also the state before. */
  readonly task?: string;
  readonly goesOn: string;
  readonly end: keyof typeof ends;
}

const courses: Readonly<Record<InstanceAction, Course>> = {
  reboot: { done: 'rebooted', goesOn: 'is rebooting', end: 'active' },
  reboot_hard: { done: 'rebooted', goesOn: 'is being power-cycled', end: 'active' },
  start: { done: 'started', task: 'powering-on', goesOn: 'is starting', end: 'active' },
  stop: { done: 'stopped', task: 'powering-off', goesOn: 'is stopping', end: 'stopped' },
  suspend: { done: 'suspended', task: 'suspending', goesOn: 'is being suspended', end: 'suspended' },
  resume: { done: 'resumed', task: 'resuming', goesOn: 'is being resumed', end: 'active' },
};

type Changed = ServiceReply<ChangedInstance>;

/** Declares what every change of an instance has in common. @param actionOf returns the action, if the input decides it */
export const instanceChange = <Input>(
  usual: InstanceAction,
  actionOf: (input: Input) => InstanceAction = () => usual,
) => ({
  ...instanceMembers,
  doneWord: courses[usual].done,
  preview: (input: Input, target: InstanceTarget): readonly Fact[] => {
    const { endpoint, path, body } = changeOf(target, actionOf(input));
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
    return [{ label: 'Sends', value: `${endpoint.method} ${path}${sent}`, isCall: true }];
  },
  run: (input: Input, context: RunContext<InstanceTarget, CloudClient>) =>
    context.service.changeInstance(context.target, actionOf(input), context),
  report: (reply: Changed, { target, input }: { readonly target: InstanceTarget; readonly input: Input }) =>
    instanceReport(`Accepted: ${target.name} ${courses[actionOf(input)].goesOn}`, target, reply),
  watch: watchOf(courses[usual]),
  tasks: instanceTasks(actionOf),
  sighting: (before: Observation | undefined, now: Observation, target: InstanceTarget) =>
    sightingOf(courses[usual], before, now, target),
});

/** Shows the service's answer, status first. The title says if the service accepted a change of a broken instance. */
export function instanceReport(
  title: string,
  { name }: InstanceTarget,
  { value: { instance, tasks }, problems }: Changed,
): ReportParts {
  const broken = instance !== undefined && isBroken(instance);
  return {
    title: broken ? `Accepted, but ${name} is in ERROR. Check it.` : title,
    tone: broken ? 'bad' : 'good',
    facts: givenFacts([
      ['Status', instance && statusText(instance.status ?? 'not given')],
      ['VM state', instance && statusText(instance.vm_state ?? 'not given')],
      ['Task state', instance && (instance.task_state ?? 'idle')],
      ['Task', tasks.join(', ')],
    ]),
    notes: replyNotes({ problems }),
  };
}

const watchOf = ({ task: taskName, end }: Course): ChangeWatch<Changed> => ({
  returns: taskName === undefined,
  answered: ({ value: { instance } }) => instance && observation(instance),
  progress(seen) {
    const { status = '', vm_state: state = '', task_state: task } = seen;
    if (isBroken(seen)) return 'broken';
    const steady = task === undefined || task === '';
    return steady && state === end && !/reboot/iu.test(status) ? 'there' : 'on its way';
  },
  there: ({ name }) => `${name} ${ends[end].there}`,
  words: stateWords,
});

/** Compares the instance after an unknown outcome with its earlier state. A difference may be someone else's work. */
function sightingOf(
  course: Course,
  before: Observation | undefined,
  now: Observation,
  { name }: InstanceTarget,
): ReportParts {
  const came = ledTo(course, now);
  const already =
    before !== undefined && ledTo(course, before) === came && before['task_id'] === now['task_id'];
  const [was, is] = [before && stateWords(before), stateWords(now)];
  const title =
    came !== undefined && !already
      ? `${name} ${came}. That may be this request or someone else's change`
      : was !== is
        ? `${name} is ${is}`
        : course.task === undefined && came === undefined && now['vm_state'] === course.end
          ? `${name} is ${is}, as it was before, so this does not show whether it ran. Its uptime does`
          : `${name} is still ${is}`;
  return {
    title,
    tone: 'unsure',
    facts: [
      { label: 'State before the request', value: was ?? 'not known' },
      { label: 'State now', value: is },
    ],
    notes: ["The current state doesn't show who changed it, so the outcome stays unknown."],
  };
}

function ledTo({ task, goesOn, end }: Course, seen: Observation): string | undefined {
  const { status, vm_state: state, task_state: now } = seen;
  if (task === undefined) return /reboot/iu.test(`${status} ${now}`) ? goesOn : undefined;
  if (now === task) return goesOn;
  return state === end ? ends[end].isDone : undefined;
}

/** Returns the state in words, without repetition: `ACTIVE`, `REBOOT, active, rebooting`. */
const stateWords = ({ status = '', vm_state: state = '', task_state: task = '' }: Observation): string =>
  [status, state.toLowerCase() === status.toLowerCase() ? '' : state, task]
    .filter((word) => word !== '')
    .join(', ');
