import {
  countText,
  type Csv,
  given,
  type Inventory,
  itemCount,
  nameOfId,
  operation,
  type ProjectTarget,
  type ReadContext,
  tableOf,
  texts,
  z,
} from '../../bellhop/bellhop.ts';
import { type CloudClient, replyNotes } from './client/calls.ts';
import type { InstanceRead } from './client/instance.ts';
import {
  incompleteNote,
  addressesOf,
  regionText,
  searchOption,
  statusOption,
  listWhere,
  tagTexts,
} from './parts.ts';

export const listInstances = operation({
  name: 'cloud.list',
  summary: 'List the instances of a project and region.',
  risk: 'read',
  extension: 'instance-list',
  input: z.strictObject({
    search: searchOption('web').describe('Only those whose name, id or address contains this.'),
    status: statusOption('ACTIVE or SHUTOFF'),
    label: z
      .array(
        z
          .string()
          .trim()
          .max(200, 'is too long: a label has at most 200 characters')
          .regex(/^[^=]+=[^=]*$/u, 'takes a label and its value, such as env=production'),
      )
      .max(10, 'takes at most 10 labels')
      .default([])
      .describe('Only with this label, such as env=production; several must all match.'),
    ...listWhere,
  }),
  examples: [
    '/cloud list',
    '/cloud list web --status SHUTOFF',
    '/cloud list --label env=production --region 180',
  ],
  async run(input, context: ReadContext<ProjectTarget, CloudClient>) {
    const reply = await context.service.listInstances(context.target, context);
    const listed = listedInstances(reply.value.results, context.inventory, context.target);
    return { reply, listed, found: listed.filter((one) => isWanted(one, input)) };
  },
  report({ reply, listed, found }, { target }) {
    const { count, results } = reply.value;
    return {
      title: `Instances in ${regionText(target)}`,
      headline: headline(found, results.length),
      tables: tableOf(
        itemCount(found.length, 'instance'),
        texts('Name', 'State', 'Address', 'Labels', 'Use as'),
        found.map((one) => [
          one.name,
          stateText(one),
          one.addresses.slice(0, 2).join(', '),
          one.labels.join(', '),
          one.typed,
        ]),
      ),
      notes: given(
        incompleteNote(results.length, count),
        found.some(({ isNamed }) => !isNamed) &&
          "Instances not in bellhop.yaml show the provider's tags; rules ignore those.",
        found.length === 0 && listed.length > 0 && `All ${countText(listed.length)}: ${statusesOf(listed)}.`,
        replyNotes(reply),
      ),
      csv: found.length === 0 ? undefined : csvOf(found),
    };
  },
});

interface ListedInstance {
  /** People type this text: an inventory name, or project/region/id. */
  readonly typed: string;
  readonly isNamed: boolean;
  readonly name: string;
  readonly status: string;
  readonly addresses: readonly string[];
  /** Labels such as `env=production`. An instance outside the inventory has the provider's tags. */
  readonly labels: readonly string[];
  readonly instance: InstanceRead;
}

function listedInstances(
  instances: readonly InstanceRead[],
  inventory: Inventory,
  { project, region }: ProjectTarget,
): readonly ListedInstance[] {
  return instances
    .map((instance): ListedInstance => {
      const known = instance.id === undefined ? undefined : nameOfId(inventory.instances, instance.id);
      return {
        typed: known ?? `${project}/${region}/${instance.id ?? '?'}`,
        isNamed: known !== undefined,
        name: instance.name ?? '?',
        status: instance.status ?? '?',
        addresses: addressesOf(instance),
        labels: known === undefined ? tagTexts(instance.tags) : labelsOf(inventory, known),
        instance,
      };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

const labelsOf = ({ instances }: Inventory, name: string): readonly string[] =>
  Object.entries(instances[name]?.labels ?? {}).map(([label, value]) => `${label}=${value}`);

interface Filter {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly label: readonly string[];
}

const isWanted = (one: ListedInstance, { search, status, label }: Filter): boolean =>
  (status === undefined || one.status.toLowerCase() === status.toLowerCase()) &&
  label.every((wanted) => one.labels.includes(wanted)) &&
  (search === undefined ||
    [one.typed, one.name, one.instance.id ?? '', ...one.addresses].some((text) =>
      text.toLowerCase().includes(search.toLowerCase()),
    ));

const stateText = ({ status, instance: { task_state: task } }: ListedInstance): string =>
  task === undefined ? status : `${status}, ${task}`;

function headline(found: readonly ListedInstance[], listed: number): string {
  if (listed === 0) return 'None. Check project and region: unknown ones also return nothing.';
  if (found.length === 0) return `None of ${countText(listed)} match`;
  const unlisted = found.filter(({ isNamed }) => !isNamed).length;
  const rest = unlisted === 0 ? '' : `; ${countText(unlisted)} not in bellhop.yaml`;
  return `${statusesOf(found)}${rest}`;
}

function statusesOf(instances: readonly ListedInstance[]): string {
  const counts = new Map<string, number>();
  for (const { status } of instances) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([status, count]) => `${countText(count)} ${status}`)
    .join(', ');
}

const csvOf = (found: readonly ListedInstance[]): Csv => ({
  fileName: 'instances.csv',
  columns: ['typed', 'name', 'id', 'status', 'vm_state', 'task_state', 'addresses', 'labels', 'created_at'],
  rows: found.map(({ typed, name, addresses, labels, instance }) => {
    const {
      id = '',
      status = '',
      vm_state: state = '',
      task_state: task = '',
      created_at: at = '',
    } = instance;
    return [typed, name, id, status, state, task, addresses.join(' '), labels.join(', '), at];
  }),
});
