import { usage } from '../../command/grammar/help.ts';
import { runCommandLine, type CommandResult } from '../../run/run-command.ts';
import type { Caller } from '../../model/values/actor.ts';
import { readCommandLine } from '../../command/grammar/command-line.ts';
import { format } from '../../command/grammar/format.ts';
import { parse } from '../../command/grammar/grammar.ts';
import type { Registry } from '../../model/registry.ts';
import { type Request, stateWord } from '../../model/records/request.ts';
import { eachOptions } from '../../model/records/whole.ts';
import { RequestInTheWayError } from '../../request/in-the-way.ts';
import { badInput, type BellhopError, rescue } from '../../model/values/errors.ts';
import type { ReceivedContext } from '../receive/dispatch.ts';
import type { PersonMessage, RichElement } from '../receive/payload-schemas.ts';
import { actions, button, disclaimerBlocks, section, type Message } from '../render/blocks.ts';
import { code, safeLine } from '../render/text.ts';
import { abridged, listed } from '../../text/words.ts';
import { limits } from '../render/limits.ts';
import { nextActions } from '../render/report.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';
import { answerCommand, commandText, linkText, longestEscaped } from './command.ts';
import { answerPrivately, sayPrivately, showResult } from './reply.ts';

/**
 * Handles a message like a slash command. If the mention is not at the start, it is not a command, and a message that looks like a command
 * gets a private hint.
 */
export async function handleMessage(
  context: SlackContext,
  botUserId: string,
  { caller, message }: ReceivedContext,
): Promise<void> {
  if (!message || message.user === botUserId) return;
  const asked = askedIn(message, botUserId);
  if (asked === undefined) {
    if (mentionsInPassing(context.registry, message, botUserId))
      await hintAtMention(context, caller, botUserId);
    return;
  }
  const { channel, thread } = caller.place;
  const publicly = thread !== undefined && !channel.startsWith('D');
  await answerCommand(
    context,
    { caller, responseUrl: undefined, publicly },
    {
      run: async (as) => {
        if (asked === 'unclear') throw notPlain(message);
        await refuseLate(context, caller, asked.line, Number(message.ts) * 1_000);
        return runCommandLine(context, as, asked.line);
      },
      typed: asked === 'unclear' ? undefined : asked.line,
      show: (to, result) =>
        result.kind === 'form' && asked !== 'unclear'
          ? offerForm(context, to, asked.line, result)
          : showResult(context, to, undefined, result),
    },
  );
}

function hintAtMention(context: SlackContext, caller: Caller, botUserId: string): Promise<void> {
  const text = `To run a command, start the message with the mention: <@${botUserId}> \`reboot web-1\`.`;
  return sayPrivately(context, { caller, responseUrl: undefined }, text);
}

function notPlain(message: PersonMessage): BellhopError {
  const unread = partsOf(message)
    .filter(isPlain)
    .flatMap(({ elements = [] }) => elements)
    .find((element) => typedText(element) === undefined);
  if (!unread) return badInput('Write the command as plain text, without lists, quotes or code blocks.');
  const kind = unread.style?.strike === true ? 'struck-through text' : `“${abridged(unread.type)}”`;
  return badInput(`Write the command as plain text. Bellhop can't read ${kind} in a message.`);
}

/**
 * In milliseconds. After an outage, Slack may deliver a message hours later, so commands in older messages are rejected. The inbox
 * remembers deliveries for longer than this plus the clock skew, so no message runs twice.
 */
const lateMs = 10 * 60_000;

/**
 * The command may be wrong by now. If Slack also delivered the message in time, the error names the request of that delivery.
 * @throws BellhopError
 */
async function refuseLate(
  context: SlackContext,
  caller: Caller,
  line: string,
  sentAt: number,
): Promise<void> {
  const ageMs = context.clock.now() - sentAt;
  if (ageMs <= lateMs) return;
  const late = `Slack delivered your message ${Math.floor(ageMs / 60_000)} minutes late.`;
  const request = await requestOfMessage(context, caller, line, sentAt);
  if (request) {
    const text = `${late} Bellhop had already received it: request ${request.id} is ${stateWord(request)}. Nothing more was done.`;
    throw new RequestInTheWayError(request, caller.actor, text);
  }
  throw badInput(`${late} Nothing was done. Send it again if you still want it.`);
}

