import type { Actor } from '../../core/model/actor.ts';
import { taskFailed } from '../../core/tasks/task-end.ts';
import { type Operation, riskOf } from '../../core/model/operation.ts';
import type { Report } from '../../core/model/report.ts';
import type { Target } from '../../core/model/target.ts';
import type { Request, RequestOutcome } from '../../core/request/request.ts';
import { fieldSections, type MessageBlock, section, textLength } from '../render/blocks.ts';
import { escapeText, safeLine } from '../render/escape.ts';
import { pageReport } from '../render/report/page-report.ts';
import { renderTable } from '../render/report/table.ts';
import { mention, mentions, slackDateTime, slackTime } from '../render/text.ts';
import { targetFacts } from './card-facts.ts';
import { wasNotSent } from './card-words.ts';

export interface CardOptions {
  readonly operation: Pick<Operation, 'name' | 'summary' | 'risk' | 'escalatedBy'>;
  /** The word after the slash command: `reboot`. */
  readonly verb: string;
  /** Who may approve, as far as they are known by name. */
  readonly mayApprove?: readonly Actor[];
  /** Whether what came of it can be looked at. */
  readonly checkable?: boolean | undefined;
  /** The page of the target in the service's console. */
  readonly link?: string | undefined;
  readonly notices: readonly string[];
}

/** What a tired person reads first, by state: what will happen, or what came of it. */
export function leadBlocks(request: Request, options: CardOptions): MessageBlock[] {
  switch (request.state) {
    case 'proposed':
      return [section(proposedText(request, options)), ...whyAndWhere(request)];
    case 'awaiting approval':
      return [section(approvalText(request, options)), ...whyAndWhere(request)];
    case 'running':
      return [section(runningText(request)), ...whyAndWhere(request)];
    case 'succeeded':
    case 'failed':
    case 'unknown':
    case 'cancelled':
    case 'expired':
    case 'refused':
      return outcomeBlocks(request, options);
  }
}

function whyAndWhere(request: Request): MessageBlock[] {
  const why = [...whyLines(request), ...(request.note === undefined ? [] : [safeLine(request.note, 500)])];
  return [...(why.length === 0 ? [] : [section(why.join('\n'))]), ...fieldSections(targetFacts(request))];
}

function runningText({ startedAt, createdAt, outcome }: Request): string {
  const accepted = outcome?.tasks ? ' The service accepted it and works on it.' : '';
  return `Running since ${slackTime(startedAt ?? createdAt)}.${accepted} This message changes when it ends.`;
}

const riskSentences: Readonly<Record<Operation['risk'], string>> = {
  read: 'This changes nothing.',
  change: 'This changes what is set or recorded.',
  destructive: '*This interrupts a service.*',
};

function proposedText(request: Request, { operation }: CardOptions): string {
  const typed = request.decision.typeName ? [' You will be asked to type the name.'] : [];
  return [
    `${riskSentences[riskOf(operation, request.input)]} ${safeLine(operation.summary, 300)}`,
    `Requested by ${mention(request.requester)}. Confirm by ${slackTime(request.expiresAt)}.${typed.join('')}`,
  ].join('\n');
}

function approvalText(request: Request, { operation, mayApprove = [] }: CardOptions): string {
  const { approvers, approvals } = request.decision;
  const people = mayApprove.length > 0 ? ` (${mentions(mayApprove.slice(0, 10))})` : '';
  const given = request.approvals.length;
  const so =
    given === 0
      ? ''
      : ` ${given} so far, by ${mentions(request.approvals.slice(0, 10).map(({ by }) => by))}.`;
  const wanted = approvals === 1 ? 'One approval is needed.' : `${approvals} different people must approve.`;
  return [
    `${riskSentences[riskOf(operation, request.input)]} ${safeLine(operation.summary, 300)}`,
    `Requested by ${mention(request.requester)}. ${wanted}${so} Until ${slackTime(request.expiresAt)}.`,
    `Approvers: ${safeLine(approvers.join(', '), 300) || 'nobody'}${people}, not the requester.`,
  ].join('\n');
}

/** Why the requester wants it, in their words. */
export const whyLines = ({ reason, breakGlass }: Request): string[] => [
  ...(reason === undefined ? [] : [`Why: “${safeLine(reason, 500)}”`]),
  ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, 500)}”`]),
];

/** What came of a request that is over, most important first. */
function outcomeBlocks(request: Request, { link }: CardOptions): MessageBlock[] {
  const { report, sighting, look, search } = request.outcome ?? {};
  return [
    section(outcomeSentence(request)),
    ...(report ? reportBlocks(report) : []),
    ...(sighting && request.state === 'unknown' ? sightingBlocks(sighting) : []),
    ...(look && request.state === 'unknown' ? [section(lookText(look))] : []),
    ...(search?.seen !== undefined && request.state === 'unknown' ? [searchBlock(search.seen)] : []),
    ...(link !== undefined && request.state === 'unknown' ? [section(linkText(request, link))] : []),
  ];
}

/** What the target showed afterwards. */
const sightingBlocks = (seen: Report): MessageBlock[] => [
  section(`*Seen since:* ${safeLine(seen.title, 500)}`),
  ...reportBlocks(seen),
];

const lookText = ({ at, since, title }: NonNullable<RequestOutcome['look']>): string =>
  `*Last look* ${slackTime(at)}: ${safeLine(title, 300)}, since ${slackTime(since)} or before.`;

const linkText = ({ target }: Request, link: string): string =>
  `<${escapeText(link)}|Open ${safeLine(target.name, 100)} in the console>`;

/** What the service's tasks say. */
const searchBlock = (seen: string): MessageBlock => section(`*The service's tasks:* ${safeLine(seen, 500)}`);

function outcomeSentence(request: Request): string {
  const error = safeLine(request.outcome?.error?.message ?? '', 1_000);
  const headline = safeLine(request.outcome?.report?.headline ?? '', 500);
  const title = safeLine(request.outcome?.report?.title ?? '', 300);
  const note = safeLine(request.note ?? '', 500);
  const hand = request.outcome?.settledByHand;
  if (hand) {
    const came = request.state === 'failed' ? 'It did not happen' : 'It happened';
    return `*${came}*, settled by ${mention(hand.by)}: “${safeLine(hand.reason, 500)}”`;
  }
  switch (request.state) {
    case 'succeeded':
      if (title === '') return 'Done.';
      return [`*${title}*`, ...(headline === '' || headline === title ? [] : [headline])].join('\n');
    case 'failed':
      if (wasNotSent(request)) return `*It was not sent:* nothing reached the service. ${error}`.trim();
      if (request.outcome?.error?.code === taskFailed)
        return `*The service began it, and it failed.* ${error}`;
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

const whatToCheck: Readonly<Record<Target['kind'], (name: string) => string>> = {
  instance: (name) =>
    `the state, the current task and the uptime of ${name} itself, before running it again.`,
  container: (name) => `the status and the deploy of ${name}, before running it again.`,
  project: (name) => `what ${name} holds now, before running it again.`,
  cdn: () => 'the settings as the control panel shows them now, before running it again.',
  'cdn-resource': () => 'what /cdn purges lists, before running it again.',
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

const againFrom = ({ decision: { refusedUntil } }: Request): string =>
  refusedUntil === undefined ? '' : ` Possible again from ${slackDateTime(refusedUntil)}.`;
