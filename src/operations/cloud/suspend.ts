import { quoteWord } from '../../command/grammar/words.ts';
import { operation } from '../../model/operation.ts';
import {
  actionMembers,
  actionPreview,
  instanceReport,
  instanceRuns,
  instanceSighting,
  instanceWatch,
} from './instance/instance.ts';

/** `suspend` of `POST …/v2/instances/{project}/{region}/{id}/action`. */
export const suspend = operation({
  ...actionMembers('suspend'),
  name: 'cloud.suspend',
  summary: 'Suspend an instance: its memory is kept, it does not run.',
  risk: 'destructive',
  instead: 'Suspend it in the control panel of the service.',
  examples: ['/cloud suspend web-1 --reason "kept for the forensics"'],
  preview: ({ instance }, target) => [
    ...actionPreview(target, 'suspend'),
    { label: 'Afterwards', value: `/cloud resume ${quoteWord(instance)} lets it run again.`, isEffect: true },
  ],
  report: (reply, { target }) => instanceReport(`Accepted: ${target.name} is being suspended`, target, reply),
  isRunning: instanceRuns,
  watch: instanceWatch('suspended'),
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (task === 'suspending') return 'is being suspended';
      return state === 'suspended' ? 'is suspended' : undefined;
    }),
});
