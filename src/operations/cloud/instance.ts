import type { ChangedInstance, RegionRef } from '../../service/cloud.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Reply } from '../../service/errors/reply.ts';
import type { InstanceAction } from '../../service/schemas/instance.ts';
import {
  type ChangeWatch,
  type Fact,
  type FormContext,
  type InstanceTarget,
  type Inventory,
  type LookUp,
  type Observation,
  type ReportParts,
  type RunContext,
  z,
} from '../../bellhop/bellhop.ts';
import { nameOf } from '../parts/input.ts';
import { isNotFound } from '../parts/report-parts.ts';
import { statusText, where } from './parts.ts';
import { nameOfId } from '../../text/ids.ts';

/** The input of every change of an instance. */
export const instanceInput = z.strictObject({
  instance: nameOf('a name or project/region/id', { most: 200, asked: 'needs an instance' })
    .describe('Instance name from bellhop.yaml, or project/region/id.')
    .meta({ positional: true, target: 'instance', placeholder: 'web-1' }),
  ...where,
});

export type InstanceContext = RunContext<InstanceTarget, ServiceClient>;

/** The request that will be sent. */
export const instancePreview = (target: InstanceTarget, action: 'reboot' | 'stop'): readonly Fact[] => [
  {
    label: 'Sends',
    value: `POST /cloud/v1/instances/${target.project}/${target.region}/${target.id}/${action}`,
  },
];

/** The same for an action of the extension instance-actions. */
export const actionPreview = (
  { project, region, id }: InstanceTarget,
  action: InstanceAction,
): readonly Fact[] => [
  {
    label: 'Sends',
    value: `POST /cloud/v2/instances/${project}/${region}/${id}/action {"action":"${action}"}`,
  },
];

/** The service's answer, status first. The title says if the service accepted a change of a broken instance. */
export function instanceReport(
  title: string,
  { name }: InstanceTarget,
  { value, problems }: Reply<ChangedInstance>,
): ReportParts {
  const { instance, tasks } = value;
  const broken = [instance?.status, instance?.vm_state].some((state) => state?.toUpperCase() === 'ERROR');
  return {
    title: broken ? `Accepted, but ${name} is in ERROR. Check it.` : title,
    tone: broken ? 'bad' : 'good',
    facts: [
      ...(instance === undefined ? [] : instanceFacts(instance)),
      ...(tasks.length === 0 ? [] : [{ label: 'Task', value: tasks.join(', ') }]),
    ],
    notes: problems.map((problem) => `Unreadable in the reply: ${problem}`),
  };
}

type Instance = NonNullable<ChangedInstance['instance']>;

const instanceFacts = (instance: Instance): readonly Fact[] => [
  { label: 'Status', value: statusText(instance.status ?? 'not given') },
  { label: 'VM state', value: statusText(instance.vm_state ?? 'not given') },
  { label: 'Task state', value: instance.task_state ?? 'idle' },
];

/** The parts of an instance that a change affects. @throws if it cannot be read */
async function observeInstance(context: InstanceContext): Promise<Observation> {
  const { value } = await context.service.readInstance(context.target, context);
  return observation(value);
}

/** Whether the service has an instance with this id in this project and region. Undefined if it does not answer. */
async function isKnownInstance(
  target: InstanceTarget,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<boolean | undefined> {
  try {
    await service.readInstance(target, { correlationId });
    return true;
  } catch (error) {
    return isNotFound(error) ? false : undefined;
  }
}

/** Most projects and regions of bellhop.yaml that are searched; each is one call to the service. */
const mostPlaces = 6;

/** Instances that are not in bellhop.yaml, as project/region/id, without labels. */
const lookUpInstance: LookUp<ServiceClient> = {
  field: 'instance',
  listedBy: 'cloud.list',
  async find(typed, { service, inventory, correlationId }) {
    const found = await Promise.all(
      placesOf(inventory).map(async (place) => {
        const instances = await service.findInstances(place, typed, { correlationId });
        return instances.flatMap(({ id, name = '?', status = '?' }) =>
          id === undefined || nameOfId(inventory.instances, id) !== undefined
            ? []
            : [
                {
                  name: `${place.project}/${place.region}/${id}`,
                  title: name,
                  about: `${status} · not in bellhop.yaml`,
                },
              ],
        );
      }),
    );
    return found.flat();
  },
};

/** The places of the inventory, the default one first. */
function placesOf({ project, region, regions, instances }: Inventory): readonly RegionRef[] {
  const regionsOfDefault = Object.keys(regions).map((id) => ({ project, region: Number(id) }));
  const places = new Map<string, RegionRef>();
  for (const at of [{ project, region }, ...regionsOfDefault, ...Object.values(instances)]) {
    const place = { project: at.project ?? project, region: at.region ?? region };
    if (place.project === undefined || place.region === undefined || places.size >= mostPlaces) continue;
    places.set(`${place.project}/${place.region}`, { project: place.project, region: place.region });
  }
  return [...places.values()];
}

/** Common to all changes of an instance. */
export const instanceMembers = {
  input: instanceInput,
  lookUp: lookUpInstance,
  isKnown: isKnownInstance,
  looksWith: 'instance-read',
  observe: observeInstance,
} as const;

const observation = (instance: Instance): Observation => ({
  status: instance.status ?? '',
  vm_state: instance.vm_state ?? '',
  task_state: instance.task_state ?? '',
  task_id: instance.task_id ?? '',
});

/** Whether the instance runs and no task is about to change that. @throws if it cannot be read */
export async function instanceRuns(
  target: InstanceTarget,
  { service, correlationId }: FormContext<ServiceClient>,
): Promise<boolean> {
  const { value } = await service.readInstance(target, { correlationId });
  return value.status === 'ACTIVE' && value.vm_state === 'active' && !value.task_state;
}

/**
 * The instance after an unknown outcome, compared with its state before. A difference may be someone else's work.
 * @param leadsTo describes a state that the change leads to; undefined for other states
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
      ? `${name} ${came}, caused by this request or by someone else`
      : was === is
        ? `${name} is still ${is}`
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
export const instanceWatch = (
  end: keyof typeof ends,
  { returns = false } = {},
): ChangeWatch<Reply<ChangedInstance>> => ({
  returns,
  answered: ({ value: { instance } }) => instance && observation(instance),
  progress(seen) {
    const { status = '', vm_state: state = '', task_state: task } = seen;
    if ([status, state].some((each) => each.toUpperCase() === 'ERROR')) return 'broken';
    const steady = task === undefined || task === '';
    return steady && state === end && !/reboot/iu.test(status) ? 'there' : 'on its way';
  },
  there: ({ name }) => ends[end](name),
  words: stateWords,
});

/** The state in words, without repetition: `ACTIVE`, `REBOOT, active, rebooting`. */
const stateWords = ({ status = '', vm_state: state = '', task_state: task = '' }: Observation): string =>
  [status, state.toLowerCase() === status.toLowerCase() ? '' : state, task]
    .filter((word) => word !== '')
    .join(', ');
