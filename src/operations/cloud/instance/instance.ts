import { z } from 'zod';

import type { ChangedInstance } from '../../../service/cloud.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { Reply } from '../../../service/errors/reply.ts';
import type { InstanceAction } from '../../../service/schemas/instance.ts';
import { BellhopError, ServiceError } from '../../../model/errors.ts';
import { findInstance } from '../../../command/inventory.ts';
import type { Inventory, InstanceTarget } from '../../../model/target.ts';
import type { ChangeWatch, FormContext, Observation, RunContext } from '../../../model/operation.ts';
import type { Fact, ReportParts } from '../../../model/report.ts';
import { lookUpInstance } from './look-up-instance.ts';
import { statusText } from './instance-text.ts';
import { where } from './options.ts';

/** What every change of an instance takes. */
export const instanceInput = z.strictObject({
  instance: z
    .string()
    .trim()
    .min(1, 'name an instance')
    .max(200, 'that is too long for a name or project/region/id')
    .describe('A name of the inventory, or project/region/id.')
    .meta({ positional: true, placeholder: 'web-1' }),
  ...where,
});

export type InstanceContext = RunContext<InstanceTarget, ServiceClient>;

/** What will be sent, word for word. */
export const instancePreview = (target: InstanceTarget, action: 'reboot' | 'stop'): readonly Fact[] => [
  {
    label: 'Sends',
    value: `POST /cloud/v1/instances/${target.project}/${target.region}/${target.id}/${action}`,
  },
];

/** The same of an action of the extension instance-actions. */
export const actionPreview = (
  { project, region, id }: InstanceTarget,
  action: InstanceAction,
): readonly Fact[] => [
  {
    label: 'Sends',
    value: `POST /cloud/v2/instances/${project}/${region}/${id}/action {"action":"${action}"}`,
  },
];

/** What the service answered, status first. It may take a change of an instance that is broken: then the title says so. */
export function instanceReport(
  title: string,
  { name }: InstanceTarget,
  { value, problems }: Reply<ChangedInstance>,
): ReportParts {
  const { instance, tasks } = value;
  const broken = [instance?.status, instance?.vm_state].some((state) => state?.toUpperCase() === 'ERROR');
  return {
    title: broken ? `Accepted, but the service says that ${name} is in ERROR: look at ${name} itself` : title,
    tone: broken ? 'bad' : 'good',
    facts: [
      ...(instance === undefined ? [] : instanceFacts(instance)),
      ...(tasks.length === 0 ? [] : [{ label: 'Task', value: tasks.join(', ') }]),
    ],
    notes: problems.map((problem) => `Could not be read from the reply: ${problem}`),
  };
}

type Instance = NonNullable<ChangedInstance['instance']>;

const instanceFacts = (instance: Instance): readonly Fact[] => [
  { label: 'Status', value: statusText(instance.status ?? 'not given') },
  { label: 'VM state', value: statusText(instance.vm_state ?? 'not given') },
  { label: 'Task state', value: instance.task_state ?? 'idle' },
];

/** The parts of an instance in which a change of it shows. Undefined where it cannot be read. */
async function observeInstance(context: InstanceContext): Promise<Observation | undefined> {
  try {
    const { value } = await context.service.readInstance(context.target, context);
    return observation(value);
  } catch {
    // Looking is a courtesy: a change does not depend on it.
    return undefined;
  }
}

/** Whether the service has an instance of this id where it is said to be. Undefined where it does not say. */
async function isKnownInstance(
  target: InstanceTarget,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<boolean | undefined> {
  try {
    await service.readInstance(target, { correlationId });
    return true;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return error instanceof ServiceError && error.status === 404 ? false : undefined;
  }
}

/** What all changes of an instance have in common. */
export const instanceMembers = {
  input: instanceInput,
  suggest: (field: string, inventory: Inventory) =>
    field === 'instance' ? Object.keys(inventory.instances) : [],
  target: (input: z.output<typeof instanceInput>, inventory: Inventory) =>
    findInstance(inventory, input.instance, input),
  lookUp: lookUpInstance,
  isKnown: isKnownInstance,
  observe: observeInstance,
} as const;

const observation = (instance: Instance): Observation => ({
  status: instance.status ?? '',
  vm_state: instance.vm_state ?? '',
  task_state: instance.task_state ?? '',
  task_id: instance.task_id ?? '',
});

/** Running and staying so: no task is about to change it. Undefined where it cannot be read. */
export async function instanceRuns(
  target: InstanceTarget,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<boolean | undefined> {
  try {
    const { value } = await service.readInstance(target, { correlationId });
    return value.status === 'ACTIVE' && value.vm_state === 'active' && !value.task_state;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return undefined;
  }
}

/**
 * An instance as it is seen after an outcome got lost, beside what it was. Only a difference is worth a word, and even that
 * may be somebody else's doing. @param leadsTo what the change comes to, in words, where a look shows that
 */
export function instanceSighting(
  before: Observation | undefined,
  now: Observation,
  { name }: InstanceTarget,
  leadsTo: (seen: Observation) => string | undefined,
): ReportParts {
  const came = leadsTo(now);
  const already = before !== undefined && leadsTo(before) === came && before['task_id'] === now['task_id'];
  const [was, is] = [before && stateWords(before), stateWords(now)];
  const title =
    came !== undefined && !already
      ? `${name} ${came}, by this request or by somebody else`
      : was === is
        ? `${name} looks as before: ${is}`
        : `${name} is ${is}`;
  return {
    title,
    tone: 'unsure',
    facts: [
      { label: 'State before the request', value: was ?? 'not known' },
      { label: 'State now', value: is },
    ],
    notes: ["The current state doesn't show who changed it, so the outcome stays unknown."],
  };
}

const ends = {
  active: (name: string) => `${name} is up`,
  stopped: (name: string) => `${name} is off`,
  suspended: (name: string) => `${name} is suspended`,
} as const;

/** A change that leaves an instance in this VM state. */
export const instanceWatch = (end: keyof typeof ends, { returns = false } = {}): ChangeWatch => ({
  returns,
  progress(seen) {
    const { status = '', vm_state: state = '', task_state: task } = seen;
    if ([status, state].some((each) => each.toUpperCase() === 'ERROR')) return 'broken';
    const steady = task === undefined || task === '';
    return steady && state === end && !/reboot/iu.test(status) ? 'there' : 'on its way';
  },
  there: ({ name }) => ends[end](name),
  words: stateWords,
});

/** The state in words, none of them twice: `ACTIVE`, `REBOOT, active, rebooting`. */
const stateWords = ({ status = '', vm_state: state = '', task_state: task = '' }: Observation): string =>
  [status, state.toLowerCase() === status.toLowerCase() ? '' : state, task]
    .filter((word) => word !== '')
    .join(', ');
