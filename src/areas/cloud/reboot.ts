import { operation, z } from '../../bellhop/bellhop.ts';
import { instanceInput, instanceRuns } from './instance.ts';
import { instanceChange } from './instance-change.ts';

/** A hard reboot is `reboot_hard` of the extension instance-actions. */
export const reboot = operation({
  ...instanceChange('reboot', ({ hard }: { readonly hard: boolean }) => (hard ? 'reboot_hard' : 'reboot')),
  name: 'cloud.reboot',
  synonyms: ['restart', 'reset', 'bounce'],
  summary: 'Reboot an instance.',
  actionLabelFor: ({ hard }) => (hard === true ? 'hard-reboot' : undefined),
  risk: 'destructive',
  input: instanceInput.extend({
    hard: z
      .boolean()
      .default(false)
      .describe('Power-cycle an unresponsive instance. Unsaved data may be lost.')
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
  isRunning: instanceRuns,
});
