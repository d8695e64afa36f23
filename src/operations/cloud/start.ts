import { operation } from '../../core/model/operation.ts';
import {
  actionPreview,
  instanceMembers,
  instanceReport,
  instanceSighting,
  instanceWatch,
  type InstanceContext,
} from './instance/instance.ts';
import { instanceTasks } from './instance/instance-tasks.ts';

/** `start` of `POST …/v2/instances/{project}/{region}/{id}/action`. */
export const start = operation({
  ...instanceMembers,
  name: 'cloud.start',
  synonyms: ['boot', 'poweron', 'up'],
  summary: 'Start a stopped instance.',
  risk: 'change',
  extension: 'instance-actions',
  instead: 'Start it in the control panel of the service.',
  examples: ['/cloud start web-1 --reason "the migration is over"'],
  preview: (_input, target) => actionPreview(target, 'start'),
  run: (_input, context: InstanceContext) => context.service.actOnInstance(context.target, 'start', context),
  report: (reply, { target }) => instanceReport(`Accepted: ${target.name} is starting`, target, reply),
  watch: instanceWatch('active'),
  tasks: instanceTasks(() => 'start'),
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (task === 'powering-on') return 'is starting';
      return state === 'active' ? 'runs' : undefined;
    }),
});
