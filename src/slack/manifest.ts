import type { Registry, Entry } from '../model/registry.ts';
import { joinFitting } from '../text/words.ts';
import { usageHint } from '../command/grammar/help.ts';
import { runOnThisForm } from './handle/run-on-this.ts';
import { botScopes } from './web-api/scopes.ts';

/** Over Socket Mode, or over HTTP to a public address. */
export type SlackMode = 'socket' | { readonly address: string };
export const exampleAddress: SlackMode = { address: 'https://bellhop.example.com' };

const maxDescription = 140;
const maxHint = 1000;

/** The app's description for Slack, made from the operations. Source of the limits: app manifest reference. */
export function manifestOf(registry: Registry, mode: SlackMode) {
  const requestUrl = mode === 'socket' ? undefined : `${mode.address}/slack/events`;
  const url = requestUrl === undefined ? {} : { url: requestUrl };
  const events = requestUrl === undefined ? {} : { request_url: requestUrl };
  const options = requestUrl === undefined ? {} : { message_menu_options_url: requestUrl };
  return {
    display_information: {
      name: 'Bellhop',
      description: 'A Slack bot for people on call. A change never runs twice.',
      long_description:
        'Reboot or stop an instance, check a container, list floating IPs, read CDN metrics and capacity, change ' +
        'raw-log export, post and list storage events, all from the incident channel. Every change follows your ' +
        'rules, never runs twice, and is recorded in an audit log.',
      background_color: '#1f2a44',
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: 'bellhop', always_online: true },
      shortcuts: [
        {
          name: 'Run on this…',
          type: 'message',
          callback_id: runOnThisForm,
          description: 'Run a command on an instance or container named in the message.',
        },
      ],
      slash_commands: [...registry.areas].map(([area, entries]) => command(area, entries, url)),
    },
    oauth_config: {
      scopes: {
        bot: Object.keys(botScopes),
        bot_optional: Object.keys(botScopes).filter((scope) => botScopes[scope]?.optional),
      },
    },
    settings: {
      event_subscriptions: {
        ...events,
        bot_events: ['app_home_opened', 'app_mention', 'message.im'],
      },
      interactivity: { is_enabled: true, ...events, ...options },
      org_deploy_enabled: false,
      socket_mode_enabled: mode === 'socket',
      token_rotation_enabled: false,
    },
  };
}

/** The page on which Slack creates an app from this manifest. */
export const newAppLink = (manifest: ReturnType<typeof manifestOf>): string =>
  `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest))}`;

const command = (area: string, entries: readonly Entry[], url: { readonly url?: string }) => ({
  command: `/${area}`,
  ...url,
  description: describe(entries),
  usage_hint: hint(entries),
  should_escape: true,
});

const describe = (entries: readonly Entry[]): string =>
  joinFitting(
    entries.map(({ operation }) => operation.summary),
    ' ',
    maxDescription,
  );

/** For example `reboot <instance> · stop <instance>`. Ends at a whole verb. */
function hint(entries: readonly Entry[]): string {
  const verbs = entries.map((entry) => usageHint(entry).replaceAll(/ \[--[^[\]]*\]/gu, ''));
  const whole = verbs.join(' · ');
  return whole.length <= maxHint
    ? whole
    : [joinFitting(verbs, ' · ', maxHint - 4), '…'].filter(Boolean).join(' · ');
}
