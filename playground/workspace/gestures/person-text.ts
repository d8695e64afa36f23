import { APP, CHANNELS, PEOPLE } from '../conversations/directory.ts';

const TOKEN = /<[@#][A-Z0-9]+(?:\|[^<>]*)?>|(?<![\p{L}\d])(?:@[\p{L}\d_-]+|#[a-z0-9_-]+)/gu;

/** What a person typed, with `&`, `<` and `>` escaped and mentions as Slack writes them in messages. */
export function asMessage(typed: string, appName: string): string {
  return replaceMentions(
    typed,
    (mention) => (mention.kind === 'user' ? `<@${mention.id}>` : `<#${mention.id}|${mention.name}>`),
    appName,
  );
}

/**
 * What was typed after a slash command. With `should_escape` mentions arrive as `<@U0ALICE|alice>`; without, as typed.
 * Source: docs.slack.dev/interactivity/implementing-slash-commands.
 */
export function asCommandText(typed: string, shouldEscape: boolean, appName: string): string {
  return shouldEscape
    ? replaceMentions(typed, ({ id, name, sign }) => `<${sign}${id}|${name}>`, appName)
    : escape(typed);
}

interface Mention {
  readonly kind: 'user' | 'channel';
  readonly sign: '@' | '#';
  readonly id: string;
  readonly name: string;
}

function replaceMentions(typed: string, write: (mention: Mention) => string, appName: string): string {
  let done = 0;
  let text = '';
  for (const match of typed.matchAll(TOKEN)) {
    const mention = findMention(match[0], appName);
    if (mention === undefined) continue;
    text += escape(typed.slice(done, match.index)) + write(mention);
    done = match.index + match[0].length;
  }
  return text + escape(typed.slice(done));
}

function findMention(token: string, appName: string): Mention | undefined {
  const reference = token.replaceAll(/^<|\|.*|>$/g, '').slice(1);
  if (/^<?#/.test(token)) {
    const channel = CHANNELS.find(({ id, name }) => id === reference || name === reference);
    return channel && { kind: 'channel', sign: '#', id: channel.id, name: channel.name };
  }
  const lower = reference.toLowerCase();
  const users = [...PEOPLE, { id: APP.user_id, name: appName.toLowerCase() }];
  const user = users.find(({ id, name }) => id === reference || name === lower);
  return user && { kind: 'user', sign: '@', id: user.id, name: user.name };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
