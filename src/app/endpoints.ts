import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { Config } from '../config/config.ts';
import { localInventory } from './playground-inventory.ts';
import type { LocalService } from '../../playground/service/start-local-service.ts';
import type { Workspace } from '../../playground/workspace/start-workspace.ts';
import { withPort } from './port-taken.ts';
import { realityNotices } from './greeting.ts';

/** What the bot talks to, wherever it is. */
export interface Endpoints {
  readonly service: { readonly baseUrl: string; readonly apiKey: string; readonly clientId?: number };
  readonly slack: {
    readonly botToken: string;
    readonly signingSecret: string;
    /** Set in Socket Mode. */
    readonly appToken: string | undefined;
    /** Ends in a slash. */
    readonly apiUrl: string;
  };
  /** Said in every message. */
  readonly notices: readonly string[];
  /** The page of the local workspace, where there is one. */
  readonly page: string | undefined;
  close(): Promise<void>;
}

/** What is local is for this machine alone. */
const host = '127.0.0.1';

const secret = (): string => randomBytes(24).toString('hex');

/**
 * Starts what is configured to be local; the rest is where the configuration says. What is not started is not loaded:
 * in production that would be a fifth of all modules.
 */
export async function resolveEndpoints(config: Config): Promise<Endpoints> {
  const service = config.service === 'local' ? await startService(config) : undefined;
  try {
    const workspace = config.slack === 'local' ? await startSlack(config, service) : undefined;
    return endpoints(config, service, workspace);
  } catch (error) {
    await service?.close();
    throw error;
  }
}

interface LocalSlack {
  readonly workspace: Workspace;
  readonly botToken: string;
  readonly signingSecret: string;
}

function endpoints(
  config: Config,
  service: LocalService | undefined,
  slack: LocalSlack | undefined,
): Endpoints {
  return {
    service:
      config.service === 'local'
        ? { baseUrl: service?.url ?? '', apiKey: service?.apiKey ?? '' }
        : {
            baseUrl: config.service.baseUrl,
            apiKey: config.service.apiKey,
            ...(config.service.clientId === undefined ? {} : { clientId: config.service.clientId }),
          },
    slack:
      config.slack === 'local'
        ? {
            botToken: slack?.botToken ?? '',
            signingSecret: slack?.signingSecret ?? '',
            appToken: undefined,
            apiUrl: `${slack?.workspace.url ?? ''}/api/`,
          }
        : {
            botToken: config.slack.botToken,
            // Nothing is signed in Socket Mode: no request to the HTTP port can then be a payload.
            signingSecret: config.slack.kind === 'http' ? config.slack.signingSecret : secret(),
            appToken: config.slack.kind === 'socket' ? config.slack.appToken : undefined,
            apiUrl: config.slack.apiUrl,
          },
    notices: realityNotices(config),
    page: slack?.workspace.url,
    async close() {
      await slack?.workspace.close();
      await service?.close();
    },
  };
}

async function startService(config: Config): Promise<LocalService> {
  const { startLocalService } = await import('../../playground/service/start-local-service.ts');
  const address = { host, port: config.localServicePort } as const;
  return withPort({ setting: 'LOCAL_SERVICE_PORT', ...address }, () =>
    startLocalService({
      ...address,
      dataDir: join(config.dataDir, 'service'),
      apiKey: secret(),
      inventory: localInventory(config.rulebook.inventory),
    }),
  );
}

async function startSlack(config: Config, service: LocalService | undefined): Promise<LocalSlack> {
  const [botToken, signingSecret] = [`xoxb-local-${secret()}`, secret()];
  const { startWorkspace } = await import('../../playground/workspace/start-workspace.ts');
  const address = { host, port: config.localPort } as const;
  const workspace = await withPort({ setting: 'LOCAL_PORT', ...address }, () =>
    startWorkspace({
      ...address,
      dataDir: join(config.dataDir, 'workspace'),
      appUrl: `http://127.0.0.1:${config.port}/slack/events`,
      botToken,
      signingSecret,
      manifestPath: join(import.meta.dirname, '../../manifest.json'),
      ...(service === undefined ? {} : { service: { url: service.url, apiKey: service.apiKey } }),
    }),
  );
  return { workspace, botToken, signingSecret };
}
