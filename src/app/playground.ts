import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { z } from 'zod';

import type { Config } from '../config/environment/environment.ts';
import { createRegistry } from '../command/grammar/registry.ts';
import type { Operation } from '../model/operation.ts';
import { exampleAddress, manifestOf } from '../slack/manifest.ts';
import { createSecrets } from '../config/environment/secrets.ts';
import { badConfiguration, rescue } from '../model/values/errors.ts';
import { features } from '../features/index.ts';
import type { Inventory } from '../model/rulebook/target.ts';
import type { LocalInventory } from '../../playground/service/state/inventory.ts';
import { withPort } from '../http/incoming.ts';

// Only this file and features import the playground, and only if something is local: a production install has no playground.

/** Local parts listen only on this machine. */
const host = '127.0.0.1';

const secret = (): string => randomBytes(24).toString('hex');

/**
 * @param account whose service is started; undefined means the account of the environment
 * @throws BellhopError `configuration` if the playground is not installed or the port is taken
 */
export async function startService(config: Config, account?: string) {
  const { startLocalService } = await load(
    config,
    () => import('../../playground/service/start-local-service.ts'),
  );
  const address = { host, port: account === undefined ? config.localServicePort : 0 } as const;
  const service = await withPort({ setting: 'LOCAL_SERVICE_PORT', ...address }, () =>
    startLocalService({
      ...address,
      dataDir: join(config.dataDir, account === undefined ? 'service' : `service-${account}`),
      apiKey: secret(),
      inventory: localInventory(config.rulebook.inventory, account),
    }),
  );
  return { baseUrl: service.url, apiKey: service.apiKey, close: () => service.close() };
}

/** @throws BellhopError `configuration` if the playground is not installed or the port is taken */
export async function startSlack(
  config: Config,
  operations: readonly Operation[],
  service: { readonly baseUrl: string; readonly apiKey: string } | undefined,
) {
  const [botToken, signingSecret] = [`xoxb-local-${secret()}`, secret()];
  const doors = features.flatMap(({ localDoor }) => localDoor ?? []);
  const secrets = new Map(doors.map((door) => [door.secret, givenSecret(config, door.secret) ?? secret()]));
  const { startWorkspace } = await load(
    config,
    () => import('../../playground/workspace/start-workspace.ts'),
  );
  const address = { host, port: config.localPort } as const;
  const workspace = await withPort({ setting: 'LOCAL_PORT', ...address }, () =>
    startWorkspace({
      ...address,
      dataDir: join(config.dataDir, 'workspace'),
      appUrl: `http://127.0.0.1:${config.port}/slack/events`,
      botToken,
      signingSecret,
      manifestPath: '',
      // The manifest includes the commands of your own operations.
      manifest: manifestOf(createRegistry(operations, []), exampleAddress),
      service: service && { url: service.baseUrl, apiKey: service.apiKey },
      doors: doors
        .filter(({ isOpen }) => isOpen(config.rulebook))
        .map((door) => ({
          path: door.path,
          url: `http://127.0.0.1:${config.port}${door.path}`,
          secret: secrets.get(door.secret) ?? '',
        })),
      instances: Object.keys(config.rulebook.inventory.instances),
      stolenSession: stolenSession(config),
    }),
  );
  const databases = await startDatabases(config);
  return {
    botToken,
    signingSecret,
    apiUrl: `${workspace.url}/api/`,
    page: workspace.url,
    secrets: { ...Object.fromEntries(secrets), ...databases.secrets },
    close: async () => void (await Promise.all([workspace.close(), databases.close()])),
  };
}

/**
 * Starts a PostgreSQL on which you can try your own operations on databases. Starts nothing if there is no such target,
 * or if the secret with the target's address is set.
 */
async function startDatabases(config: Config) {
  const named = Object.values(config.rulebook.inventory.targets['database'] ?? {}).flatMap(
    ({ settings: { url } }) =>
      typeof url === 'string' && url.startsWith('secret:') ? [url.slice('secret:'.length)] : [],
  );
  const unset = named.filter((name) => givenSecret(config, name) === undefined);
  if (unset.length === 0) return { secrets: {}, close: () => Promise.resolve() };
  const { startDatabase } = await load(config, () => import('../../playground/database/start-database.ts'));
  const database = await startDatabase();
  return {
    secrets: Object.fromEntries(unset.map((name) => [name, database.url])),
    close: () => database.close(),
  };
}

/** In the sample's rules, the approval of this command needs more than a click. */
const stolenSession = ({ configFile, rulebook }: Config) =>
  configFile === undefined && rulebook.policy.rules.some(({ demands = [] }) => demands.length > 0)
    ? { victim: 'U0CAROL', asker: 'U0ALICE', channel: 'C0GENERAL', command: '/cloud reboot db-1' }
    : undefined;

function givenSecret({ secretsDir }: Config, name: string): string | undefined {
  const secrets = createSecrets(process.env, secretsDir, { learn: () => undefined });
  return rescue(() => secrets.resolve(`secret:${name}`));
}

const notInstalled = z.object({ code: z.literal('ERR_MODULE_NOT_FOUND') });

/** @throws BellhopError if the playground or one of its packages is missing */
async function load<M>(config: Config, importModule: () => Promise<M>): Promise<M> {
  try {
    return await importModule();
  } catch (error) {
    if (!notInstalled.safeParse(error).success) throw error;
    throw badConfiguration(howToGetIt(config), { cause: error });
  }
}

function howToGetIt({ service, slack }: Config): string {
  const variables = [
    ...(service === 'local' ? ['API_BASE_URL', 'API_KEY'] : []),
    ...(slack === 'local' ? ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET'] : []),
  ];
  return (
    'The playground, which stands in for Slack and the service, is not installed: ' +
    `run "npm ci" in a checkout of the repository, or set ${variables.join(', ')}.`
  );
}

function localInventory(inventory: Inventory, account: string | undefined): LocalInventory {
  const own = <T extends { readonly account?: string | undefined }>(listed: Readonly<Record<string, T>>) =>
    Object.entries(listed).filter(([, entry]) => entry.account === account);
  const located = (entry: {
    readonly project?: number | undefined;
    readonly region?: number | undefined;
  }) => {
    const region = entry.region ?? inventory.region ?? 76;
    return {
      project: entry.project ?? inventory.project ?? 1186668,
      region,
      regionName: inventory.regions[String(region)],
    };
  };
  return {
    instances: Object.fromEntries(
      own(inventory.instances).map(([name, entry]) => [
        name,
        { ...located(entry), id: entry.id, labels: entry.labels },
      ]),
    ),
    containers: Object.fromEntries(
      own(inventory.containers).map(([name, entry]) => [name, { ...located(entry), labels: entry.labels }]),
    ),
  };
}
