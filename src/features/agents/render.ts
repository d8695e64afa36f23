import type { Button, RichTextBlock } from '@slack/types';

import { longestSuggestion, readSuggestion, type Suggestion } from './suggestions/suggestion.ts';
import { isFiring, type OfferMessage, type OfferStorm } from '../../model/records/offer.ts';
import { stateWord } from '../../model/records/request.ts';
import { type OfferPorts, renderOfferButtons } from '../../slack/messages/offers.ts';
import { firstLink } from '../../text/host.ts';
import { capitalized, clip } from '../../text/words.ts';
import { suggestedButton } from './suggestions/suggested.ts';
import {
  actions,
  button,
  type Message,
  type MessageBlock,
  disclaimerBlocks,
  preformatted,
  quote,
  section,
} from '../../slack/render/blocks.ts';
import { limits } from '../../slack/render/limits.ts';
import {
  code,
  linkAddress,
  mention,
  oneLine,
  readable,
  safeLine,
  slackDateTime,
} from '../../slack/render/text.ts';

export const dismissAction = 'alert:dismiss';

export async function renderSuggestion(
  ports: OfferPorts,
  message: OfferMessage,
): Promise<Message | undefined> {
  if (message.storm) return stormMessage(message, message.storm, ports.disclaimers);
  const suggestion = readSuggestion(message.group?.content);
  if (!suggestion) return undefined;
  const offered = isFiring(message) ? suggestedButton(ports, suggestion) : undefined;
  const buttons = renderOfferButtons(message.id, offered ? [offered] : []);
  return suggestionMessage(
    { ...suggestion, previous: await previousOf(ports, message, suggestion) },
    message.id,
    buttons,
    ports.disclaimers,
  );
}

function stormMessage(
  { openedAt }: OfferMessage,
  { firing, total, titles }: OfferStorm,
  disclaimers: readonly string[],
): Message {
  const isOpen = firing > 0;
  const text = isOpen ? `${firing} more suggestions are open` : `${total} more suggestions have ended`;
  const why = `Since ${slackDateTime(openedAt)}. Grouped because many suggestions arrived at once. Type the commands to run them.`;
  return {
    text,
    blocks: [
      section(`💡 ${text}.`),
      ...(isOpen
        ? [section([why, ...titles.map(({ title }) => `• ${safeLine(title, 150)}`)].join('\n'))]
        : []),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}

async function previousOf(
  { api, store }: OfferPorts,
  { source }: OfferMessage,
  { previous }: Suggestion,
): Promise<Suggestion['previous']> {
  if (previous?.id === undefined) return previous;
  const { id, requestId } = previous;
  const request = requestId === undefined ? undefined : await store.find(requestId);
  const shown = (request && (await store.findCard(request.id))) ?? (await store.findOfferOf(source, id));
  const link =
    shown?.ts === undefined
      ? undefined
      : await api.permalink({ channel: shown.channel, ts: shown.ts }).catch(() => undefined);
  return { ...previous, outcome: request && stateWord(request), link };
}

/**
 * Facts come first, then the agent's own words as quotes. An ended suggestion has no button.
 * @param buttons the button of the suggestion's command
 */
function suggestionMessage(
  suggestion: Suggestion,
  messageId: string,
  buttons: readonly Button[],
  disclaimers: readonly string[],
): Message {
  const { agent, words, reason, evidence, ended } = suggestion;
  const name = safeLine(agent, 60);
  const title = `gent ${agent} suggests ${words}`;
  const dismiss = button({ text: 'Dismiss', action: dismissAction, value: messageId });
  return {
    text: clip(
      safeLine(ended ? `${capitalized(ended.state)}: a${title}` : `A${title}`, 500),
      limits.fallbackText,
    ),
    blocks: [
      ...commandBlocks(name, words),
      section(factLines(suggestion).join('\n')),
      section(`Why, according to ${name}:`),
      quote(literal(clip(readable(reason), 800))),
      ...(evidence.length === 0 ? [] : [section(`Evidence from ${name}:`), evidenceBlock(evidence)]),
      ...disclaimerBlocks(disclaimers),
      ...(ended ? [] : actions([...buttons, dismiss])),
    ],
  };
}

/** Several lines, or a command that escaping makes too long for a section, are shown as literal text. */
function commandBlocks(name: string, words: string): MessageBlock[] {
  const lead = `💡 Agent *${name}* suggests`;
  const shown = code(words, longestSuggestion);
  return shown.length <= limits.field && oneLine(words) === words
    ? [section(`${lead} ${shown}`)]
    : [section(`${lead}:`), preformatted(readable(words))];
}

function factLines({ target, expiresAt, previous, ended }: Suggestion): readonly string[] {
  const labels = Object.entries(target.labels).map(([label, value]) => `${label}=${value}`);
  const about = [target.name, ...labels].join(' · ');
  return [
    `Target: ${safeLine(about, 400)}`,
    ...(previous ? [previousLine(previous)] : []),
    ended
      ? endedLine(ended)
      : `Nothing happens until a person presses the button. That person becomes the requester. Expires ${slackDateTime(expiresAt)}.`,
  ];
}

function endedLine({ state, at, by, requestId }: NonNullable<Suggestion['ended']>): string {
  const who = by ? ` by ${mention(by)}` : '';
  const why = by ? '' : ', because no one used it';
  const what = requestId === undefined ? '' : `: request ${requestId}, in this thread`;
  return `*${capitalized(state)}*${who} on ${slackDateTime(at)}${why}${what}.`;
}

function previousLine({ state, at, outcome, link }: NonNullable<Suggestion['previous']>): string {
  const request = outcome === undefined ? '' : ` Its request: *${safeLine(outcome, 60)}*.`;
  const open = link === undefined ? '' : ` <${linkAddress(link)}|Open it>`;
  return `The last suggestion like this ${was(state)} on ${slackDateTime(at)}.${request}${open}`;
}

const was = (state: string): string => (state === 'expired' ? state : `was ${state}`);

/** Separates each `<` from its word. Slack shows rich text literally, but another reader may parse the text as markup. */
const literal = (words: string): string => words.replaceAll(/<(?=\S)/gu, '<\u200B');

/** Only https addresses become links, which are shown in full. */
const evidenceBlock = (evidence: readonly string[]): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_quote',
      elements: evidence.flatMap((given, index) => {
        const url = firstLink([given]);
        const line =
          url === undefined ? text(literal(clip(oneLine(given), 300))) : ({ type: 'link', url } as const);
        return index === 0 ? [line] : [text('\n'), line];
      }),
    },
  ],
});

const text = (shown: string) => ({ type: 'text', text: shown || '–' }) as const;
