import {
  type FormContext,
  type InstanceTarget,
  type Inventory,
  isNotFound,
  type LookUp,
  nameOf,
  nameOfId,
  type Observation,
  type RunContext,
  z,
} from '../../bellhop/bellhop.ts';
import type { RegionRef } from './client/calls.ts';
import type { CloudClient } from './client/calls.ts';
import type { InstanceRead } from './client/instance.ts';
import { where } from './parts.ts';

export const instanceInput = z.strictObject({
  instance: nameOf('a name or project/region/id', { most: 200 })
    .describe('Instance name from bellhop.yaml, or project/region/id.')
    .meta({ positional: true, target: 'instance', placeholder: 'web-1' }),
  ...where,
});

/** @throws if the instance cannot be read */
async function observeInstance(context: RunContext<InstanceTarget, CloudClient>): Promise<Observation> {
  const { value } = await context.service.readInstance(context.target, context);
  return observation(value);
}

/** Whether the service has this instance in this project and region. Undefined if the service does not answer. */
async function isKnownInstance(
  target: InstanceTarget,
  { service, correlationId }: FormContext<CloudClient>,
): Promise<boolean | undefined> {
  try {
    await service.readInstance(target, { correlationId });
    return true;
  } catch (error) {
    return isNotFound(error) ? false : undefined;
  }
}

/** At most this many projects and regions in bellhop.yaml are searched, because each takes a call to the service. */
const maxPlaces = 6;

/** Finds instances that are not in bellhop.yaml, as project/region/id, without labels. */
const lookUpInstance: LookUp<CloudClient> = {
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

function placesOf({ project, region, regions, instances }: Inventory): readonly RegionRef[] {
  const regionsOfDefault = Object.keys(regions).map((id) => ({ project, region: Number(id) }));
  const places = new Map<string, RegionRef>();
  for (const at of [{ project, region }, ...regionsOfDefault, ...Object.values(instances)]) {
    const place = { project: at.project ?? project, region: at.region ?? region };
    if (place.project === undefined || place.region === undefined || places.size >= maxPlaces) continue;
    places.set(`${place.project}/${place.region}`, { project: place.project, region: place.region });
  }
  return [...places.values()];
}

export const instanceMembers = {
  input: instanceInput,
  lookUp: lookUpInstance,
  isKnown: isKnownInstance,
  looksWith: 'instance-read',
  observe: observeInstance,
} as const;

export const observation = (instance: InstanceRead): Observation => ({
  status: instance.status ?? '',
  vm_state: instance.vm_state ?? '',
  task_state: instance.task_state ?? '',
  task_id: instance.task_id ?? '',
});

/** Whether the instance runs and no task is about to change that. @throws if the instance cannot be read */
export async function instanceRuns(
  target: InstanceTarget,
  { service, correlationId }: FormContext<CloudClient>,
): Promise<boolean> {
  const { value } = await service.readInstance(target, { correlationId });
  return value.status === 'ACTIVE' && value.vm_state === 'active' && !value.task_state;
}
