import { itemCount, operation, refused, tableOf, texts, z } from 'bellhop';

import { commandOf, type Server, server, servers, setState, settingsOf } from './socket.ts';

const field = z
  .string()
  .max(60)
  .describe('The server, from bellhop.yaml.')
  .meta({ positional: true, target: 'server', placeholder: 'web-1' });

const input = z.strictObject({ server: field });

interface Reach {
  readonly target: { readonly name: string; readonly settings: unknown };
  readonly signal: AbortSignal;
}

const seen = ({ target, signal }: Reach): Promise<Server> => server(settingsOf(target), target.name, signal);

const isDrained = ({ status }: Server): boolean => status.startsWith('DRAIN');
const isReady = ({ status }: Server): boolean => /^(?:UP|no check)/u.test(status);
const sessionsText = (count: number): string => itemCount(count, 'open session');

/** The confirmation is bound to the status, without the counter of its checks, such as `UP 1/3`. */
const statusFact = ({ status, sessions }: Server) => ({
  label: 'Now',
  value: `${status}, ${sessionsText(sessions)}`,
  data: status.replace(/ \d+\/\d+$/u, ''),
});

async function shown(state: 'drain' | 'ready', reach: Reach) {
  const { backend } = settingsOf(reach.target);
  const { name } = reach.target;
  const one = await seen(reach);
  if (state === 'drain' ? isDrained(one) : isReady(one)) throw refused(`${name} is already ${one.status}.`);
  const others = (await servers(settingsOf(reach.target), reach.signal)).filter(
    (other) => other.name !== name,
  );
  return [
    statusFact(one),
    { label: 'Others up', value: `${others.filter(isReady).length} of ${others.length} in ${backend}` },
    { label: 'Sends', value: commandOf(backend, name, state), isCall: true as const },
  ];
}

interface Running extends Reach {
  readonly confirmed: readonly { readonly data?: string | undefined }[];
  readonly maySend: () => boolean;
}

async function change(state: 'drain' | 'ready', context: Running): Promise<Server> {
  const { target, confirmed } = context;
  const now = await seen(context);
  if (statusFact(now).data !== confirmed[0]?.data)
    throw refused(`${target.name} has changed since this was proposed. It is ${statusFact(now).value} now.`);
  await setState(settingsOf(target), target.name, state, context);
  return now;
}

const observe = async (context: Reach) => {
  const { status, sessions } = await seen(context);
  return { status, sessions: String(sessions) };
};

const words = ({ status = '', sessions = '' }: Readonly<Record<string, string>>): string =>
  `${status}, ${sessionsText(Number(sessions))}`;

/** For a guard in bellhop.yaml, which keeps enough servers up. Only `drain` has it, because `ready` takes nothing away. */
const isRunning = async (target: Reach['target'], { signal }: Pick<Reach, 'signal'>) =>
  isReady(await seen({ target, signal }));

export const drain = operation({
  name: 'lb.drain',
  summary: 'Take a server out of the load balancer.',
  risk: 'destructive',
  input,
  examples: ['/lb drain web-1', '/lb drain --each role=web --pause 1m'],
  effect: (_input, { name }) => `${name} gets no new connections. Open sessions stay until they end.`,
  preview: (_input, target, context) => shown('drain', { ...context, target }),
  run: (_input, context) => change('drain', context),
  report: ({ sessions }, { target }) => ({
    title: `${target.name} gets no new connections`,
    tone: 'good',
    facts: [{ label: 'Still open', value: sessionsText(sessions) }],
    notes: [`/lb ready ${target.name} puts it back.`],
  }),
  observe,
  watch: {
    returns: false,
    progress: ({ status = '', sessions }) =>
      status.startsWith('DRAIN') && sessions === '0' ? 'there' : 'on its way',
    there: ({ name }) => `${name} is drained`,
    words,
  },
  isRunning,
});

export const ready = operation({
  name: 'lb.ready',
  summary: 'Put a server back into the load balancer.',
  actionLabel: 'put back',
  risk: 'change',
  input,
  examples: ['/lb ready web-1'],
  effect: (_input, { name }) => `${name} gets new connections again, once its health check passes.`,
  preview: (_input, target, context) => shown('ready', { ...context, target }),
  run: (_input, context) => change('ready', context),
  report: (_before, { target }) => ({ title: `${target.name} is ready for connections`, tone: 'good' }),
  observe,
  watch: {
    returns: false,
    progress: ({ status = '' }) => (/^(?:UP|no check)/u.test(status) ? 'there' : 'on its way'),
    there: ({ name }) => `${name} is up`,
    words,
  },
});

export const list = operation({
  name: 'lb.servers',
  summary: 'Show the servers of a backend.',
  risk: 'read',
  input: z.strictObject({
    backend: z
      .string()
      .max(100)
      .describe('The backend in HAProxy.')
      .meta({ positional: true, placeholder: 'web' }),
  }),
  examples: ['/lb servers web'],
  run: async ({ backend }, { inventory, signal }) => {
    const listed = Object.values(inventory.targets['server'] ?? {}).map(settingsOf);
    const known = [...new Set(listed.map((one) => one.backend))];
    const sockets = new Set(listed.flatMap((one) => (one.backend === backend ? [one.socket] : [])));
    if (sockets.size === 0)
      throw refused(`bellhop.yaml lists no server of ${backend}. Backends: ${known.join(', ')}.`);
    return (await Promise.all([...sockets].map((socket) => servers({ socket, backend }, signal)))).flat();
  },
  report: (found, { input: { backend } }) => ({
    title: `Servers of ${backend}`,
    tone: found.every(isReady) ? 'good' : 'bad',
    headline: `${found.filter(isReady).length} of ${found.length} up`,
    tables: tableOf(
      'Servers',
      texts('Server', 'Status', 'Open sessions', 'Weight', 'Address'),
      found.map((one) => [one.name, one.status, one.sessions, one.weight, one.address]),
    ),
  }),
});
