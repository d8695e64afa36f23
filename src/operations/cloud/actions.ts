import { capitalized, quoteWord } from '../../text/words.ts';
import { type InstanceTarget, type Observation, operation, type z } from '../../bellhop/bellhop.ts';
import type { ChangedInstance } from '../../service/cloud.ts';
import type { Reply } from '../../service/errors/reply.ts';
import {
  actionPreview,
  instanceMembers,
  instanceReport,
  instanceRuns,
  instanceSighting,
  instanceWatch,
  type InstanceContext,
  type instanceInput,
} from './instance.ts';
import { instanceTasks } from './instance-tasks.ts';

type Input = z.output<typeof instanceInput>;

/** The task and the end state of an action, each with its wording. */
interface Course {
  readonly task: string;
  readonly goesOn: string;
  readonly state: 'active' | 'suspended';
  readonly isDone: string;
}

/** Common to the changes by `POST …/v2/instances/{project}/{region}/{id}/action`. */
const members = (action: 'start' | 'suspend' | 'resume', { task, goesOn, state, isDone }: Course) =>
  ({
    ...instanceMembers,
    extension: 'instance-actions',
    instead: `${capitalized(action)} it in the provider's console.`,
    effect: (_input: Input, { name }: InstanceTarget) => `${capitalized(action)}s ${name}.`,
    preview: (_input: Input, target: InstanceTarget) => actionPreview(target, action),
    run: (_input: Input, context: InstanceContext) =>
      context.service.actOnInstance(context.target, action, context),
    report: (reply: Reply<ChangedInstance>, { target }: { readonly target: InstanceTarget }) =>
      instanceReport(`Accepted: ${target.name} ${goesOn}`, target, reply),
    watch: instanceWatch(state),
    tasks: instanceTasks(() => action),
    sighting: (before: Observation | undefined, now: Observation, target: InstanceTarget) =>
      instanceSighting(before, now, target, (seen) => {
        if (seen['task_state'] === task) return goesOn;
        return seen['vm_state'] === state ? isDone : undefined;
      }),
  }) as const;

export const startInstance = operation({
  ...members('start', { task: 'powering-on', goesOn: 'is starting', state: 'active', isDone: 'is running' }),
  name: 'cloud.start',
  synonyms: ['boot', 'poweron', 'up'],
  summary: 'Start a stopped instance.',
  risk: 'change',
  examples: ['/cloud start web-1 --reason "the migration is over"'],
});

export const resume = operation({
  ...members('resume', {
    task: 'resuming',
    goesOn: 'is being resumed',
    state: 'active',
    isDone: 'is running',
  }),
  name: 'cloud.resume',
  summary: 'Resume a suspended instance.',
  risk: 'change',
  examples: ['/cloud resume web-1'],
});

export const suspend = operation({
  ...members('suspend', {
    task: 'suspending',
    goesOn: 'is being suspended',
    state: 'suspended',
    isDone: 'is suspended',
  }),
  name: 'cloud.suspend',
  summary: 'Suspend an instance, keeping its memory.',
  risk: 'destructive',
  examples: ['/cloud suspend web-1 --reason "keep it for forensics"'],
  effect: ({ instance }, { name }) =>
    `${name} will be down, with its memory kept, until someone resumes it: /cloud resume ${quoteWord(instance)}.`,
  isRunning: instanceRuns,
});
