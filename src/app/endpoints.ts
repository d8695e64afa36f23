import { randomBytes } from 'node:crypto';

import type { Config } from '../config/environment/config.ts';
import { type LocalService, type LocalSlack, startService, startSlack } from './playground.ts';

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
  /** Values of secrets that come with what is local, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Said in every message. */
  readonly notices: readonly string[];
  /** The page of the local workspace, where there is one. */
  readonly page: string | undefined;
  close(): Promise<void>;
}

const secret = (): string => randomBytes(24).toString('hex');

/** Starts what is configured to be local; the rest is where the configuration says. */
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
    secrets: slack?.secrets ?? {},
    notices: realityNotices(config),
    page: slack?.workspace.url,
    async close() {
      await slack?.workspace.close();
      await service?.close();
    },
  };
}

/** Which half is local: said in every message; nothing where both are real. */
function realityNotices({ slack, service }: Pick<Config, 'slack' | 'service'>): readonly string[] {
  if (service !== 'local') {
    if (slack !== 'local') return [];
    return [`Slack is local, the service is real: changes happen at ${new URL(service.baseUrl).host}.`];
  }
  return [
    slack === 'local'
      ? 'Local service: nothing real is touched.'
      : 'Slack is real, the service is local: nothing real is touched.',
  ];
}

/**
 * What the terminal says once Bellhop is ready. Where Slack is local, the last line is the address to open.
 * @param page of the local workspace
 * @param url where the bot listens
 */
export function greeting(
  { slack, service }: Pick<Config, 'slack' | 'service'>,
  page: string | undefined,
  url: string,
): string {
  const local = service === 'local';
  if (page === undefined) {
    const receives = slack !== 'local' && slack.kind === 'socket' ? 'Socket Mode' : `${url}/slack/events`;
    const way = `Bellhop is ready: Slack ⇄ ${receives} ⇄`;
    return local
      ? `${way} the local service. Only Slack is real: commands touch nothing.`
      : `${way} ${service.baseUrl}`;
  }
  const what = local
    ? 'Everything is local: no Slack, the local service.'
    : `Only Slack is local: the service is real, ${service.baseUrl}.`;
  return `Bellhop is ready. ${what} Stop with Ctrl-C.\nOpen ${page}`;
}
