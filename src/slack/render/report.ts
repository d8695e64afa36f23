import type { Button, ModalView } from '@slack/types';
import { z } from 'zod';

import { clip, joinFitting, parseJson } from '../../text/words.ts';
import type { NextCommand, Report, Tone } from '../../model/values/report.ts';
import {
  type Message,
  actions,
  button,
  contextBlock,
  fieldSections,
  header,
  disclaimerLines,
  modal,
  preformatted,
  renderItem,
  section,
} from './blocks.ts';
import { clipMrkdwn, code, factLine, plainLine, readable, safeLine, slackTime } from './text.ts';
import { limits } from './limits.ts';
import { pageReport } from './page-report.ts';
import { renderTable } from './table.ts';

export interface ReportOptions {
  /** Counted from 0. A number beyond the last page shows the last page. Default: the page with the headline. */
  readonly page?: number;
  /** The command, for the buttons. Undefined means no buttons. */
  readonly words?: string | undefined;
  /** The command for the other pages, for an answer without buttons. */
  readonly typed?: string | undefined;
  /** Offers "Share in channel", while the answer is private. */
  readonly shareable: boolean;
  /** False if the workspace rejects Slack's newer blocks. Numbers are then shown as text. */
  readonly modern: boolean;
  /** In epoch milliseconds. */
  readonly now: number;
  /** About this message, such as who shared it. Mrkdwn, escaped by the caller. */
  readonly status?: string | undefined;
  /** Shown in every message, such as that the service is local. */
  readonly disclaimers: readonly string[];
}

const signs: Readonly<Record<Tone, string>> = {
  neutral: '',
  good: '✅ ',
  warning: '⚠️ ',
  bad: '❌ ',
  unsure: '❓ ',
};

export function renderReport(report: Report, options: ReportOptions): Message {
  const pages = pageReport(report, options.modern);
  const last = pages.length - 1;
  const first = report.newestLast ? last : 0;
  const index = Math.min(Math.max(0, options.page ?? first), last);
  const page = pages[index] ?? pages[0];
  const isFirst = index === first;
  const chartNotes = page.charts.flatMap(({ notes }) => notes);
  const buttons = pageButtons(report, options, index, last);
  const position = pages.length > 1 ? [`page ${index + 1} of ${pages.length}`] : [];
  if (position.length > 0 && buttons.length === 0) {
    position.push(
      options.typed === undefined
        ? 'narrow the command to see the rest'
        : `the other pages: type ${code(options.typed, 200)}`,
    );
  }
  return {
    text: fallbackText(report, options.disclaimers),
    blocks: [
      header(signs[report.tone] + report.title),
      ...(isFirst && report.headline ? [section(`*${safeLine(report.headline, 1_000)}*`)] : []),
      ...fieldSections(page.facts),
      ...page.items.flatMap((item) => renderItem(item)),
      ...page.charts.flatMap(({ blocks }) => blocks),
      ...page.tables.flatMap((slice) => renderTable(slice)),
      ...(report.document && isFirst ? [preformatted(beginning(plainOf(report.document)))] : []),
      ...noteLines(isFirst ? report.notes : [], chartNotes),
      ...(options.status === undefined ? [] : [contextBlock([options.status])]),
      contextBlock([
        [...position, `as of ${slackTime(options.now)}`].join(' · '),
        ...disclaimerLines(options.disclaimers),
      ]),
      ...actions(options.shareable ? runButtons(report.next ?? []) : []),
      ...actions(buttons),
    ],
  };
}

const maxOfDocument = 5_000;

const plainOf = (document: NonNullable<Report['document']>): string => document.plain ?? document.text;

