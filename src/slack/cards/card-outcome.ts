import type { Report } from '../../core/model/report.ts';
import type { Request } from '../../core/request/request.ts';
import type { Target } from '../../core/model/target.ts';
import { fieldSections, type MessageBlock, section, textLength } from '../render/blocks.ts';
import { wasNotSent } from './card-words.ts';
import { safeLine } from '../render/escape.ts';
import { slackDateTime } from '../render/text.ts';
import { pageReport } from '../render/report/page-report.ts';
import { renderTable } from '../render/report/table.ts';

/** What came of a request that is over, most important first. */
export function outcomeBlocks(request: Request): MessageBlock[] {
  const { report, sighting } = request.outcome ?? {};
  return [
    section(outcomeSentence(request)),
    ...(report ? reportBlocks(report) : []),
    ...(sighting && request.state === 'unknown' ? sightingBlocks(sighting) : []),
  ];
}

/** What the target showed afterwards. */
const sightingBlocks = (seen: Report): MessageBlock[] => [
  section(`*Seen since:* ${safeLine(seen.title, 500)}`),
  ...reportBlocks(seen),
];

function outcomeSentence(request: Request): string {
  const error = safeLine(request.outcome?.error?.message ?? '', 1_000);
  const headline = safeLine(request.outcome?.report?.headline ?? '', 500);
  const title = safeLine(request.outcome?.report?.title ?? '', 300);
  const note = safeLine(request.note ?? '', 500);
  switch (request.state) {
    case 'succeeded':
      if (title === '') return 'Done.';
      return [`*${title}*`, ...(headline === '' || headline === title ? [] : [headline])].join('\n');
    case 'failed':
      if (wasNotSent(request)) return `*It was not sent:* nothing reached the service. ${error}`.trim();
      return `*It did not happen.* ${error === '' ? headline : error}`.trim();
    case 'unknown':
      return [
        '*Outcome unknown:* it may or may not have run. Bellhop will not retry it.',
        `*Check:* ${whatToCheck[request.target.kind](safeLine(request.target.name, 200))}`,
        ...(error === '' ? [] : [error]),
      ].join('\n');
    case 'cancelled':
      return `Nothing was sent. ${note}`.trim();
    case 'expired':
      return `Nobody decided in time. Nothing was sent. ${note}`.trim();
    case 'refused':
      return `Nothing was sent. ${note}${againFrom(request)}`.trim();
    case 'proposed':
    case 'awaiting approval':
    case 'running':
      return note;
  }
}

const againFrom = ({ decision: { refusedUntil } }: Request): string =>
  refusedUntil === undefined ? '' : ` Possible again from ${slackDateTime(refusedUntil)}.`;

const whatToCheck: Readonly<Record<Target['kind'], (name: string) => string>> = {
  instance: (name) =>
    `the state, the current task and the uptime of ${name} itself, before running it again.`,
  container: (name) => `the status and the deploy of ${name}, before running it again.`,
  project: (name) => `what ${name} holds now, before running it again.`,
  cdn: () => 'the settings as the control panel shows them now, before running it again.',
  bucket: (name) => `whether /storage events lists the event for ${name}, before running it again.`,
  storage: () => 'what /storage events lists now, before running it again.',
  bellhop: () => 'what /bellhop requests shows, before running it again.',
};

/** Characters that an answer may take of a card. */
const mostText = 3_000;

function reportBlocks(report: Report): MessageBlock[] {
  const pages = pageReport(report, false);
  const [page] = pages;
  const all = [
    ...fieldSections(page.facts),
    ...page.charts.flatMap(({ blocks }) => blocks),
    ...page.tables.flatMap((slice) => renderTable(slice)),
  ];
  const shown: MessageBlock[] = [];
  while (shown.length < all.length && textLength([...shown, all[shown.length]]) <= mostText) {
    shown.push(...all.slice(shown.length, shown.length + 1));
  }
  const notes = report.notes.slice(0, 3).map((note) => safeLine(note, 150));
  if (pages.length > 1 || shown.length < all.length) {
    notes.push('The answer is longer than a card: this is its first part.');
  }
  return notes.length > 0 ? [...shown, section(notes.join('\n'))] : shown;
}
