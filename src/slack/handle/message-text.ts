import { z } from 'zod';

import { longestText } from '../../command/grammar/words.ts';
import type { PersonMessage } from '../receive/payload-schemas.ts';

/** An escaped character takes five at most: a longer text is too long a command however it reads. */
const longestEscaped = 5 * longestText;

/**
 * The text of a slash command as it was typed: mentions to `@U…` and `#C…`, links to their address, entities to
 * characters. Slack sends it escaped because the manifest asks for it (`should_escape`). What is too long for a command
 * stays as it is.
 */
export const commandText = (text: string): string => (text.length > longestEscaped ? text : unescaped(text));

/** A label holds no `<`, which Slack escapes: so nothing is replaced twice. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^<>]*)?>/gu, '$1$2')
    .replaceAll(/<((?:https?|mailto):[^|<>\s]+)(?:\|([^<>]*))?>/gu, (_, address: string, label?: string) =>
      linkText(address, label),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Slack makes a link of `web-1.example.com` by itself: that is what was typed. Another label says nothing of the address. */
const linkText = (address: string, label: string | undefined): string =>
  label !== undefined && ['http://', 'https://', 'mailto:'].some((scheme) => `${scheme}${label}` === address)
    ? label
    : address;

/** What a message asks of Bellhop: a command in words, or `unclear` where it is not plain text. */
export type Asked = { readonly line: string } | 'unclear';

/**
 * The command in a message: what stands after the mention that it begins with; in a direct message all of it. Undefined where
 * the message says nothing to Bellhop: a mention further on, in a quote, a list or code.
 */
export function askedIn(message: PersonMessage, botUserId: string): Asked | undefined {
  const rich = richText(message);
  const asked =
    rich.length > 0
      ? askedInParts(
          rich.flatMap(({ elements = [] }) => elements),
          botUserId,
        )
      : askedInText(message.text, botUserId);
  return asked?.mentioned === true || message.channel_type === 'im' ? asked?.asked : undefined;
}

const richText = ({ blocks = [] }: PersonMessage) => blocks.filter(({ type }) => type === 'rich_text');

/**
 * Whether its plain text has words behind a mention of Bellhop that it does not begin with: `hey @bellhop reboot web-1` looks
 * like a command, and is none.
 */
export function mentionsInPassing(message: PersonMessage, botUserId: string): boolean {
  return richText(message)
    .flatMap(({ elements = [] }) => elements)
    .filter(({ type }) => type === 'rich_text_section')
    .some(({ elements: inside = [] }) => {
      const elements = z.array(richElement).safeParse(inside).data ?? [];
      const at = elements.findIndex((element) => isMention(element, botUserId));
      return at >= 0 && elements.slice(at + 1).some(({ text = '' }) => /\w/u.test(text));
    });
}

interface Found {
  /** It begins with a mention of Bellhop. */
  readonly mentioned: boolean;
  readonly asked: Asked;
}

/** An element of a `rich_text_section`. */
const richElement = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  user_id: z.string().optional(),
  channel_id: z.string().optional(),
  name: z.string().optional(),
  style: z.looseObject({ code: z.boolean().optional(), strike: z.boolean().optional() }).optional(),
});
type RichElement = z.output<typeof richElement>;

/** Of the parts of rich text only a section is plain: the others are lists, quotes and blocks of code. */
function askedInParts(
  parts: readonly { type: string; elements?: unknown[] | undefined }[],
  bot: string,
): Found | undefined {
  const [first] = parts;
  if (first?.type !== 'rich_text_section') return { mentioned: false, asked: 'unclear' };
  const elements = z.array(richElement).safeParse(parts.flatMap(({ elements: inside = [] }) => inside)).data;
  if (!elements) return undefined;
  const begin = elements.findIndex((element) => !isMention(element, bot) && !isBlank(element));
  const addressing = begin < 0 ? elements : elements.slice(0, begin);
  const mentioned = addressing.some((element) => isMention(element, bot));
  const plain = parts.every(({ type }) => type === 'rich_text_section');
  const words = begin < 0 ? [] : elements.slice(begin).map((element) => typedText(element));
  if (!plain || words.includes(undefined)) return { mentioned, asked: 'unclear' };
  return { mentioned, asked: { line: withoutColon(words.join(''), mentioned) } };
}

const isMention = ({ type, user_id: user, style }: RichElement, bot: string): boolean =>
  type === 'user' && user === bot && style?.code !== true && style?.strike !== true;
const isBlank = ({ type, text = '' }: RichElement): boolean => type === 'text' && text.trim() === '';

/** As a person types it; undefined for what is not typed, or was struck out. */
function typedText({ type, text, url, user_id, channel_id, name, style }: RichElement): string | undefined {
  if (style?.strike === true) return undefined;
  switch (type) {
    case 'text':
      return style?.code === true ? `\`${text ?? ''}\`` : text;
    case 'link':
      return url === undefined ? undefined : linkText(url, text);
    case 'user':
      return user_id === undefined ? undefined : `@${user_id}`;
    case 'channel':
      return channel_id === undefined ? undefined : `#${channel_id}`;
    case 'emoji':
      return name === undefined ? undefined : `:${name}:`;
    default:
      return undefined;
  }
}

/** A message that came without blocks: mrkdwn. */
function askedInText(text: string, bot: string): Found {
  const addressing = new RegExp(`^(?:\\s*<@${bot}(?:\\|[^<>]*)?>)+`, 'u').exec(text)?.[0] ?? '';
  const mentioned = addressing !== '';
  const rest = text.slice(addressing.length);
  // Refused for its length wherever it is read as a command.
  if (rest.length > longestEscaped) return { mentioned, asked: { line: rest } };
  if (/```|^[^\S\n\r\u2028\u2029]*&gt;/mu.test(rest)) return { mentioned, asked: 'unclear' };
  return { mentioned, asked: { line: withoutColon(commandText(rest), mentioned) } };
}

/** `@bellhop: reboot web-1` */
const withoutColon = (line: string, mentioned: boolean): string =>
  (mentioned ? line.replace(/^\s*[:,]/u, '') : line).trim();
