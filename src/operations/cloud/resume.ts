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

/** `resume` of `POST …/v2/instances/{project}/{region}/{id}/action`. */
export const resume = operation({
  ...instanceMembers,
  name: 'cloud.resume',
  summary: 'Resume a suspended instance.',
  risk: 'change',
  extension: 'instance-actions',
  instead: 'Resume it in the control panel of the service.',
  examples: ['/cloud resume web-1'],
  preview: (_input, target) => actionPreview(target, 'resume'),
  run: (_input, context: InstanceContext) => context.service.actOnInstance(context.target, 'resume', context),
  report: (reply, { target }) => instanceReport(`Accepted: ${target.name} is being resumed`, target, reply),
  watch: instanceWatch('active'),
  tasks: instanceTasks(() => 'resume'),
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (task === 'resuming') return 'is being resumed';
      return state === 'active' ? 'runs' : undefined;
    }),
});
