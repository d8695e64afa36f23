import { operation } from '../../model/operation.ts';
import { actionMembers, instanceReport, instanceSighting, instanceWatch } from './instance/instance.ts';

/** `resume` of `POST …/v2/instances/{project}/{region}/{id}/action`. */
export const resume = operation({
  ...actionMembers('resume'),
  name: 'cloud.resume',
  summary: 'Resume a suspended instance.',
  risk: 'change',
  instead: 'Resume it in the control panel of the service.',
  examples: ['/cloud resume web-1'],
  report: (reply, { target }) => instanceReport(`Accepted: ${target.name} is being resumed`, target, reply),
  watch: instanceWatch('active'),
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (task === 'resuming') return 'is being resumed';
      return state === 'active' ? 'runs' : undefined;
    }),
});
