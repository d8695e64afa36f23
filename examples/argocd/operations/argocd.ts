import { operation, refused, z } from 'bellhop';

import {
  application,
  type Application,
  type Automated,
  checked,
  connect,
  factOf,
  type History,
  isAutomatic,
  lastOf,
  mark,
  refuseBusy,
  shortRevision,
} from './api.ts';
import { policyTasks, rollbackTask, rollbackTasks, started, syncTask, syncTasks } from './evidence.ts';

export { apps } from './reads.ts';

const field = z
  .string()
  .max(60)
  .describe('The application, from bellhop.yaml.')
  .meta({ positional: true, target: 'application', placeholder: 'orders' });

type Context = Parameters<typeof connect>[0];

const call = (method: string, path: string) => ({
  label: 'Sends',
  value: `${method} ${path}`,
  isCall: true as const,
});

async function observe(context: Context) {
  const one = await connect(context).read();
  const { sync, health, operationState } = one.status;
  return {
    sync: sync.status,
    revision: shortRevision(sync.revision),
    health: health.status,
    operation: one.operation ? 'waiting' : (operationState?.phase ?? 'none'),
    autosync: isAutomatic(one) ? 'on' : 'off',
  };
}

type Seen = Readonly<Record<string, string>>;

const watch = (isThere: (seen: Seen) => boolean) => ({
  returns: false,
  progress(seen: Seen) {
    if (['waiting', 'Running', 'Terminating'].includes(seen['operation'] ?? '')) return 'on its way';
    if (['Failed', 'Error'].includes(seen['operation'] ?? '') || seen['health'] === 'Degraded')
      return 'broken';
    return isThere(seen) ? 'there' : 'on its way';
  },
  there: ({ name }: { readonly name: string }) => `${name} is healthy`,
  words: ({ sync = '', revision = '', health = '' }: Seen) => `${sync} at ${revision}, ${health}`,
});

const isRunning = async (target: Context['target'], context: Omit<Context, 'target'>) =>
  (await connect({ ...context, target }).read()).status.health.status === 'Healthy';

export const sync = operation({
  name: 'argo.sync',
  summary: 'Sync an application to its target revision.',
  risk: 'destructive',
  input: z.strictObject({ application: field }),
  examples: ['/argo sync orders', '/argo sync --each env=staging --pause 1m'],
  effect: (_input, { name }) => `Applies what the repository has for ${name}. Deletes nothing.`,
  preview: async (_input, target, context) => {
    const { path, read } = connect({ ...context, target });
    return [factOf(refuseBusy(await read())), call('POST', `${path}/sync`)];
  },
  run: async (_input, context) => {
    const { api, path, read } = connect(context);
    checked(await read(), context.confirmed);
    const infos = [{ name: mark, value: context.request.id }];
    const json = { name: context.target.name, prune: false, infos };
    return api.send('POST', `${path}/sync`, { json, schema: application });
  },
  report: (_output, { target }) => ({ title: `${target.name} is syncing`, tone: 'good' }),
  observe,
  watch: watch(({ sync: status, health }) => status === 'Synced' && health === 'Healthy'),
  tasks: {
    started,
    read: async (id, context) => syncTask(id, await connect(context).read()),
    search: async (_input, _period, context) => syncTasks(await connect(context).read(), context),
    finished: ({ name }) => `${name} is synced`,
  },
  isRunning,
});

/** The deployment with this id, or the one before the last. @throws refused */
function deploymentOf(one: Application, id: number | undefined): History {
  const { name } = one.metadata;
  if (isAutomatic(one)) throw refused(`Autosync of ${name} is on. First type /argo autosync ${name} off.`);
  const last = lastOf(one);
  const older = one.status.history.filter((other) => other.id < (last?.id ?? 0));
  const found =
    id === undefined
      ? older.toSorted((first, second) => second.id - first.id)[0]
      : older.find((other) => other.id === id);
  const ids = older.map((other) => other.id).join(', ');
  if (!found)
    throw refused(`${name} has no such deployment before the last one. Earlier ids: ${ids || 'none'}.`);
  return found;
}

export const rollback = operation({
  name: 'argo.rollback',
  summary: 'Return an application to an earlier deployment.',
  synonyms: ['undo'],
  risk: 'destructive',
  input: z.strictObject({
    application: field,
    id: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('The id of a deployment. Default: the one before the last.')
      .meta({ positional: true }),
  }),
  examples: ['/argo rollback orders', '/argo rollback orders 12'],
  effect: (_input, { name }) => `Applies an earlier deployment of ${name}. Deletes nothing.`,
  preview: async ({ id }, target, context) => {
    const { path, read } = connect({ ...context, target });
    const now = refuseBusy(await read());
    const to = deploymentOf(now, id);
    const value = `deployment ${to.id}, ${shortRevision(to.revision)}, of ${to.deployedAt}`;
    return [factOf(now), { label: 'Back to', value, data: String(to.id) }, call('POST', `${path}/rollback`)];
  },
  run: async (_input, context) => {
    const { api, path, read } = connect(context);
    const { id } = deploymentOf(checked(await read(), context.confirmed), Number(context.confirmed[1]?.data));
    const json = { name: context.target.name, id, prune: false };
    return api.send('POST', `${path}/rollback`, { json, schema: application });
  },
  report: (_output, { target }) => ({ title: `${target.name} is rolling back`, tone: 'good' }),
  observe,
  watch: watch(({ health }) => health === 'Healthy'),
  tasks: {
    started,
    read: async (id, context) => rollbackTask(id, await connect(context).read(), context),
    search: async (_input, _period, context) => rollbackTasks(await connect(context).read(), context),
    finished: ({ name }) => `${name} is rolled back`,
  },
  isRunning,
});

export const autosync = operation({
  name: 'argo.autosync',
  summary: 'Switch autosync of an application on or off.',
  actionLabel: 'switch autosync of',
  risk: 'change',
  input: z.strictObject({
    application: field,
    state: z.enum(['on', 'off']).describe('on or off.').meta({ positional: true }),
  }),
  examples: ['/argo autosync orders off'],
  effect: ({ state }, { name }) =>
    state === 'on'
      ? `Argo CD applies changes of the repository to ${name} by itself.`
      : `Argo CD leaves ${name} as it is until someone syncs it.`,
  preview: async ({ state }, target, context) => {
    const { path, read } = connect({ ...context, target });
    const now = await read();
    if (isAutomatic(now) === (state === 'on'))
      throw refused(`Autosync of ${target.name} is ${state} already.`);
    return [factOf(now), { label: 'Autosync', value: state }, call('PATCH', path)];
  },
  run: async ({ state }, context) => {
    const { api, path, read } = connect(context);
    checked(await read(), context.confirmed);
    const automated: Automated = { enabled: state === 'on' };
    const patch = {
      metadata: { annotations: { [mark]: context.request.id } },
      spec: { syncPolicy: { automated } },
    };
    const json = { name: context.target.name, patch: JSON.stringify(patch), patchType: 'merge' };
    const after = await api.send('PATCH', path, { json, schema: application });
    if (isAutomatic(after) !== (state === 'on'))
      throw refused(
        'This Argo CD has no switch for autosync, which is unchanged. Change its sync policy itself.',
      );
  },
  report: (_output, { target, input }) => ({
    title: `Autosync of ${target.name} is ${input.state}`,
    tone: 'good',
  }),
  observe,
  tasks: {
    search: async (_input, _period, context) => policyTasks(await connect(context).read(), context),
    finished: ({ name }, { state }) => `Autosync of ${name} is ${state}`,
  },
});
