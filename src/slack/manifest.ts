import type { Registry, Entry } from '../model/registry.ts';
import { joinFitting } from '../text/words.ts';
import { usageHint } from '../command/grammar/help.ts';
import { runOnThisForm } from './handle/run-on-this.ts';
import { botScopes } from './web-api/scopes.ts';

/** The bot's public URL. The team enters its own host when the app is created. Socket Mode does not use a URL. */
const requestUrl = 'https://bellhop.example.com/slack/events';

const maxDescription = 140;
const maxHint = 1000;

/**
 * The app's description for Slack, derived from the operations. Names have at most 35 characters, descriptions 140. Source: app
 * manifest reference.
 */
export function manifestOf(registry: Registry, mode: 'http' | 'socket') {
  const url = mode === 'http' ? { url: requestUrl } : {};
  const interactivity =
    mode === 'http' ? { request_url: requestUrl, message_menu_options_url: requestUrl } : {};
  return {
    display_information: {
      name: 'Bellhop',
      description: 'Operations for people on call: run exactly once, or reported as unknown.',
      long_description:
        'Reboot or stop an instance, check a container, list floating IPs, read CDN metrics and capacity, change ' +
        'raw-log export, post and list storage events, all from the incident channel. Every change follows your ' +
        'rules, runs exactly once or is reported as unknown, and is recorded in an audit log.',
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
        ...(mode === 'http' ? { request_url: requestUrl } : {}),
        bot_events: ['app_home_opened', 'app_mention', 'message.im'],
      },
      interactivity: { is_enabled: true, ...interactivity },
      org_deploy_enabled: false,
      socket_mode_enabled: mode === 'socket',
      token_rotation_enabled: false,
    },
  };
}

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

/** For example `reboot <instance> · stop <instance>`, which is each verb with its required inputs. Ends at a whole verb. */
function hint(entries: readonly Entry[]): string {
  const verbs = entries.map((entry) => usageHint(entry).replaceAll(/ \[--[^[\]]*\]/gu, ''));
  const whole = verbs.join(' · ');
  return whole.length <= maxHint
    ? whole
    : [joinFitting(verbs, ' · ', maxHint - 4), '…'].filter(Boolean).join(' · ');
}
