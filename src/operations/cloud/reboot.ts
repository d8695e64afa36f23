import { findInstance } from '../../core/model/inventory.ts';
import { operation } from '../../core/model/operation.ts';
import {
  instanceInput,
  instancePreview,
  instanceReport,
  instanceRuns,
  instanceSighting,
  observeInstance,
  type InstanceContext,
} from './instance.ts';

/** `POST …/instances/{project}/{region}/{id}/reboot`. */
export const reboot = operation({
  name: 'cloud.reboot',
  summary: 'Reboot an instance.',
  risk: 'destructive',
  input: instanceInput,
  examples: [
    '/cloud reboot web-1 --reason "stuck since the deploy"',
    '/cloud reboot 1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
  ],
  suggest: (field, inventory) => (field === 'instance' ? Object.keys(inventory.instances) : []),
  target: (input, inventory) => findInstance(inventory, input.instance, input),
  preview: (_input, target) => instancePreview(target, 'reboot'),
  run: (_input, context: InstanceContext) => context.service.rebootInstance(context.target, context),
  report: (reply, { target }) => instanceReport(`Accepted: ${target.name} is rebooting`, target, reply),
  isRunning: instanceRuns,
  observe: observeInstance,
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ status, task_state: task }) =>
      /reboot/iu.test(`${status} ${task}`) ? 'is rebooting' : undefined,
    ),
});
