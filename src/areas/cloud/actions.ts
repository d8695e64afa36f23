import { type InstanceTarget, operation, quoteWord } from '../../bellhop/bellhop.ts';
import type { ChangedInstance } from './client/calls.ts';
import { instanceRuns } from './instance.ts';
import { instanceChange, instanceReport } from './instance-change.ts';

export const stop = operation({
  ...instanceChange('stop'),
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
  report: (reply, { target }) => instanceReport(stopText(target, reply.value), target, reply),
  isRunning: instanceRuns,
});

/** The service accepts a stop of a stopped instance and changes nothing. */
const stopText = ({ name }: InstanceTarget, { instance, tasks }: ChangedInstance): string =>
  instance?.vm_state === 'stopped' && instance.task_state === undefined && tasks.length === 0
    ? `${name} was already stopped`
    : `Accepted: ${name} is stopping`;

/** All changes through `POST …/v2/instances/{project}/{region}/{id}/action` share these parts. */
const byAction = (action: 'start' | 'suspend' | 'resume', does: string) =>
  ({
    ...instanceChange(action),
    extension: 'instance-actions',
    instead: `Or ${action} the instance in the provider's console.`,
    effect: (_input: unknown, { name }: InstanceTarget) => `${does} ${name}.`,
  }) as const;

export const startInstance = operation({
  ...byAction('start', 'Starts'),
  name: 'cloud.start',
  synonyms: ['boot', 'poweron', 'up'],
  summary: 'Start a stopped instance.',
  risk: 'change',
  examples: ['/cloud start web-1 --reason "the migration is over"'],
});

export const resume = operation({
  ...byAction('resume', 'Resumes'),
  name: 'cloud.resume',
  summary: 'Resume a suspended instance.',
  risk: 'change',
  examples: ['/cloud resume web-1'],
});

export const suspend = operation({
  ...byAction('suspend', 'Suspends'),
  name: 'cloud.suspend',
  summary: 'Suspend an instance, keeping its memory.',
  risk: 'destructive',
  examples: ['/cloud suspend web-1 --reason "keep it for forensics"'],
  effect: ({ instance }, { name }) =>
    `${name} will be down, with its memory kept, until someone resumes it: /cloud resume ${quoteWord(instance)}.`,
  isRunning: instanceRuns,
});
