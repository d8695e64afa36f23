import type { Config } from '../config/environment/config.ts';

/** Which half is local: said in every message; nothing where both are real. */
export function realityNotices({ slack, service }: Pick<Config, 'slack' | 'service'>): readonly string[] {
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