/** In milliseconds. */
const clockSkewMs = 60_000;
const maxSearched = 100;

/**
 * The same command by the same person in the same place, proposed while the message was new. Reasons are not compared, because mentions in
 * them were replaced with names.
 */
async function requestOfMessage(
  { registry, store }: SlackContext,
  { actor, place: { channel, thread } }: Caller,
  line: string,
  sentAt: number,
): Promise<Request | undefined> {
  const parsed = rescue(() => {
    const { area, text } = readCommandLine(registry, line);
    return parse(registry, area, text);
  });
  if (parsed?.kind !== 'command') return undefined;
  const { entry, values, options } = parsed;
  const words = format(entry, values, { each: options.each });
  const until = { createdAt: sentAt + lateMs, id: '' };
  const operation = entry.operation.name;
  const found = await store.list({ requester: actor, operation, before: until, limit: maxSearched });
  return found.find(
    (request) =>
      format(entry, request.input, { each: eachOptions(request).each }) === words &&
      request.createdAt >= sentAt - clockSkewMs &&
      request.place.channel === channel &&
      request.place.thread === thread,
  );
}

/** A button, because Slack opens a form after a click but not after a message. */
async function offerForm(
  context: SlackContext,
  recipient: Recipient,
  line: string,
  { entry, values }: Extract<CommandResult, { kind: 'form' }>,
): Promise<void> {
  const command = code(`/${entry.area} ${entry.verb}`, 100);
  if (line.length > limits.buttonValue) throw badInput(`Type the full command: ${usage(entry)}.`);
  const missing = entry.fields.filter(({ required, name }) => required && values[name] === undefined);
  const labels = missing.map(({ label }) => `*${safeLine(label, 60)}*`);
  const isForm = entry.operation.formOnly === true;
  const text = `${command} ${isForm ? 'is run from its form' : `needs more: ${listed(labels)}`}.`;
  const message: Message = {
    text,
    blocks: [
      section(text),
      ...actions([button({ text: 'Open the form', action: nextActions[0], value: line })]),
      ...disclaimerBlocks(context.disclaimers),
    ],
  };
  await answerPrivately(context, recipient, () => message);
}

/** `unclear` if the command is not plain text. */
export type Asked = { readonly line: string } | 'unclear';

interface Found {
  readonly mentioned: boolean;
  readonly asked: Asked;
}

/** The text after the mention at the start, or in a direct message the whole text. Undefined if the message is not for Bellhop. */
export function askedIn(message: PersonMessage, botUserId: string): Asked | undefined {
  const rich = richText(message);
  const { mentioned, asked } =
    rich.length > 0 ? askedInParts(partsOf(message), botUserId) : askedInText(message.text, botUserId);
  return mentioned || message.channel_type === 'im' ? asked : undefined;
}

const richText = ({ blocks = [] }: PersonMessage) => blocks.filter(({ type }) => type === 'rich_text');
const partsOf = (message: PersonMessage) => richText(message).flatMap(({ elements = [] }) => elements);

/** Not lists, quotes and code blocks. */
const isPlain = ({ type }: { readonly type: string }): boolean => type === 'rich_text_section';

/** `hey @bellhop reboot web-1` has words after the mention, and `reboot web-1 @bellhop` begins with a word of a command. */
const mentionsInPassing = (registry: Registry, message: PersonMessage, botUserId: string): boolean =>
  aroundMention(message, botUserId).some(
    ([before, after]) => /\w/u.test(after) || beginsLikeCommand(registry, before),
  );

/** For each part with a mention: the text before and after it. */
function aroundMention(message: PersonMessage, bot: string): readonly (readonly [string, string])[] {
  if (richText(message).length === 0) {
    const [before = '', ...after] = message.text.split(new RegExp(mentionOf(bot), 'u'));
    return after.length > 0 ? [[before, after.join('')]] : [];
  }
  return partsOf(message).flatMap(({ type, elements = [] }) => {
    const at = isPlain({ type }) ? elements.findIndex((element) => isMention(element, bot)) : -1;
    return at < 0 ? [] : [[textOf(elements.slice(0, at)), textOf(elements.slice(at + 1))] as const];
  });
}

