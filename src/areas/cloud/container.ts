import {
  type ContainerTarget,
  didYouMean,
  type Fact,
  given,
  givenFacts,
  guessOf,
  isNotFound,
  itemCount,
  momentOf,
  nameOf,
  operation,
  type ReadContext,
  refused,
  type Tone,
  z,
} from '../../bellhop/bellhop.ts';
import { type CloudClient, replyNotes } from './client/calls.ts';
import type { ContainerRead } from './client/container.ts';
import { where } from './parts.ts';

export const showContainer = operation({
  name: 'cloud.container',
  summary: 'Show a container.',
  actionLabel: 'show container',
  risk: 'read',
  input: z.strictObject({
    name: nameOf('a name')
      .regex(/^[\w.-]+$/u, 'can contain only letters, digits, “-”, “_” and “.”')
      .describe('Name of the container.')
      .meta({ positional: true, target: 'container', placeholder: 'api', label: 'Container' }),
    ...where,
  }),
  examples: ['/cloud container api', '/cloud container api --region 180'],
  run: (_input, context: ReadContext<ContainerTarget, CloudClient>) =>
    context.service.getContainer(context.target, context).catch((error: unknown) => {
      throw isNotFound(error) ? withGuess(error, context) : error;
    }),
  report(reply, { target }) {
    const it = reply.value;
    return {
      title: `Container ${target.name}`,
      tone: toneOf(it),
      headline: headlineOf(it),
      facts: factsOf(it),
      notes: replyNotes(reply),
    };
  },
});

/** The service knows more containers than the inventory, so only its answer shows that a name is wrong. */
function withGuess(error: Error, { target, inventory, extensions }: ReadContext<ContainerTarget>): Error {
  const { name } = target;
  if (!Object.hasOwn(inventory.instances, name)) {
    const names = Object.keys(inventory.containers);
    const guess = guessOf(name, names);
    return guess.words.length === 0
      ? error
      : refused(`The service has no container “${name}”.${didYouMean(name, names)}`, guess);
  }
  const text = `${name} is an instance, not a container.`;
  return extensions.includes('instance-read')
    ? refused(`${text} To see it, use /cloud show ${name}.`, {
        typed: `container ${name}`,
        words: [`show ${name}`],
      })
    : refused(`${text} No command shows instances here.`);
}

const isReady = ({ deploy_status: deploy }: ContainerRead): boolean =>
  deploy?.ready !== undefined && deploy.ready === deploy.total;

function toneOf(it: ContainerRead): Tone {
  if (it.is_disabled === true) return 'neutral';
  if (/error|fail/iu.test(it.status ?? '')) return 'bad';
  return isReady(it) ? 'good' : 'unsure';
}

function headlineOf(it: ContainerRead): string {
  const status = it.status ?? 'status not given';
  const deploy = `${it.deploy_status?.ready ?? '?'} of ${it.deploy_status?.total ?? '?'} ready`;
  const off = it.is_disabled === true && !/disabled/iu.test(status) ? ', disabled' : '';
  const why = it.status_message === undefined ? '' : `: ${it.status_message}`;
  return `${status}${off}, ${deploy}${why}`;
}

function factsOf(it: ContainerRead): Fact[] {
  const names = Object.keys(it.envs ?? {});
  return givenFacts([
    ['Address', it.address],
    ['Image', it.image],
    ['Scale', it.scale && `${it.scale.min ?? '?'} to ${it.scale.max ?? '?'}`],
    ['Flavor', it.flavor],
    ['Listening port', it.listening_port],
    ['Timeout', it.timeout === undefined ? undefined : `${it.timeout} s`],
    ['Commands', it.commands],
    ['Namespace', it.namespace],
    ['Name', it.name],
    ['Description', it.description],
    ['Source', it.source],
    ['Pull secret', it.pull_secret],
    ['API key needed', yesOrNo(it.is_api_key_auth)],
    ['Disabled', yesOrNo(it.is_disabled)],
    ['Logs', loggingText(it)],
    ['Created', momentOf(it.created_at)],
    // Only names are shown, because values often contain secrets.
    [`Environment (${names.length})`, names.map((name) => `${name}=••••`).join('\n')],
  ]);
}

const yesOrNo = (flag: boolean | undefined): string | undefined =>
  flag === undefined ? undefined : flag ? 'yes' : 'no';

function loggingText({ logging }: ContainerRead): string | undefined {
  if (!logging) return undefined;
  const { enabled, topic_name: topic, destination_region_id: region } = logging;
  const days = logging.retention_policy?.period;
  const to = given(
    topic && `to ${topic}`,
    region !== undefined && `in region ${region}`,
    days !== undefined && `kept ${itemCount(days, 'day')}`,
  ).join(', ');
  const state = enabled === undefined ? 'state not given' : enabled ? 'on' : 'off';
  return to === '' ? state : enabled === true ? `${state}, ${to}` : `${state} (${to})`;
}
