import type { ChangedInstance } from '../../api/cloud.ts';
import { findInstance } from '../../core/model/inventory.ts';
import { operation } from '../../core/model/operation.ts';
import type { InstanceTarget } from '../../core/model/target.ts';
import {
  instanceInput,
  instancePreview,
  instanceReport,
  instanceRuns,
  instanceSighting,
  observeInstance,
  type InstanceContext,
} from './instance.ts';

/** `POST …/instances/{project}/{region}/{id}/stop`. */
export const stop = operation({
  name: 'cloud.stop',
  summary: 'Stop an instance.',
  risk: 'destructive',
  input: instanceInput,
  examples: [
    '/cloud stop web-1 --reason "replaced by web-2"',
    '/cloud stop 1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
  ],
  suggest: (field, inventory) => (field === 'instance' ? Object.keys(inventory.instances) : []),
  target: (input, inventory) => findInstance(inventory, input.instance, input),
  preview: (_input, target) => instancePreview(target, 'stop'),
  run: (_input, context: InstanceContext) => context.service.stopInstance(context.target, context),
  report: (reply, { target }) => instanceReport(stopText(target, reply.value), target, reply),
  isRunning: instanceRuns,
  observe: observeInstance,
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ vm_state: state, task_state: task }) => {
      if (state === 'stopped') return 'is stopped';
      return task === 'powering-off' ? 'is stopping' : undefined;
    }),
});

/** The service says yes to stopping what has stopped, and leaves it as it is. */
const stopText = ({ name }: InstanceTarget, { instance, tasks }: ChangedInstance): string =>
  instance?.vm_state === 'stopped' && instance.task_state === undefined && tasks.length === 0
    ? `${name} was stopped already`
    : `Accepted: ${name} is stopping`;
