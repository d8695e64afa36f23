/** Slack, and GovSlack. */
const domains = ['slack.com', 'slack-gov.com'] as const;

/**
 * Whether an address that came in a payload or a reply is Slack's own: `host` below one of its domains, any where it is
 * left out, or the origin that `SLACK_API_URL` names. A forged one must not make the bot call something inside our network.
 */
export function isSlackAddress(address: string, slackApiUrl: string, host?: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname } = new URL(address);
  if (origin === new URL(slackApiUrl).origin) return true;
  return domains.some((domain) =>
    host === undefined
      ? protocol === 'https:' && hostname.endsWith(`.${domain}`)
      : origin === `https://${host}.${domain}`,
  );
}
