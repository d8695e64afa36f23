import type { Config } from '../config.ts';

/** Every secret that the configuration holds, to be learnt by the mask before anything is logged. */
export function configSecrets(config: Pick<Config, 'slack' | 'service' | 'store'>): readonly string[] {
  return [...slackSecrets(config.slack), ...serviceSecrets(config.service), ...storeSecrets(config.store)];
}

function slackSecrets(slack: Config['slack']): readonly string[] {
  if (slack === 'local') return [];
  return [slack.botToken, slack.kind === 'http' ? slack.signingSecret : slack.appToken];
}

const serviceSecrets = (service: Config['service']): readonly string[] =>
  service === 'local' ? [] : [service.apiKey];

function storeSecrets(store: Config['store']): readonly string[] {
  if (!('databaseUrl' in store)) return [];
  const { password, searchParams } = new URL(store.databaseUrl);
  const passwords = [password, decodeURIComponent(password), searchParams.get('password') ?? ''];
  return [...new Set(passwords.filter((secret) => secret !== ''))];
}