const mentionOf = (bot: string): string => `<@${bot}(?:\\|[^<>]*)?>`;

const textOf = (elements: readonly RichElement[]): string => elements.map(({ text = '' }) => text).join('');

function beginsLikeCommand({ areas, entries }: Registry, text: string): boolean {
  const [first = ''] = text.trim().replace(/^\//u, '').toLowerCase().split(/\s+/u, 1);
  return areas.has(first) || entries.some(({ verb }) => verb === first);
}

function askedInParts(parts: ReturnType<typeof partsOf>, bot: string): Found {
  if (!parts.slice(0, 1).some(isPlain)) return { mentioned: false, asked: 'unclear' };
  const elements = parts.flatMap(({ elements: inside = [] }) => inside);
  const begin = elements.findIndex((element) => !isMention(element, bot) && !isBlank(element));
  const addressing = begin < 0 ? elements : elements.slice(0, begin);
  const mentioned = addressing.some((element) => isMention(element, bot));
  const words = begin < 0 ? [] : typedTexts(elements.slice(begin));
  if (!parts.every(isPlain) || words.includes(undefined)) return { mentioned, asked: 'unclear' };
  return { mentioned, asked: { line: withoutColon(words.join(''), mentioned) } };
}

const isMention = ({ type, user_id: user, style }: RichElement, bot: string): boolean =>
  type === 'user' && user === bot && style?.code !== true && style?.strike !== true;
const isBlank = ({ type, text = '' }: RichElement): boolean => type === 'text' && text.trim() === '';

const after = (sign: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : `${sign}${id}`;

const linkOf = ({ url, text }: RichElement): string | undefined => url && linkText(url, text);

/** By element type: its text as typed. People can't type other elements. */
const typed: Readonly<Record<string, (element: RichElement) => string | undefined>> = {
  text: ({ text }) => text,
  link: linkOf,
  attachment_mention: linkOf,
  user: ({ user_id: id }) => after('@', id),
  usergroup: ({ usergroup_id: id }) => after('@', id),
  team: ({ team_id: id }) => after('@', id),
  broadcast: ({ range }) => after('@', range),
  channel: ({ channel_id: id }) => after('#', id),
  emoji: ({ name }) => name && `:${name}:`,
  color: ({ value }) => value,
  date: ({ fallback, timestamp }) => fallback ?? timestamp?.toString(),
};

/** Puts backticks around code. Adjacent code elements, such as a link within code, are joined. */
const typedTexts = (elements: readonly RichElement[]): readonly (string | undefined)[] =>
  elements.map((element, at) => {
    const text = typedText(element);
    return text && `${codeMark(element, elements[at - 1])}${text}${codeMark(element, elements[at + 1])}`;
  });

const codeMark = ({ style }: RichElement, beside: RichElement | undefined): string =>
  style?.code === true && beside?.style?.code !== true ? '`' : '';

/** Undefined for elements that people can't type, and for struck-through text. */
const typedText = (element: RichElement): string | undefined =>
  element.style?.strike === true || !Object.hasOwn(typed, element.type)
    ? undefined
    : typed[element.type]?.(element);

function askedInText(text: string, bot: string): Found {
  const addressing = new RegExp(`^(?:\\s*${mentionOf(bot)})+`, 'u').exec(text)?.[0] ?? '';
  const mentioned = addressing !== '';
  const rest = text.slice(addressing.length);
  // Passed on unparsed. The grammar rejects it for its length.
  if (rest.length > longestEscaped) return { mentioned, asked: { line: rest } };
  if (/```|^[^\S\n\r\u2028\u2029]*&gt;/mu.test(rest)) return { mentioned, asked: 'unclear' };
  return { mentioned, asked: { line: withoutColon(commandText(rest), mentioned) } };
}

/** For example after `@bellhop: reboot web-1`. */
const withoutColon = (line: string, mentioned: boolean): string =>
  (mentioned ? line.replace(/^\s*[:,]/u, '') : line).trim();
