import { z } from 'zod';

import type { ProjectTarget } from '../../../model/target.ts';
import { numberOption } from '../../parts/input.ts';

/** The options of every cloud operation: they override the defaults of `bellhop.yaml`. */
export const where = {
  project: numberOption().describe('Project id, instead of the configured default.'),
  region: numberOption().describe('Region id, instead of the configured default.'),
};

/** A word to search a list for. */
export const searchOption = (placeholder: string) =>
  z
    .string()
    .trim()
    .min(1, 'say what to search for, or leave it out')
    .max(255, 'that is too long to search for')
    .optional()
    .meta({ positional: true, placeholder });

/** The only status that a list shows. */
export const statusOption = (examples: string) =>
  z
    .string()
    .trim()
    .min(1, 'needs a value')
    .max(40, 'that is too long for a status')
    .optional()
    .describe(`Only with this status, such as ${examples}.`);

/** `Luxembourg-2 (76), project 1186668` */
export const regionText = ({
  project,
  region,
  regionName,
}: Pick<ProjectTarget, 'project' | 'region' | 'regionName'>): string =>
  `${regionName === undefined ? `region ${region}` : `${regionName} (${region})`}, project ${project}`;
