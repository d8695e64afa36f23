import { notSent, operation, refused, z } from 'bellhop';

import {
  cancelQueries,
  type Connection,
  connections,
  endConnection,
  running,
  withDatabase,
} from './connections.ts';

const database = z
  .string()
  .max(60)
  .describe('Database name from bellhop.yaml.')
  .meta({ positional: true, target: 'database', placeholder: 'orders' });

const input = z.strictObject({
  database,
  pid: z
    .int()
    .positive()
    .max(4_194_304)
    .describe('Process id, from /db activity.')
    .meta({ positional: true, placeholder: '4711' }),
});

/** Lists running queries, the longest first, and shows which connection blocks which. */
export const activity = operation({
  name: 'db.activity',
  summary: 'Show running queries on a database, since when they run, and which connection blocks which.',
  risk: 'read',
  synonyms: ['ps', 'locks', 'queries'],
  input: z.strictObject({ database }),
  examples: ['/db activity orders'],
  run: (_input, { target, secret, signal }) =>
    withDatabase(secret(urlOf(target)), signal, (client) => connections(client)),
  report: (found, { target }) => {
    const blocked = found.filter(({ blockedBy }) => blockedBy.length > 0);
    const blockers = found.filter(({ pid }) => blocked.some(({ blockedBy }) => blockedBy.includes(pid)));
    const root = blockers.filter(({ blockedBy }) => blockedBy.length === 0);
    return {
      title: `Activity on ${target.name}`,
      tone: blocked.length > 0 ? 'bad' : 'good',
      headline:
        blocked.length === 0
          ? `${found.length} connections, none blocked`
          : `${blocked.length} of ${found.length} connections blocked, by ${root.map(({ pid, application }) => `${pid} (${application})`).join(', ')}`,
      tables:
        found.length === 0
          ? []
          : [
              {
                caption: 'Connections, the longest query first',
                columns: [
                  { label: 'Pid' },
                  { label: 'Application' },
                  { label: 'State' },
                  { label: 'Since' },
                  { label: 'Blocked by' },
                  { label: 'Query' },
                ],
                rows: found.map(({ pid, application, state, since, blockedBy, query }) => [
                  String(pid),
                  application,
                  state,
                  { at: since },
                  blockedBy.join(', '),
                  query,
                ]),
              },
            ],
      notes:
        found.length === 0
          ? []
          : [`/db cancel ${target.name} <pid> ends a query, /db terminate ends a connection.`],
    };
  },
});

/** Ends only the query, which PostgreSQL then rolls back. The connection stays open. */
export const cancel = operation({
  name: 'db.cancel',
  summary: 'Cancel the query of a database connection.',
  actionLabel: 'cancel a query on',
  risk: 'change',
  input,
  examples: ['/db cancel orders 4711 --reason "blocks the checkout"'],
  effect: ({ pid }, { name }) => `Cancels what connection ${pid} runs on ${name}. The connection stays open.`,
  preview: ({ pid }, target, { secret, signal }) => shown(pid, secret(urlOf(target)), signal),
  run: ({ pid }, context) => end('pg_cancel_backend', pid, context),
  report: (one, { target }) => ({
    title: `Cancelled the query of connection ${one.pid} on ${target.name}`,
    tone: 'good',
    facts: factsOf(one),
    notes: ['The connection is still open. See /db activity.'],
  }),
  observe: (context, { pid }) => seen(pid, context),
});

/** Cancels all queries that an application runs at that time. For one replica after another, use `--each role=replica`. */
export const cancelAll = operation({
  name: 'db.cancel-all',
  summary: 'Cancel all queries of an application on a database.',
  actionLabel: 'cancel all queries of an application on',
  risk: 'change',
  input: z.strictObject({
    database,
    application: z
      .string()
      .min(1)
      .max(60)
      .describe('Application name, from /db activity.')
      .meta({ positional: true, placeholder: 'report' }),
  }),
  examples: ['/db cancel-all orders report', '/db cancel-all --each role=replica report --pause 1m'],
  effect: ({ application }, { name }) =>
    `Cancels every query that ${application} is running on ${name} by then. The connections stay open.`,
  preview: async ({ application }, target, { secret, signal }) => [
    { label: 'Application', value: application, data: application },
    { label: 'Running now', value: await countOf(application, secret(urlOf(target)), signal) },
  ],
  run: ({ application }, { target, secret, signal, maySend }) =>
    withDatabase(secret(urlOf(target)), signal, (client) => {
      if (!maySend()) throw notSent('Bellhop lost the request before anything was cancelled.');
      return cancelQueries(client, application);
    }),
  report: (cancelled, { target, input: { application } }) => ({
    title: `Cancelled ${queriesText(cancelled)} of ${application} on ${target.name}`,
    tone: 'good',
    notes: ['The connections are still open. See /db activity.'],
  }),
  observe: async ({ target, confirmed, secret, signal }) => {
    const application = confirmed[0]?.data ?? '';
    return { runs: await countOf(application, secret(urlOf(target)), signal) };
  },
  watch: {
    returns: false,
    progress: ({ runs }) => (runs === queriesText(0) ? 'there' : 'on its way'),
    there: ({ name }) => `No query of the application runs on ${name}`,
    words: ({ runs = '' }) => runs,
  },
});

