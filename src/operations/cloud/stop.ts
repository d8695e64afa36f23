import type { ChangedInstance } from '../../service/cloud.ts';
import { quoteWord } from '../../command/grammar/words.ts';
import { operation } from '../../model/operation.ts';
import type { Fact } from '../../model/report.ts';
import type { InstanceTarget } from '../../model/target.ts';
import {
  instanceMembers,
  instancePreview,
  instanceReport,
  instanceRuns,
  instanceSighting,
  instanceWatch,
  type InstanceContext,
} from './instance/instance.ts';
import { instanceTasks } from './instance/instance-tasks.ts';

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
  preview: ({ instance }, target, { extensions }) => [
    ...instancePreview(target, 'stop'),
    startAgain(instance, extensions.includes('instance-actions')),
  ],
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

/** Whoever stops an instance should know how it gets up again. */
const startAgain = (instance: string, canStart: boolean): Fact => ({
  label: 'Afterwards',
  isEffect: true,
  value: canStart
    ? `/cloud start ${quoteWord(instance)} starts it again.`
    : 'Bellhop cannot start it again: that goes in the control panel of the service.',
});

/** The service says yes to stopping what has stopped, and leaves it as it is. */
const stopText = ({ name }: InstanceTarget, { instance, tasks }: ChangedInstance): string =>
  instance?.vm_state === 'stopped' && instance.task_state === undefined && tasks.length === 0
    ? `${name} was stopped already`
    : `Accepted: ${name} is stopping`;
