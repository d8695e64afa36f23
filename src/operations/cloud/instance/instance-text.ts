import type { InstanceRead } from '../../../api/schemas/instance.ts';
import type { ProjectTarget } from '../../../core/model/target.ts';

/** `Luxembourg-2 (76), project 1186668` */
export const regionText = ({
  project,
  region,
  regionName,
}: Pick<ProjectTarget, 'project' | 'region' | 'regionName'>): string =>
  `${regionName === undefined ? `region ${region}` : `${regionName} (${region})`}, project ${project}`;

/** Those reachable from outside first. */
export const addressesOf = ({ fixed_ip_assignments: assigned = [] }: InstanceRead): readonly string[] =>
  assigned
    .toSorted((one, other) => Number(other.external ?? false) - Number(one.external ?? false))
    .flatMap(({ ip_address: address }) => address ?? []);
