/** Payloads as Slack sends them, with the fields that matter here. */
export const command = {
  command: '/cloud',
  text: 'reboot web-1',
  team_id: 'T0LOCAL',
  team_domain: 'local',
  channel_id: 'C0OPS',
  channel_name: 'ops',
  user_id: 'U0ALICE',
  user_name: 'alice',
  trigger_id: '123.456.abc',
  response_url: 'https://hooks.slack.com/commands/T0LOCAL/1/2',
  is_enterprise_install: 'false',
  api_app_id: 'A0BELLHOP',
};

const person = { id: 'U0ALICE', team_id: 'T0LOCAL', username: 'alice' };
const team = { id: 'T0LOCAL', domain: 'local' };

export const click = {
  type: 'block_actions',
  user: person,
  team,
  enterprise: null,
  is_enterprise_install: false,
  api_app_id: 'A0BELLHOP',
  trigger_id: '123.456.abc',
  response_url: 'https://hooks.slack.com/actions/T0LOCAL/1/2',
  container: { type: 'message', message_ts: '1763700000.000100', channel_id: 'C0OPS', is_ephemeral: false },
  channel: { id: 'C0OPS', name: 'ops' },
  message: { ts: '1763700000.000100', type: 'message', text: 'proposed' },
  state: { values: {} },
  actions: [
    { type: 'button', action_id: 'confirm', block_id: 'b1', value: 'r-1', action_ts: '1763700001.000200' },
  ],
};

export const shortcut = {
  type: 'message_action',
  callback_id: 'run-on-this',
  user: person,
  team,
  trigger_id: '123.456.abc',
  response_url: 'https://hooks.slack.com/app/T0LOCAL/1/2',
  channel: { id: 'C0OPS', name: 'ops' },
  message_ts: '1763700000.000100',
  action_ts: '1763700001.000200',
  message: { type: 'message', user: 'U0BOB', ts: '1763700000.000100', text: 'web-1 hangs' },
};

const view = {
  id: 'V1',
  type: 'modal',
  callback_id: 'ask',
  private_metadata: '{}',
  hash: '1.abc',
  blocks: [
    { type: 'section', block_id: 's1' },
    { type: 'input', block_id: 'name' },
  ],
  state: { values: { name: { value: { type: 'plain_text_input', value: 'web-1' } } } },
};

export const submission = { type: 'view_submission', user: person, team, trigger_id: '1.2.c', view };
export const suggestion = {
  type: 'block_suggestion',
  user: person,
  team,
  action_id: 'value',
  block_id: 'name',
  value: 'we',
  view,
};
export const event = {
  type: 'event_callback',
  team_id: 'T0LOCAL',
  event_id: 'Ev1',
  event_time: 1_763_700_000,
  event: { type: 'app_home_opened', user: 'U0ALICE', channel: 'D0ALICE', tab: 'home' },
};
export const mention = {
  ...event,
  event: {
    type: 'app_mention',
    channel: 'C0OPS',
    user: 'U0ALICE',
    team: 'T0LOCAL',
    text: '<@U0BELLHOP> reboot web-1',
    ts: '1763700000.000100',
    event_ts: '1763700000.000100',
    blocks: [
      {
        type: 'rich_text',
        block_id: 'b1',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'user', user_id: 'U0BELLHOP' },
              { type: 'text', text: ' reboot web-1' },
            ],
          },
        ],
      },
    ],
  },
};

export const commandBody = (fields: Readonly<Record<string, string>> = command): string =>
  new URLSearchParams(fields).toString();
export const interactionBody = (payload: object): string =>
  new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