function beginning(text: string, most = maxOfDocument): string {
  const shown = readable(text);
  if (shown.length <= most) return shown;
  const cut = clip(shown, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf('\n'), 0))}\n… the rest is in the file`;
}

/** As plain text, as far as there is room. */
export const copyView = (document: NonNullable<Report['document']>): ModalView =>
  modal('Select all and copy', [preformatted(beginning(plainOf(document), limits.messageBlocksText))]);

const maxNotes = 8;

function noteLines(
  notes: readonly string[],
  chartNotes: readonly string[],
): ReturnType<typeof contextBlock>[] {
  // Two charts often have the same notes.
  const all = [...new Set([...notes, ...chartNotes])];
  const shown = all
    .slice(0, maxNotes)
    .map((note) => safeLine(note, 200))
    .filter((note) => note !== '');
  const left = all.length - maxNotes;
  const lines = left > 0 ? [...shown, `and ${left} more notes`] : shown;
  return lines.length === 0 ? [] : [contextBlock(lines)];
}

function pageButtons(
  report: Report,
  { words, shareable }: ReportOptions,
  page: number,
  last: number,
): Button[] {
  if (words === undefined) return [];
  // A button for the last page must stay on it when rows are added.
  const same = { words, page: report.newestLast && page === last ? beyondLast : page };
  return [
    page > 0 && readButton('Previous page', readActions.earlier, { words, page: page - 1 }),
    page < last && readButton('Next page', readActions.later, { words, page: page + 1 }),
    readButton('Refresh', readActions.refresh, same),
    shareable && readButton('Share in channel', readActions.share, same),
    report.csv !== undefined && readButton('Full CSV', readActions.csv, { words, page: 0 }),
    report.document?.plain !== undefined &&
      readButton('Copy for the post-mortem', readActions.copy, { words, page: 0 }),
    report.document !== undefined && readButton('Send as a file', readActions.file, { words, page: 0 }),
  ].filter((one) => typeof one === 'object');
}

const nextStyles = { change: 'primary', destructive: 'danger' } as const;

type RunButton = Pick<NextCommand, 'text' | 'words'> & Partial<NextCommand>;

/** Buttons that run a command as if the person had typed it. */
export const runButtons = (next: readonly RunButton[]): Button[] =>
  nextActions.flatMap((action, index) => {
    const command = next[index];
    if (command === undefined || command.words.length > limits.buttonValue) return [];
    const { text, words, severity } = command;
    return [button({ text, action, value: words, style: severity && nextStyles[severity] })];
  });

function fallbackText(report: Report, disclaimers: readonly string[]): string {
  const said = [
    clipMrkdwn(safeLine(report.title, 250), 500),
    safeLine(report.headline ?? '', 250),
    ...report.facts.slice(0, 4).map((fact) => `${safeLine(fact.label, 100)}: ${factLine(fact, 150)}`),
    ...disclaimers.map((text) => safeLine(text, 250)),
  ].filter((part) => part !== '');
  // Half a mention or time would be shown as raw markup.
  return joinFitting(said, ' · ', limits.fallbackText) || plainLine('', 1);
}

/** Slack requires different ids within a block. */
export const readActions = {
  earlier: 'read:earlier',
  later: 'read:later',
  refresh: 'read:refresh',
  again: 'read:again',
  share: 'read:share',
  csv: 'read:csv',
  file: 'read:file',
  copy: 'read:copy',
} as const;

export type ReadActionId = (typeof readActions)[keyof typeof readActions];

export const nextActions = ['next:0', 'next:1', 'next:2', 'next:3', 'next:4'] as const;

const beyondLast = 100_000;

const readAction = z.object({
  /** As typed. The button grants nothing: the command is authorized again. */
  words: z.string().min(1),
  /** Counted from 0. */
  page: z.number().int().min(0).max(beyondLast),
});
export type ReadAction = Readonly<z.output<typeof readAction>>;

/** Undefined if the command is too long for the button's value. */
export function readButton(text: string, action: ReadActionId, run: ReadAction): Button | undefined {
  const value = JSON.stringify(run);
  return value.length > limits.buttonValue ? undefined : button({ text, action, value });
}

/** Undefined for foreign values. */
export function parseReadAction(value: string | undefined): ReadAction | undefined {
  if (value === undefined || value.length > limits.buttonValue) return undefined;
  return readAction.safeParse(parseJson(value)).data;
}
