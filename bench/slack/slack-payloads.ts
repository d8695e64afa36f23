import { createHmac } from 'node:crypto';

import { cardBlock } from '../../src/slack/cards/card-words.ts';

export const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';

/** A slash command as Slack sends it. */
export interface SlashCommand {
  readonly command: string;
  readonly text: string;
  readonly responseUrl: string;
  /** Default: one of 200 people. */
  readonly user?: string;
}

/** A press of a button, as Slack sends it. */
export interface ButtonPress {
  /** Default: the button that confirms. */
  readonly action?: string;
  /** The value of the button. */
  readonly request: string;
  /** The `ts` of the card. */
  readonly ts: string;
  readonly text: string;
  readonly user: string;
  readonly responseUrl: string;
}

export interface SignedPayload {
  /** Default: where Slack sends commands and clicks. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

let numbered = 0;

/** A command that differs from all earlier ones, signed now. */
export function signedCommand({ command, text, responseUrl, user }: SlashCommand): SignedPayload {
  numbered += 1;
  return signed({
    token: 'gIkuvaNzQIHg97ATvDxqgjtO',
    team_id: 'T0LOCAL',
    team_domain: 'example',
    channel_id: 'C0OPS',
    channel_name: 'ops',
    user_id: user ?? `U0PERSON${numbered % 200}`,
    user_name: 'alice',
    command,
    text,
    api_app_id: 'A0BELLHOP',
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: `13345224609.738474920.${process.pid}x${numbered}`,
  });
}

/** A click that differs from all earlier ones, signed now. */
export function signedClick({
  action = 'confirm',
  request,
  ts,
  text,
  user,
  responseUrl,
}: ButtonPress): SignedPayload {
  numbered += 1;
  return signed({
    payload: JSON.stringify({
      type: 'block_actions',
      team: { id: 'T0LOCAL', domain: 'example' },
      user: { id: user, username: 'alice', name: 'alice', team_id: 'T0LOCAL' },
      api_app_id: 'A0BELLHOP',
      trigger_id: `13345224609.738474920.${process.pid}x${numbered}`,
      response_url: responseUrl,
      container: { type: 'message', message_ts: ts, channel_id: 'C0OPS', is_ephemeral: false },
      channel: { id: 'C0OPS', name: 'ops' },
      message: { type: 'message', user: 'U0BELLHOP', ts, text, blocks: [] },
      state: { values: {} },
      actions: [
        {
          type: 'button',
          action_id: action,
          block_id: cardBlock({ id: request }),
          text: { type: 'plain_text', text: 'Reboot', emoji: false },
          value: request,
          style: 'danger',
          action_ts: `1763700001.${numbered}`,
        },
      ],
    }),
  });
}

function signed(fields: Readonly<Record<string, string>>): SignedPayload {
  const body = new URLSearchParams(fields).toString();
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
