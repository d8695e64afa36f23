import type { RegionRef } from '../../../service/cloud.ts';
import type { ServiceClient } from '../../../service/client.ts';
import type { Inventory } from '../../../model/target.ts';
import { nameOfId } from '../../../command/inventory.ts';
import type { LookUp } from '../../../model/operation.ts';

/** Of the projects and regions that bellhop.yaml names: each is one call to the service. */
const mostPlaces = 6;

/** Instances of the service that bellhop.yaml does not list, as project/region/id: they have no labels. */
export const lookUpInstance: LookUp<ServiceClient> = {
  field: 'instance',
  listedBy: 'cloud.list',
  async find(typed, { service, inventory, correlationId }) {
    const found = await Promise.all(
      placesOf(inventory).map(async (place) => {
        const instances = await service.findInstances(place, typed, { correlationId });
        return instances.flatMap(({ id, name = '?', status = '?' }) =>
          id === undefined || nameOfId(inventory, id) !== undefined
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

/** Where the inventory is: the default place first. */
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
