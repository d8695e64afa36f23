import { operation, refused, tableOf, texts, z } from 'bellhop';

import {
  connect,
  type Container,
  container,
  type Context,
  factOf,
  listed,
  masked,
  nameOf,
  pathOf,
  stateOf,
  textOf,
} from './api.ts';

const box = z
  .string()
  .max(60)
  .describe('The machine, from bellhop.yaml.')
  .meta({ positional: true, target: 'box', placeholder: 'web-1' });

const name = z
  .string()
  .max(128)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/u, 'must be the name of a container, from /containers list')
  .describe('The container, from /containers list.')
  .meta({ positional: true, placeholder: 'web' });

const input = z.strictObject({ box, container: name });

type Given = z.infer<typeof input>;

const seen = (context: Context, { container: typed }: Given): Promise<Container> =>
  connect(context).get(pathOf(typed, 'json'), container);

/** Docker waits this many seconds for a container to stop before it kills it. */
const graceSeconds = 10;

const pathFor = (verb: 'restart' | 'stop', typed: string): string =>
  pathOf(typed, `${verb}?t=${graceSeconds}`);

const observe = async (context: Context, given: Given) => {
  const one = await seen(context, given);
  return { container: given.container, state: stateOf(one), started: one.State.StartedAt };
};

const words = ({ state = '', started = '' }: Readonly<Record<string, string>>): string =>
  `${state}, started ${started}`;

/** The title of a card names the container, unless its name is long. */
const labelled =
  (verb: 'restart' | 'stop') =>
  ({ container: typed }: Readonly<Record<string, unknown>>): string => {
    const label = `${verb} ${String(typed)} on`;
    return label.length > 40 ? `${verb} a container on` : label;
  };

interface Running extends Context {
  readonly confirmed: readonly { readonly data?: string | undefined }[];
}

/** @throws refused if the container has changed since it was shown */
async function check(context: Running, given: Given): Promise<void> {
  const now = factOf(await seen(context, given));
  if (now.data !== context.confirmed[0]?.data)
    throw refused(`${given.container} has changed since this was proposed. Now: ${now.value}.`);
}

export const restart = operation({
  name: 'containers.restart',
  summary: 'Restart a container.',
  actionLabelFor: labelled('restart'),
  risk: 'destructive',
  input,
  examples: ['/containers restart web-1 web'],
  effect: (given, target) =>
    `${given.container} on ${target.name} stops within ${graceSeconds} s, or is killed, and starts again.`,
  preview: async (given, target, context) => [
    factOf(await seen({ ...context, target }, given)),
    { label: 'Sends', value: `POST ${pathFor('restart', given.container)}`, isCall: true },
  ],
  run: async (given, context) => {
    await check(context, given);
    await connect(context).send('POST', pathFor('restart', given.container));
  },
  report: (_output, { target, input: given }) => ({
    title: `${given.container} on ${target.name} was restarted`,
    tone: 'good',
    notes: [`/containers logs ${target.name} ${given.container} shows its last lines.`],
  }),
  observe,
  watch: {
    returns: true,
    progress: ({ state = '' }) =>
      /^(?:exited|dead)|unhealthy/u.test(state)
        ? 'broken'
        : /^running(?:, healthy)?$/u.test(state)
          ? 'there'
          : 'on its way',
    there: (target) => `The container on ${target.name} runs`,
    words,
  },
});

export const stop = operation({
  name: 'containers.stop',
  summary: 'Stop a container.',
  actionLabelFor: labelled('stop'),
  risk: 'destructive',
  input,
  examples: ['/containers stop web-1 web'],
  effect: (given, target) =>
    `${given.container} on ${target.name} stops within ${graceSeconds} s, or is killed, and stays down.`,
  preview: async (given, target, context) => {
    const now = await seen({ ...context, target }, given);
    if (now.State.Status !== 'running') throw refused(`${given.container} does not run: ${stateOf(now)}.`);
    return [factOf(now), { label: 'Sends', value: `POST ${pathFor('stop', given.container)}`, isCall: true }];
  },
  run: async (given, context) => {
    await check(context, given);
    await connect(context).send('POST', pathFor('stop', given.container));
  },
  report: (_output, { target, input: given }) => ({
    title: `${given.container} on ${target.name} is stopped`,
    tone: 'good',
    notes: [`/containers restart ${target.name} ${given.container} starts it again.`],
  }),
  observe,
});

export const list = operation({
  name: 'containers.list',
  summary: 'Show the containers of a machine.',
  risk: 'read',
  synonyms: ['ps'],
  input: z.strictObject({ box }),
  examples: ['/containers list web-1'],
  run: (_input, context) => connect(context).get('/containers/json?all=true', z.array(listed)),
  report: (found, { target }) => {
    const running = found.filter(({ State }) => State === 'running').length;
    return {
      title: `Containers on ${target.name}`,
      headline: `${running} of ${found.length} running`,
      tables: tableOf(
        'Containers',
        texts('Container', 'Image', 'State', 'Since'),
        found.map((one) => [nameOf(one), one.Image, one.State, one.Status]),
      ),
    };
  },
});

export const logs = operation({
  name: 'containers.logs',
  summary: 'Show the last lines that a container wrote.',
  risk: 'read',
  input: z.strictObject({
    box,
    container: name,
    lines: z.int().min(1).max(200).default(30).describe('How many lines.'),
  }),
  examples: ['/containers logs web-1 web --lines 100'],
  run: async (given, context) => {
    const one = await seen(context, given);
    const path = pathOf(given.container, `logs?stdout=true&stderr=true&tail=${given.lines}`);
    const text = textOf(await connect(context).bytes(path), one);
    return text
      .split(/\r?\n/u)
      .filter((line) => line.trim() !== '')
      .slice(-given.lines)
      .map(masked);
  },
  report: (found, { target, input: given }) => ({
    title: `Last lines of ${given.container} on ${target.name}`,
    tables: [
      { caption: 'Lines', columns: [{ label: 'Line' }], rows: found.map((line) => [line]), lines: true },
    ],
    notes: ['What looks like a password, a token or a secret is hidden.'],
  }),
});