const queriesText = (count: number): string => (count === 1 ? '1 query' : `${count} queries`);

const countOf = (application: string, url: string, signal: AbortSignal): Promise<string> =>
  withDatabase(url, signal, async (client) => queriesText(await running(client, application)));

/** Ends the connection. PostgreSQL rolls back its open transaction, if it has one. */
export const terminate = operation({
  name: 'db.terminate',
  summary: 'End a database connection.',
  actionLabel: 'end a connection to',
  synonyms: ['kill'],
  risk: 'destructive',
  input,
  examples: ['/db terminate orders 4711 --reason "blocks the checkout"'],
  effect: ({ pid }, { name }) => `Ends connection ${pid} to ${name} and rolls back its open transaction.`,
  preview: ({ pid }, target, { secret, signal }) => shown(pid, secret(urlOf(target)), signal),
  run: ({ pid }, context) => end('pg_terminate_backend', pid, context),
  report: (one, { target }) => ({
    title: `Ended connection ${one.pid} to ${target.name}`,
    tone: 'good',
    facts: factsOf(one),
    notes: ['If it had an open transaction, that was rolled back.'],
  }),
  observe: (context, { pid }) => seen(pid, context),
});

/** PostgreSQL does not say who ended a connection, so this shows a lost answer's effect, and proves nothing. */
async function seen(pid: number, { target, secret, signal }: Omit<Ending, 'confirmed' | 'maySend'>) {
  const [one] = await withDatabase(secret(urlOf(target)), signal, (client) => connections(client, pid));
  return one
    ? { pid: String(pid), state: one.state, connected: one.startedAt, 'query began': one.queryAt }
    : { pid: String(pid), state: 'ended' };
}

/** The card shows these facts. The confirmation covers this query of this process only, even if the pid is reused. */
const factsOf = ({ application, user, query, startedAt, queryAt }: Connection) => [
  { label: 'Query', value: query, data: JSON.stringify([application, user, query, startedAt, queryAt]) },
  { label: 'Application', value: `${application}, as ${user}` },
  { label: 'Query began', value: queryAt },
  { label: 'Connected', value: startedAt },
];

async function shown(pid: number, url: string, signal: AbortSignal) {
  const found = await withDatabase(url, signal, (client) => connections(client, pid));
  const [one] = found;
  if (!one) throw refused(`No connection has pid ${pid}. See /db activity.`);
  return factsOf(one);
}

/** The name of the secret that holds the database's URL: `url: secret:orders-db` in bellhop.yaml. */
const urlOf = ({ settings }: Named): string => z.string().parse(settings['url']);

interface Named {
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Ending {
  readonly target: Named;
  readonly confirmed: readonly { readonly data?: string | undefined }[];
  readonly secret: (name: string) => string;
  readonly signal: AbortSignal;
  readonly maySend: () => boolean;
}

/**
 * PostgreSQL reuses pids. Between a check and a separate statement that ends the process, another connection could get the pid.
 * Therefore one statement checks that the process is still the confirmed one, and ends it.
 */
async function end(
  how: 'pg_cancel_backend' | 'pg_terminate_backend',
  pid: number,
  { target, confirmed, secret, signal, maySend }: Ending,
): Promise<Connection> {
  return withDatabase(secret(urlOf(target)), signal, async (client) => {
    const [one] = await connections(client, pid);
    if (!one) throw refused(`Connection ${pid} has already ended.`);
    if (factsOf(one)[0]?.data !== confirmed[0]?.data)
      throw refused(`Pid ${pid} now belongs to a different query: ${one.query}. See /db activity.`);
    if (!maySend()) throw notSent('Bellhop lost the request before anything was ended.');
    if (!(await endConnection(client, how, one)))
      throw refused(`Pid ${pid} has just ended or started a different query. See /db activity.`);
    return one;
  });
}
