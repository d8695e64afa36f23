import { z } from 'zod';

import { longestText } from '../../command/grammar/words.ts';
import type { PersonMessage } from '../receive/payload-schemas.ts';

/** An escaped character takes at most five, so a longer text can't be a valid command. */
const longestEscaped = 5 * longestText;

/**
 * The text of a slash command as it was typed: mentions become `@U…` and `#C…`, links their address, entities characters.
 * Slack sends it escaped because the manifest sets `should_escape`. Texts that are too long for a command are not changed.
 */
export const commandText = (text: string): string => (text.length > longestEscaped ? text : unescaped(text));

/** Slack escapes `<` in labels, so nothing is replaced twice. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^<>]*)?>/gu, '$1$2')
    .replaceAll(/<((?:https?|mailto):[^|<>\s]+)(?:\|([^<>]*))?>/gu, (_, address: string, label?: string) =>
      linkText(address, label),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Slack turns `web-1.example.com` into a link; the label is what was typed. Other labels are ignored. */
const linkText = (address: string, label: string | undefined): string =>
  label !== undefined && ['http://', 'https://', 'mailto:'].some((scheme) => `${scheme}${label}` === address)
    ? label
    : address;

/** The command in a message, or `unclear` if it is not plain text. */
export type Asked = { readonly line: string } | 'unclear';

/**
 * The command in a message: the text after the mention at its start; in a direct message all of it. Undefined if the message
 * is not for Bellhop: a mention further on, or in a quote, a list or code.
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
 * Whether words follow a mention of Bellhop that is not at the start. `hey @bellhop reboot web-1` looks like a command, but
 * is not one.
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
  /** The message starts with a mention of Bellhop. */
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

/** Only sections of rich text are plain; the others are lists, quotes and code blocks. */
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

/** The text as typed; undefined for elements that are not typed, or are struck through. */
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

/** A message without blocks, in mrkdwn. */
function askedInText(text: string, bot: string): Found {
  const addressing = new RegExp(`^(?:\\s*<@${bot}(?:\\|[^<>]*)?>)+`, 'u').exec(text)?.[0] ?? '';
  const mentioned = addressing !== '';
  const rest = text.slice(addressing.length);
  // The grammar rejects it for its length.
  if (rest.length > longestEscaped) return { mentioned, asked: { line: rest } };
  if (/```|^[^\S\n\r\u2028\u2029]*&gt;/mu.test(rest)) return { mentioned, asked: 'unclear' };
  return { mentioned, asked: { line: withoutColon(commandText(rest), mentioned) } };
}

/** `@bellhop: reboot web-1` */
const withoutColon = (line: string, mentioned: boolean): string =>
  (mentioned ? line.replace(/^\s*[:,]/u, '') : line).trim();
