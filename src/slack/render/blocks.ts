import type {
  ActionsBlock,
  Button,
  ContextBlock,
  DataTableBlock,
  HeaderBlock,
  ModalView,
  MrkdwnElement,
  PlainTextElement,
  RichTextBlock,
  SectionBlock,
} from '@slack/types';

import type { Fact, Item } from '../../model/values/report.ts';
import type { StateWord } from '../../model/records/request.ts';
import {
  channelMention,
  clipMrkdwn,
  escapeText,
  mention,
  mrkdwnParts,
  oneLine,
  plainLine,
  safeLine,
  safeText,
  slackDateTime,
  slackTime,
} from './text.ts';
import { limits } from './limits.ts';

interface Axes {
  readonly categories: readonly string[];
  readonly x_label?: string;
  readonly y_label?: string;
}

/** One point for each category, in their order. Names are unique in a chart. */
export interface DataSeries {
  readonly name: string;
  readonly data: readonly { readonly label: string; readonly value: number }[];
}

/** Not yet in @slack/types 3.2. Source: docs.slack.dev/reference/block-kit/blocks/data-visualization-block. */
export interface DataVisualizationBlock {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart:
    | {
        readonly type: 'line' | 'bar' | 'area';
        readonly series: readonly DataSeries[];
        readonly axis_config: Axes;
      }
    | {
        readonly type: 'pie';
        readonly segments: readonly { readonly label: string; readonly value: number }[];
      };
}

export type MessageBlock =
  | ActionsBlock
  | ContextBlock
  | DataTableBlock
  | DataVisualizationBlock
  | HeaderBlock
  | RichTextBlock
  | SectionBlock;

/** Notifications and screen readers use `text` instead of the blocks. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly MessageBlock[];
}

/**
 * `verbatim` keeps Slack from turning plain words into links and mentions. Slack rejects empty text. A soft hyphen keeps a leading `>` from
 * becoming a quote.
 */
const mrkdwn = (text: string, max: number): MrkdwnElement => ({
  type: 'mrkdwn',
  text: clipMrkdwn(text.trim() === '' ? '–' : text.replaceAll(/^&gt;/gmu, '\u00AD&gt;'), max),
  verbatim: true,
});

export const plain = (text: string, max: number): PlainTextElement => ({
  type: 'plain_text',
  text: plainLine(text, max),
  emoji: false,
});

export const header = (text: string): HeaderBlock => ({ type: 'header', text: plain(text, limits.header) });

/** `text` is mrkdwn. The caller has escaped foreign parts. */
export const section = (text: string, accessory?: Button, blockId?: string): SectionBlock => ({
  type: 'section',
  text: mrkdwn(text, limits.text),
  ...(accessory && { accessory }),
  ...(blockId && { block_id: blockId }),
});

/** Small print. The lines are mrkdwn, escaped by the caller. */
export const contextBlock = (lines: readonly string[]): ContextBlock => ({
  type: 'context',
  elements: lines.slice(0, limits.contextElements).map((line) => mrkdwn(line, limits.field)),
});

/** Values are plain text, escaped here. */
export const fieldSections = (facts: readonly Fact[]): SectionBlock[] =>
  byTen(facts).map((ten) => ({
    type: 'section',
    fields: ten.map((fact) => mrkdwn(fieldText(fact), limits.field)),
  }));

export const lineSections = (lines: readonly string[]): SectionBlock[] =>
  byTen(lines).map((ten) => section(ten.join('\n')));

const byTen = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / 10) }, (_, ten) => list.slice(ten * 10, ten * 10 + 10));

export const fieldText = ({ label, value, parts }: Fact): string => {
  const title = `*${safeLine(label, 200) || '–'}*\n`;
  return (
    title + ((parts ? mrkdwnParts(parts, limits.field) : safeText(fewLines(value), limits.field)) || '–')
  );
};

const maxLines = 12;

/** Keeps line breaks, unless they would push the rest out of sight. */
function fewLines(value: string): string {
  const lines = value
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  return lines.join(lines.length > maxLines ? ' ' : '\n');
}

export type ButtonStyle = 'primary' | 'danger';

interface ButtonParts {
  readonly text: string;
  readonly action: string;
  readonly value: string;
  readonly style?: ButtonStyle | undefined;
}

export const button = ({ text, action, value, style }: ButtonParts): Button => ({
  type: 'button',
  text: plain(text, limits.buttonText),
  action_id: action,
  value,
  ...(style && { style }),
});

