import { operation, z } from '../../bellhop/bellhop.ts';
import {
  actionPreview,
  instanceInput,
  instanceMembers,
  instancePreview,
  instanceReport,
  instanceRuns,
  instanceSighting,
  instanceWatch,
  type InstanceContext,
} from './instance.ts';
import { instanceTasks } from './instance-tasks.ts';

/** `POST …/instances/{project}/{region}/{id}/reboot`; hard: `reboot_hard` of the extension instance-actions. */
export const reboot = operation({
  ...instanceMembers,
  name: 'cloud.reboot',
  synonyms: ['restart', 'reset', 'bounce'],
  summary: 'Reboot an instance.',
  actionLabelFor: ({ hard }) => (hard === true ? 'hard-reboot' : undefined),
  risk: 'destructive',
  input: instanceInput.extend({
    hard: z
      .boolean()
      .default(false)
      .describe('Power-cycles an unresponsive instance. Unsaved data is lost.')
      .meta({ extension: 'instance-actions' }),
  }),
  examples: [
    '/cloud reboot web-1 --reason "stuck since the deploy"',
    '/cloud reboot web-1 --hard --reason "unresponsive"',
    '/cloud reboot --each tier=web --pause 2m',
    '/cloud reboot 1186668/76/6c6aa80f-7836-4dc2-a2ae-125e248be476',
  ],
  effect: ({ hard }, { name }) =>
    hard ? `${name} will be power-cycled. Unsaved data is lost.` : `${name} will be down while it reboots.`,
  preview: ({ hard }, target) =>
    hard ? actionPreview(target, 'reboot_hard') : instancePreview(target, 'reboot'),
  run: ({ hard }, context: InstanceContext) =>
    hard
      ? context.service.actOnInstance(context.target, 'reboot_hard', context)
      : context.service.rebootInstance(context.target, context),
  report: (reply, { target, input: { hard } }) =>
    instanceReport(`Accepted: ${target.name} is ${hard ? 'being power cycled' : 'rebooting'}`, target, reply),
  watch: instanceWatch('active', { returns: true }),
  tasks: instanceTasks(({ hard }: { readonly hard: boolean }) => (hard ? 'reboot_hard' : 'reboot')),
  isRunning: instanceRuns,
  sighting: (before, now, target) =>
    instanceSighting(before, now, target, ({ status, task_state: task }) =>
      /reboot/iu.test(`${status} ${task}`) ? 'is rebooting' : undefined,
    ),
});
