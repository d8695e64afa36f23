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
  .describe('The database.')
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

/** What runs on a database, what has run longest first, and who waits for whom. */
export const activity = operation({
  name: 'db.activity',
  summary: 'Show what runs on a database, since when, and who blocks whom.',
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
          ? `${found.length} connections, none of them blocked`
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
          : [`/db cancel ${target.name} <pid> ends a query, /db terminate a connection.`],
    };
  },
});

/** Ends the query alone. What it had begun is undone; the connection stays. */
export const cancel = operation({
  name: 'db.cancel',
  summary: 'Cancel the query of a database connection.',
  actionLabel: 'cancel a query on',
  risk: 'change',
  input,
  examples: ['/db cancel orders 4711 --reason "blocks the checkout"'],
  preview: ({ pid }, target, { secret, signal }) => shown(pid, secret(urlOf(target)), signal),
  run: ({ pid }, context) => end('pg_cancel_backend', pid, context),
  report: (one, { target }) => ({
    title: `Query of ${one.pid} on ${target.name} was cancelled`,
    tone: 'good',
    facts: factsOf(one),
    notes: ['The connection is open. See /db activity.'],
  }),
});

/** Cancels whatever an application runs then. On each replica, one after another: `--each role=replica`. */
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
      .describe('Its name, from /db activity.')
      .meta({ positional: true, placeholder: 'report' }),
  }),
  examples: ['/db cancel-all orders report', '/db cancel-all --each role=replica report --pause 1m'],
  preview: async ({ application }, target, { secret, signal }) => [
    { label: 'Application', value: application, data: application },
    { label: 'Runs now', value: await countOf(application, secret(urlOf(target)), signal) },
  ],
  run: ({ application }, { target, secret, signal, maySend }) =>
    withDatabase(secret(urlOf(target)), signal, (client) => {
      if (!maySend()) throw notSent('Bellhop lost the request before anything was cancelled.');
      return cancelQueries(client, application);
    }),
  report: (cancelled, { target, input: { application } }) => ({
    title: `Cancelled ${queriesText(cancelled)} of ${application} on ${target.name}`,
    tone: 'good',
    notes: ['The connections are open. See /db activity.'],
  }),
  observe: async ({ target, confirmed, secret, signal }) => {
    const application = confirmed[0]?.data ?? '';
    return { runs: await countOf(application, secret(urlOf(target)), signal) };
  },
  watch: {
    returns: false,
    progress: ({ runs }) => (runs === queriesText(0) ? 'there' : 'on its way'),
    there: ({ name }) => `Nothing of it runs on ${name}`,
    words: ({ runs = '' }) => runs,
  },
});

const queriesText = (count: number): string => (count === 1 ? '1 query' : `${count} queries`);

const countOf = (application: string, url: string, signal: AbortSignal): Promise<string> =>
  withDatabase(url, signal, async (client) => queriesText(await running(client, application)));

/** Ends the connection, with an open transaction if it has one. */
export const terminate = operation({
  name: 'db.terminate',
  summary: 'End a database connection.',
  actionLabel: 'end a connection to',
  synonyms: ['kill'],
  risk: 'destructive',
  input,
  examples: ['/db terminate orders 4711 --reason "blocks the checkout"'],
  preview: ({ pid }, target, { secret, signal }) => shown(pid, secret(urlOf(target)), signal),
  run: ({ pid }, context) => end('pg_terminate_backend', pid, context),
  report: (one, { target }) => ({
    title: `Connection ${one.pid} to ${target.name} was ended`,
    tone: 'good',
    facts: factsOf(one),
    notes: ['Its open transaction was rolled back.'],
  }),
});

/** What is shown, and confirmed: this very query of this very process, whatever the pid means later. */
const factsOf = ({ application, user, query, startedAt, queryAt }: Connection) => [
  { label: 'Query', value: query, data: JSON.stringify([application, user, query, startedAt, queryAt]) },
  { label: 'Application', value: `${application}, as ${user}` },
  { label: 'Query began', value: queryAt },
  { label: 'Connected', value: startedAt },
];

async function shown(pid: number, url: string, signal: AbortSignal) {
  const found = await withDatabase(url, signal, (client) => connections(client, pid));
  const [one] = found;
  if (!one) throw refused(`No connection has the pid ${pid} now. See /db activity.`);
  return factsOf(one);
}

/** The secret that leads to a database: `url: secret:orders-db` in bellhop.yaml. */
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
 * A pid is used again. So the same statement that ends it looks whether it still is what was confirmed: between a look and an end
 * of its own, another connection could take the number.
 */
async function end(
  how: 'pg_cancel_backend' | 'pg_terminate_backend',
  pid: number,
  { target, confirmed, secret, signal, maySend }: Ending,
): Promise<Connection> {
  return withDatabase(secret(urlOf(target)), signal, async (client) => {
    const [one] = await connections(client, pid);
    if (!one) throw refused(`Connection ${pid} is gone already.`);
    if (factsOf(one)[0]?.data !== confirmed[0]?.data)
      throw refused(`Pid ${pid} is something else by now: ${one.query}. See /db activity.`);
    if (!maySend()) throw notSent('Bellhop lost the request before anything was ended.');
    if (!(await endConnection(client, how, one)))
      throw refused(`Pid ${pid} became something else just now. See /db activity.`);
    return one;
  });
}
