import type { z } from 'zod';

import { quoteWord } from '../../command/grammar/words.ts';
import { operation, type Observation } from '../../model/operation.ts';
import type { InstanceTarget } from '../../model/target.ts';
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
} from './instance/instance.ts';
import { instanceTasks } from './instance/instance-tasks.ts';

type Input = z.output<typeof instanceInput>;

/** What an action leads to: the task in which it goes on and the state in which it is done, each with its words. */
interface Course {
  readonly task: string;
  readonly goesOn: string;
  readonly state: 'active' | 'suspended';
  readonly isDone: string;
}

/** What a change by `POST …/v2/instances/{project}/{region}/{id}/action` has, beside its words. */
const members = (action: 'start' | 'suspend' | 'resume', { task, goesOn, state, isDone }: Course) =>
  ({
    ...instanceMembers,
    extension: 'instance-actions',
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
  ...members('start', { task: 'powering-on', goesOn: 'is starting', state: 'active', isDone: 'runs' }),
  name: 'cloud.start',
  synonyms: ['boot', 'poweron', 'up'],
  summary: 'Start a stopped instance.',
  risk: 'change',
  instead: 'Start it in the control panel of the service.',
  examples: ['/cloud start web-1 --reason "the migration is over"'],
});

export const resume = operation({
  ...members('resume', { task: 'resuming', goesOn: 'is being resumed', state: 'active', isDone: 'runs' }),
  name: 'cloud.resume',
  summary: 'Resume a suspended instance.',
  risk: 'change',
  instead: 'Resume it in the control panel of the service.',
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
  summary: 'Suspend an instance: its memory is kept, it does not run.',
  risk: 'destructive',
  instead: 'Suspend it in the control panel of the service.',
  examples: ['/cloud suspend web-1 --reason "kept for the forensics"'],
  preview: ({ instance }, target) => [
    ...actionPreview(target, 'suspend'),
    { label: 'Afterwards', value: `/cloud resume ${quoteWord(instance)} lets it run again.`, isEffect: true },
  ],
  isRunning: instanceRuns,
});
