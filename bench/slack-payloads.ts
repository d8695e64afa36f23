import { createHmac } from 'node:crypto';

export const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';

/** A slash command as Slack sends it. */
export interface SlashCommand {
  readonly command: string;
  readonly text: string;
  readonly responseUrl: string;
}

export interface SignedPayload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let numbered = 0;

/** A command like no other before it, signed now. Asked by one of 200 people. */
export function signedCommand({ command, text, responseUrl }: SlashCommand): SignedPayload {
  numbered += 1;
  const body = new URLSearchParams({
    token: 'gIkuvaNzQIHg97ATvDxqgjtO',
    team_id: 'T0LOCAL',
    team_domain: 'example',
    channel_id: 'C0OPS',
    channel_name: 'ops',
    user_id: `U0PERSON${numbered % 200}`,
    user_name: 'alice',
    command,
    text,
    api_app_id: 'A0BELLHOP',
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: `13345224609.738474920.${process.pid}x${numbered}`,
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    },
    body,
  };
}
