import type { ChangedInstance } from '../../service/cloud.ts';
import { quoteWord } from '../../text/words.ts';
import { type InstanceTarget, operation } from '../../bellhop/bellhop.ts';
import {
  instanceMembers,
  instancePreview,
  instanceReport,
  instanceRuns,
  instanceSighting,
  instanceWatch,
  type InstanceContext,
} from './instance.ts';
import { instanceTasks } from './instance-tasks.ts';

/** `POST …/instances/{project}/{region}/{id}/stop`. */
export const stop = operation({
  ...instanceMembers,
  name: 'cloud.stop',
  synonyms: ['shutdown', 'halt', 'poweroff', 'kill'],
  summary: 'Stop an instance.',
  risk: 'destructive',
  examples: [
    '/cloud stop web-1 --reason "replaced by web-2"',
    '/cloud stop 1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
  ],
  effect: ({ instance }, { name }, { extensions }) =>
    extensions.includes('instance-actions')
      ? `${name} will be down until someone starts it: /cloud start ${quoteWord(instance)}.`
      : `${name} will be down. Bellhop can't start it again; use the provider's console.`,
  preview: (_input, target) => instancePreview(target, 'stop'),
  run: (_input, context: InstanceContext) => context.service.stopInstance(context.target, context),
  report: (reply, { target }) => instanceReport(stopText(target, reply.value), target, reply),
  watch: instanceWatch('stopped'),
  tasks: instanceTasks(() => 'stop'),
  isRunning: instanceRuns,
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (state === 'stopped') return 'is stopped';
      return task === 'powering-off' ? 'is stopping' : undefined;
    }),
});

/** Stopping a stopped instance is accepted and changes nothing. */
const stopText = ({ name }: InstanceTarget, { instance, tasks }: ChangedInstance): string =>
  instance?.vm_state === 'stopped' && instance.task_state === undefined && tasks.length === 0
    ? `${name} was already stopped`
    : `Accepted: ${name} is stopping`;
