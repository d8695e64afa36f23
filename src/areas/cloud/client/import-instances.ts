import { Document } from 'yaml';
import { z } from 'zod';

import { createServiceClient } from '../../../service/client.ts';
import { cloudCalls } from './calls.ts';
import type { ConfigPorts } from '../../../host/area.ts';
import type { InstanceRead } from './instance.ts';
import { partText } from './pages.ts';
import { instanceId, label, name as instanceName } from '../../../model/rulebook/schema-parts.ts';
import type { Inventory } from '../../../model/rulebook/target.ts';
import { checkOptions, command, UsageError } from '../../../program/run-program.ts';
import { secretOfEnvironment } from '../../../program/secret-variables.ts';
import { closing, canonicalId } from '../../../text/words.ts';

export const importCommand = (outside: ConfigPorts) =>
  command({
    summary: 'print the instances of a project as "instances:" for bellhop.yaml',
    help: `Usage: npm run config -- import [--project <number>] [--region <number>]…
Prints the instances of a project, as "instances:" for bellhop.yaml.
  --project <number>    default: the project in bellhop.yaml
  --region <number>     repeatable; default: the regions in bellhop.yaml
It reads the service at API_BASE_URL with API_KEY, and needs a service with instance-list. Instances already in bellhop.yaml
(or BELLHOP_CONFIG) keep their names and labels. The others get the service's tags as labels: review those.`,
    options: { project: { type: 'string' }, region: { type: 'string', multiple: true } },
    async run(values) {
      process.stdout.write(await importInstances(outside, checkOptions(importOptions, values)));
      return 0;
    },
  });

const whole = 'takes a whole number, 1 or more';
const number = z
  .string()
  .regex(/^[1-9]\d{0,14}$/u, whole)
  .transform(Number);
const importOptions = z.object({ project: number.optional(), region: z.array(number).optional() });

/**
 * Resolves to the `instances:` of a project as YAML for bellhop.yaml. Each instance has a unique name.
 * @throws UsageError, BellhopError
 */
async function importInstances(outside: ConfigPorts, given: z.output<typeof importOptions>): Promise<string> {
  const inventory = await readInventory(outside);
  const project = given.project ?? inventory.project;
  if (project === undefined) throw new UsageError('Name the project: --project <number>.');
  const regions = given.region ?? regionsOf(inventory);
  if (regions.length === 0) throw new UsageError('Name a region: --region <number>.');
  await using service = closing(createService());
  const entries: ImportedInstance[] = [];
  for (const region of new Set(regions)) {
    const { value } = await service.listInstances({ project, region }, { correlationId: `import-${region}` });
    const fitting = value.results.flatMap((instance) => imported(instance, project, region));
    entries.push(...fitting);
    const where = `project ${project}, region ${region}`;
    if (value.count > value.results.length)
      warn(
        `Only ${partText(value.results.length, value.count)} instances of ${where} were read. Add the others by hand.`,
      );
    const left = value.results.length - fitting.length;
    if (left > 0)
      warn(
        `${left} instances of ${where} were skipped, because their ids contain characters other than letters, digits, - and _.`,
      );
  }
  return yamlOf(named(entries, inventory));
}

/** Resolves to an empty inventory if there is no bellhop.yaml yet. @throws Error with a line for each mistake */
async function readInventory({ usualFile, usualRulebook }: ConfigPorts): Promise<Inventory> {
  const rulebook = await usualRulebook();
  if (!rulebook) return { regions: {}, instances: {}, containers: {}, targets: {} };
  if (rulebook.extensions.includes('instance-list')) return rulebook.inventory;
  throw new UsageError(`Add instance-list under “extensions” in ${usualFile()}, if your service has it.`);
}

const warn = (line: string): void => void process.stderr.write(`${line}\n`);

const regionsOf = ({ region, regions }: Inventory): readonly number[] => [
  ...(region === undefined ? [] : [region]),
  ...Object.keys(regions).map(Number),
];

/** @throws UsageError, BellhopError */
function createService() {
  const { API_BASE_URL: baseUrl = '' } = process.env;
  const apiKeys = secretOfEnvironment('API_KEY')?.split(',');
  if (baseUrl === '' || baseUrl === 'local' || !apiKeys)
    throw new UsageError(
      'Set API_BASE_URL and API_KEY to the address of the service and a key with read access.',
    );
  return createServiceClient([{ calls: cloudCalls }], { baseUrl, apiKeys: () => apiKeys });
}

interface ImportedInstance {
  readonly id: string;
  readonly project: number;
  readonly region: number;
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

/** Returns nothing for an instance whose id bellhop.yaml does not accept. */
function imported(instance: InstanceRead, project: number, region: number): readonly ImportedInstance[] {
  const { id = '', name = '', tags = [] } = instance;
  if (!instanceId.safeParse(id).success) return [];
  const labels = tags.flatMap(({ key = '', value = '', read_only: own }) =>
    own !== true && label.safeParse(key).success && label.safeParse(value).success
      ? [[key, value] as const]
      : [],
  );
  return [{ id, project, region, name, labels: new Map(labels) }];
}

type NamedInstance = readonly [name: string, instance: ImportedInstance];

/** Keeps the names and labels of instances in bellhop.yaml, and gives the others unused names. */
function named(instances: readonly ImportedInstance[], inventory: Inventory): readonly NamedInstance[] {
  const known = new Map(
    Object.entries(inventory.instances).map(([name, entry]) => [canonicalId(entry.id), { name, entry }]),
  );
  const taken = new Set(Object.keys(inventory.instances));
  return instances.map((instance): NamedInstance => {
    const own = known.get(canonicalId(instance.id));
    if (own) return [own.name, { ...instance, labels: new Map(Object.entries(own.entry.labels)) }];
    const name = freeName(wordOf(instance), taken);
    taken.add(name);
    return [name, instance];
  });
}

function wordOf({ name, id }: ImportedInstance): string {
  const word = name
    .replaceAll(/[\s/\p{C}]+/gu, '-')
    .replace(/^-+/u, '')
    .slice(0, 90);
  return instanceName.safeParse(word).success ? word : id.slice(0, 90);
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let next = 2; taken.has(free); next += 1) free = `${name}-${next}`;
  return free;
}

function yamlOf(instances: readonly NamedInstance[]): string {
  const document = new Document(new Map([['instances', new Map()]]));
  for (const [name, { id, project, region, labels }] of instances) {
    const entry = { id, project, region, ...(labels.size > 0 && { labels }) };
    document.setIn(['instances', name], document.createNode(entry, { flow: true }));
  }
  return document.toString({ lineWidth: 0 });
}
