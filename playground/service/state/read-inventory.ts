import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { defaultInventory, type LocalInventory, type Located, seededProject } from './inventory.ts';

const labels = z.record(z.string(), z.coerce.string()).optional().catch(undefined);
const place = { project: z.int().optional(), region: z.int().optional(), labels };

/** The keys of bellhop.yaml that list instances and containers. The bot checks everything else. */
const bellhopFile = z
  .looseObject({
    project: z.int().optional(),
    region: z.int().optional(),
    regions: z.record(z.string(), z.string()).optional(),
    instances: z.record(z.string(), z.looseObject({ id: z.string(), ...place })).nullish(),
    containers: z.record(z.string(), z.looseObject(place).nullable()).nullish(),
  })
  .nullable();

type Place = { project?: number | undefined; region?: number | undefined; labels?: Located['labels'] } | null;

/**
 * Reads instances and containers from the text of a bellhop.yaml.
 *
 * @throws Error if the text is not YAML or one of these keys is invalid.
 */
export const parseInventory = (text: string): LocalInventory => {
  const file = bellhopFile.parse(parse(text)) ?? {};
  const located = (given: Place): Located => {
    const region = given?.region ?? file.region ?? 76;
    return {
      project: given?.project ?? file.project ?? seededProject,
      region,
      regionName: file.regions?.[String(region)],
      labels: given?.labels,
    };
  };
  const instances = Object.entries(file.instances ?? {});
  const containers = Object.entries(file.containers ?? {});
  return {
    instances: Object.fromEntries(
      instances.map(([name, given]) => [name, Object.assign(located(given), { id: given.id })] as const),
    ),
    containers: Object.fromEntries(containers.map(([name, given]) => [name, located(given)] as const)),
  };
};

/**
 * The instances and containers in the bellhop.yaml at `path`, or the built-in sample if there is no path.
 *
 * @throws Error that names the file if it cannot be read.
 */
export const readInventory = (path: string | undefined): LocalInventory => {
  if (path === undefined) return defaultInventory;
  try {
    return parseInventory(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Error(`${path} cannot be read as an inventory: ${reason}`, { cause: error });
  }
};
