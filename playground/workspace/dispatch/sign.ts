import { createHmac } from 'node:crypto';

/**
 * The headers that prove to an app that a request is from Slack: `v0=` and the HMAC-SHA256 of `v0:<timestamp>:<body>`.
 * Source: docs.slack.dev/authentication/verifying-requests-from-slack.
 * @param now epoch milliseconds
 */
export function signatureHeaders(body: string, signingSecret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` };
}
