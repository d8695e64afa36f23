import {
  countText,
  type Fact,
  given,
  givenFacts,
  type InstanceTarget,
  momentOf,
  type NextCommand,
  operation,
  quoteWord,
  type ReadContext,
  type Tone,
  writtenMoment,
} from '../../bellhop/bellhop.ts';
import { type CloudClient, replyNotes } from './client/calls.ts';
import { type InstanceRead, instanceTaskTypes, type TaskRead } from './client/instance.ts';
import { instanceMembers } from './instance.ts';
import { addressesOf, isBroken, statusText, tagTexts } from './parts.ts';
import { isAbout } from './instance-tasks.ts';

type ShowContext = ReadContext<InstanceTarget, CloudClient>;

export const show = operation({
  name: 'cloud.show',
  summary: 'Show an instance: its state, addresses and size.',
  risk: 'read',
  extension: 'instance-read',
  input: instanceMembers.input,
  examples: ['/cloud show web-1'],
  lookUp: instanceMembers.lookUp,
  async run(_input, context: ShowContext) {
    const [reply, task] = await Promise.all([
      context.service.readInstance(context.target, context),
      context.extensions.includes('tasks') ? lastTask(context) : undefined,
    ]);
    return { reply, task, next: nextCommands(reply.value, context) };
  },
  report: ({ reply, task, next }, { target }) => ({
    title: `Instance ${target.name}`,
    tone: toneOf(reply.value),
    headline: stateText(reply.value),
    facts: factsOf(reply.value, task),
    next,
    notes: replyNotes(reply),
  }),
});

const isActive = ({ status, vm_state: state }: InstanceRead): boolean =>
  status === 'ACTIVE' && state === 'active';

function toneOf(instance: InstanceRead): Tone {
  if (isBroken(instance)) return 'bad';
  return isActive(instance) && instance.task_state === undefined ? 'good' : 'unsure';
}

const stateText = ({ status, task_state: task }: InstanceRead): string =>
  `${statusText(status ?? 'status not given')}${task === undefined ? '' : `, ${task}`}`;

const verbs = {
  reboot: { text: 'Reboot…', severity: 'destructive' },
  stop: { text: 'Stop…', severity: 'destructive' },
  start: { text: 'Start…', severity: 'change' },
  resume: { text: 'Resume…', severity: 'change' },
} as const satisfies Record<string, Pick<NextCommand, 'text' | 'severity'>>;

function fittingVerbs(instance: InstanceRead): readonly (keyof typeof verbs)[] {
  if (instance.task_state !== undefined) return [];
  if (isActive(instance)) return ['reboot', 'stop'];
  if (instance.status === 'SHUTOFF') return ['start'];
  return instance.status === 'SUSPENDED' ? ['resume'] : [];
}

/** Each action asks for confirmation, as if it were typed. */
function nextCommands(instance: InstanceRead, { target, inventory }: ShowContext): NextCommand[] {
  const typed = Object.hasOwn(inventory.instances, target.name)
    ? target.name
    : `${target.project}/${target.region}/${target.id}`;
  return fittingVerbs(instance).map((verb) => {
    const { text, severity } = verbs[verb];
    return { text, severity, words: `/cloud ${verb} ${quoteWord(typed)}` };
  });
}

const dayMs = 24 * 60 * 60_000;

/** Resolves to the newest task in the last day; undefined if there is none, or if tasks can't be read now. */
async function lastTask({ service, target, now, correlationId }: ShowContext): Promise<TaskRead | undefined> {
  const { project, region } = target;
  const pages = await Promise.all(
    Object.values(instanceTaskTypes).map((type) =>
      // The search extends into the future, because the service's clock may be ahead.
      service.listTasks({ project, region, type, from: now - dayMs, to: now + dayMs }, { correlationId }),
    ),
  ).catch(() => []);
  return pages
    .flatMap(({ value }) => value.results)
    .filter((task) => isAbout(task, target) === true)
    .toSorted(
      (one, other) => (writtenMoment(other.created_on) ?? 0) - (writtenMoment(one.created_on) ?? 0),
    )[0];
}

function taskText({
  task_type: type = 'task',
  state = '',
  created_on: created,
  finished_on: finished,
}: TaskRead): NonNullable<Fact['parts']> {
  const at = writtenMoment(finished ?? created);
  const when = at === undefined ? [] : [finished ? ' (ended ' : ' (created ', { at }, ')'];
  return [`${type}, ${state}`, ...when];
}

function factsOf(instance: InstanceRead, task: TaskRead | undefined): Fact[] {
  const { task_state: state, task_id: id } = instance;
  return givenFacts([
    ['Status', instance.status && statusText(instance.status)],
    ['VM state', instance.vm_state && statusText(instance.vm_state)],
    ['Task', state && given(state, id).join(', ')],
    ['Last task', task && taskText(task)],
    ['Addresses', addressesOf(instance).join('\n')],
    ['Flavor', flavorText(instance)],
    ['Volumes', instance.volumes?.map((volume) => volume.id ?? '?').join('\n')],
    ['Security groups', instance.security_groups?.map(({ name }) => name ?? '?').join(', ')],
    ['Isolated', instance.instance_isolation?.reason],
    ['Name', instance.name],
    ['Description', instance.instance_description],
    ['Tags', tagTexts(instance.tags).join(', ')],
    ['Created', momentOf(instance.created_at)],
  ]);
}

function flavorText({ flavor }: InstanceRead): string | undefined {
  if (flavor === undefined) return undefined;
  const { flavor_name: name = '?', vcpus, ram } = flavor;
  return given(
    name,
    vcpus !== undefined && `${countText(vcpus)} vCPU`,
    ram !== undefined && `${countText(ram)} MiB`,
  ).join(', ');
}
