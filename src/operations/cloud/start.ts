import { operation } from '../../model/operation.ts';
import { actionMembers, instanceReport, instanceSighting, instanceWatch } from './instance/instance.ts';

/** `start` of `POST …/v2/instances/{project}/{region}/{id}/action`. */
export const startInstance = operation({
  ...actionMembers('start'),
  name: 'cloud.start',
  synonyms: ['boot', 'poweron', 'up'],
  summary: 'Start a stopped instance.',
  risk: 'change',
  instead: 'Start it in the control panel of the service.',
  examples: ['/cloud start web-1 --reason "the migration is over"'],
  report: (reply, { target }) => instanceReport(`Accepted: ${target.name} is starting`, target, reply),
  watch: instanceWatch('active'),
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (task === 'powering-on') return 'is starting';
      return state === 'active' ? 'runs' : undefined;
    }),
});
