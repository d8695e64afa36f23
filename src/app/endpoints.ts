import { randomBytes } from 'node:crypto';

import type { Redactor } from '../command/redactor.ts';
import type { Config } from '../config/environment/environment.ts';
import type { Rotate } from '../config/environment/secrets.ts';
import { serviceVariables, slackVariables } from '../config/environment/variables.ts';
import { operations as builtIn } from '../operations/index.ts';
import type { Operation } from '../model/operation.ts';
import { startService, startSlack } from './playground.ts';

export interface Endpoints {
  readonly service: {
    readonly baseUrl: string;
    /** One key, or the new and the old key during a rotation. */
    readonly apiKeys: () => readonly string[];
    readonly clientId?: number | undefined;
  };
  /** By name of the account. */
  readonly accounts: Readonly<Record<string, { readonly baseUrl: string; readonly apiKey: string }>>;
  readonly slack: SlackEndpoint;
  /** In every message. */
  readonly disclaimers: readonly string[];
  close(): Promise<void>;
}

interface SlackEndpoint {
  readonly botToken: () => string;
  readonly signingSecrets: () => readonly string[];
  /** Set only in Socket Mode. */
  readonly appToken?: (() => string) | undefined;
  /** The URL ends in a slash. */
  readonly apiUrl: string;
  readonly page?: string | undefined;
  /** By name of the secret. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
}

/** Starts the parts that are configured as local. The log masks the secrets of all parts. */
export async function resolveEndpoints(
  config: Config,
  operations: readonly Operation[],
  rotate: Rotate,
  mask: Pick<Redactor, 'learn'>,
): Promise<Endpoints> {
  const started = new AsyncDisposableStack();
  const close = (): Promise<void> => started.disposeAsync();
  const opened = <T extends { close(): Promise<void> }>(local: T): T =>
    started.adopt(local, () => local.close());
  try {
    const { production } = config;
    let local: Awaited<ReturnType<typeof startService>> | undefined;
    let service: Endpoints['service'];
    if (config.service === 'local') {
      local = opened(await startService(config));
      const { baseUrl, apiKey } = local;
      service = { baseUrl, apiKeys: () => [apiKey] };
    } else service = remoteService(config.service, production, rotate);
    const accounts = local ? await startAccounts(config, opened) : {};
    const slack =
      config.slack === 'local'
        ? localSlack(opened(await startSlack(config, operations, local)))
        : remoteSlack(config.slack, production, rotate);
    for (const secret of [...service.apiKeys(), slack.botToken(), ...slack.signingSecrets()])
      mask.learn(secret);
    for (const { apiKey } of Object.values(accounts)) mask.learn(apiKey);
    return { service, accounts, slack, disclaimers: disclaimersOf(config, operations), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAccounts(
  config: Config,
  opened: <T extends { close(): Promise<void> }>(local: T) => T,
): Promise<Endpoints['accounts']> {
  const started: Record<string, Endpoints['accounts'][string]> = {};
  for (const [name, { baseUrl }] of Object.entries(config.rulebook.inventory.accounts ?? {}))
    if (baseUrl === 'local') started[name] = opened(await startService(config, name));
  return started;
}

function remoteService(
  service: Exclude<Config['service'], 'local'>,
  production: boolean,
  rotate: Rotate,
): Endpoints['service'] {
  const { API_KEY } = serviceVariables(production).shape;
  return { ...service, apiKeys: rotate('API_KEY', service.apiKeys, API_KEY, (keys) => keys) };
}

const localSlack = ({
  botToken,
  signingSecret,
  ...local
}: Awaited<ReturnType<typeof startSlack>>): SlackEndpoint => ({
  ...local,
  botToken: () => botToken,
  signingSecrets: () => [signingSecret],
});

function remoteSlack(
  slack: Exclude<Config['slack'], 'local'>,
  production: boolean,
  rotate: Rotate,
): SlackEndpoint {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET } = slackVariables(production).shape;
  const { apiUrl } = slack;
  const botToken = rotate('SLACK_BOT_TOKEN', slack.botToken, SLACK_BOT_TOKEN, (token) => [token]);
  if (slack.kind === 'http') {
    const { signingSecrets: first } = slack;
    const signingSecrets = rotate('SLACK_SIGNING_SECRET', first, SLACK_SIGNING_SECRET, (all) => all);
    return { apiUrl, botToken, signingSecrets };
  }
  const appToken = rotate('SLACK_APP_TOKEN', slack.appToken, SLACK_APP_TOKEN, (token) => [token]);
  // Slack signs nothing in Socket Mode. With a random secret, the HTTP port accepts no request as a payload.
  const unknownSecret = [randomBytes(24).toString('hex')];
  return { apiUrl, botToken, appToken, signingSecrets: () => unknownSecret };
}

function disclaimersOf(
  { slack, service }: Pick<Config, 'slack' | 'service'>,
  operations: readonly Operation[],
): readonly string[] {
  if (service !== 'local') {
    if (slack !== 'local') return [];
    return [`Slack is local, but the service is real. Changes happen at ${new URL(service.baseUrl).host}.`];
  }
  const touched = touchedBy(operations);
  return [
    slack === 'local' ? `Local service: ${touched}` : `Slack is real, but the service is local: ${touched}`,
  ];
}

/** Own operations call real services even if the service is local. */
const touchedBy = (operations: readonly Operation[]): string =>
  operations.some((operation) => !builtIn.includes(operation))
    ? 'only your own operations touch anything real.'
    : 'nothing real is touched.';

/** If Slack is local, the last line is the URL of the local workspace's page. */
export function greeting(
  { slack, service }: Pick<Config, 'slack' | 'service'>,
  operations: readonly Operation[],
  { page, url }: { readonly page: string | undefined; readonly url: string },
): string {
  if (page === undefined) {
    const receives = slack !== 'local' && slack.kind === 'socket' ? 'Socket Mode' : `${url}/slack/events`;
    const way = `Bellhop is ready: Slack ⇄ ${receives} ⇄`;
    return service === 'local'
      ? `${way} the local service, so ${touchedBy(operations)}`
      : `${way} ${service.baseUrl}`;
  }
  const what =
    service === 'local'
      ? `Slack and the service are simulated: ${touchedBy(operations)}`
      : `Only Slack is local. The service is real: ${service.baseUrl}.`;
  return `Bellhop is ready. ${what} Stop with Ctrl-C.\nOpen ${page}`;
}
