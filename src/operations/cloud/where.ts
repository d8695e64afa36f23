import { z } from 'zod';

import type { ProjectTarget } from '../../core/model/target.ts';

const number = () => {
  const takes = 'takes a whole number, 0 or more';
  return z.number(takes).int(takes).nonnegative(takes).optional();
};

/** The options of every cloud operation: they override the defaults of `bellhop.yaml`. */
export const where = {
  project: number().describe('Project id, instead of the configured default.'),
  region: number().describe('Region id, instead of the configured default.'),
};

/** `Luxembourg-2 (76), project 1186668` */
export const regionText = ({
  project,
  region,
  regionName,
}: Pick<ProjectTarget, 'project' | 'region' | 'regionName'>): string =>
  `${regionName === undefined ? `region ${region}` : `${regionName} (${region})`}, project ${project}`;