export const actions = (buttons: readonly Button[], blockId?: string): ActionsBlock[] =>
  buttons.length === 0
    ? []
    : [{ type: 'actions', elements: [...buttons], ...(blockId && { block_id: blockId }) }];

export const modal = (title: string, blocks: readonly MessageBlock[], close = 'Close'): ModalView => ({
  type: 'modal',
  title: plain(title, limits.modalTitle),
  close: plain(close, limits.modalButton),
  blocks: [...blocks],
});

const literal =
  (type: 'rich_text_preformatted' | 'rich_text_quote') =>
  (text: string): RichTextBlock => ({
    type: 'rich_text',
    elements: [{ type, elements: [{ type: 'text', text: text || '–' }] }],
  });

export const preformatted = literal('rich_text_preformatted');

/** Keeps someone else's text from being mistaken for Bellhop's. */
export const quote = literal('rich_text_quote');

const shown = new Set(['text', 'title', 'caption', 'label', 'name', 'x_label', 'y_label']);

/** In characters, for `limits.messageBlocksText`. */
export function textLength(value: unknown, counts = false): number {
  if (typeof value === 'string') return counts ? value.length : 0;
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + textLength(item, counts), 0);
  }
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, part]: [string, unknown]) => sum + textLength(part, shown.has(key) || key === 'categories'),
    0,
  );
}

export const disclaimerLines = (disclaimers: readonly string[]): string[] =>
  disclaimers.slice(0, 3).map((text) => `⚠️ ${safeLine(text, 200)}`);

export const disclaimerBlocks = (disclaimers: readonly string[]): ContextBlock[] =>
  disclaimers.length === 0 ? [] : [contextBlock(disclaimerLines(disclaimers))];

/** `text` is mrkdwn. The caller has escaped foreign parts. */
export const textMessage = (text: string, disclaimers: readonly string[]): Message => ({
  text,
  blocks: [section(text), ...disclaimerBlocks(disclaimers)],
});

const linkText = (link: string | undefined): string =>
  link === undefined ? '' : ` · <${escapeText(link)}|Open the card>`;

/** At most two blocks. */
export function renderItem(item: Item): MessageBlock[] {
  const { by, refusal } = item;
  const whose = by && refusal ? `${mention(by)}: ` : '';
  const why = item.why === undefined ? '' : `\n${whose}“${safeLine(item.why, 200)}”`;
  const denial = refusal ? lineOf(refusalText(refusal, item.state)) : '';
  const head = `${item.sign ?? wordSign(item.state)} *${safeLine(item.title, 300)}* ${endText(item)}${item.likely ?? ''}`;
  const deadline = item.state === 'proposed' ? 'confirm by' : 'decide by';
  const small = [
    ...(by ? [mention(by)] : []),
    item.until === undefined ? slackDateTime(item.at) : `${deadline} ${slackTime(item.until)}`,
    ...(item.channel === undefined ? [] : [channelMention(item.channel)]),
  ].join(' · ');
  const buttons = item.buttons.filter(({ value }) => value !== '' && value.length <= limits.buttonValue);
  return [
    section(`${head}\n${small}${linkText(item.link)}${why}${denial}`),
    ...actions(buttons.map(({ action, text, value }) => button({ text, action, value }))),
  ];
}

/** Someone else cancels a request only by replacing it. */
function endText({ state, refusal }: Item): string {
  if (!refusal?.by || state === 'refused') return safeLine(state, 60);
  return `${state === 'cancelled' ? 'replaced' : safeLine(state, 60)} by ${mention(refusal.by)}`;
}

function refusalText({ by, note }: NonNullable<Item['refusal']>, state: string): string {
  if (state === 'cancelled') return '';
  const denied = state === 'refused' ? `Denied by ${by ? mention(by) : 'the rules'}. ` : '';
  return `${denied}${safeLine(note, 200)}`.trim();
}

const lineOf = (text: string): string => (text === '' ? '' : `\n${text}`);

export const wordSign = (word: string): string => signs.get(word) ?? stateSigns.unknown;

export const stateSigns: Readonly<Record<StateWord, string>> = {
  paused: '⏸️',
  done: '✅',
  stopped: '🛑',
  proposed: '👉',
  'awaiting approval': '⏳',
  running: '🔄',
  succeeded: '✅',
  failed: '❌',
  unknown: '❓',
  cancelled: '🚫',
  expired: '⌛',
  refused: '⛔',
};

const signs: ReadonlyMap<string, string> = new Map(Object.entries(stateSigns));
