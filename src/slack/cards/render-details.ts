import type { Button, ModalView } from '@slack/types';

import type { Fact, Report } from '../../model/report.ts';
import type { EntrySeal } from '../../model/sealed-log.ts';
import { isOpen, type Request, stateWord } from '../../model/request.ts';
import {
  actions,
  contextBlock,
  fieldSections,
  noticeLines,
  plain,
  section,
  textLength,
  type MessageBlock,
} from '../render/blocks.ts';
import { safeLine, slackTime } from '../render/text.ts';
import { stillToRun } from '../../request/steps/rollout.ts';
import { limits } from '../render/limits.ts';
import { pageReport } from '../render/page-report.ts';
import { renderTable } from '../render/table.ts';
import { historyLines, previewParagraphs, referenceLine, saysWhatIsSent, targetFacts } from './card-facts.ts';
import { whyLines } from './card-lead.ts';
import { actionLabel, wasNotSent } from './card-words.ts';
import { stateSigns, wordSign } from '../render/item.ts';

interface DetailsOptions {
  readonly verb: string;
  /** Where its last audit entry is sealed, once it is. */
  readonly seal?: EntrySeal | undefined;
  readonly notices: readonly string[];
  /** The card's own text, instead of title and reason, for a request that is not over. */
  readonly lead?: readonly MessageBlock[] | undefined;
  /** For a rollout: its single requests. */
  readonly singles?: readonly Request[] | undefined;
  /** The reader's possible actions. */
  readonly buttons?: readonly Button[] | undefined;
}

/** The Details view: the target in full, exactly what is sent, the service's answer, the history and the ids. */
export function renderDetails(
  request: Request,
  { verb, seal, notices, lead, singles = [], buttons = [] }: DetailsOptions,
): ModalView {
  const { target, outcome } = request;
  const word = stateWord(request);
  const why = whyLines(request);
  const heading = section(`${wordSign(word)} *${safeLine(actionLabel(verb, target), 300)}*: ${word}`);
  const above = [
    ...(lead ?? [heading, ...(why.length === 0 ? [] : [section(why.join('\n'))])]),
    ...fieldSections(targetFacts(request)),
    ...singleSections(singles),
  ];
  const below = [
    contextBlock([historyLines(request).join(' · '), referenceLine(request, seal), ...noticeLines(notices)]),
    ...actions([...buttons]),
  ];
  const answer = [...(outcome?.report ? answerBlocks(outcome.report) : []), ...problemBlocks(request)];
  const room = limits.messageBlocksText - textLength([...above, ...answer, ...below]) - roomForTitles;
  const paragraphs = (title: string, facts: readonly Fact[]) =>
    previewParagraphs(title, facts, room / 2).map((text) => section(text));
  const sent = paragraphs(
    previewTitle(request),
    stillToRun(request).preview.filter(({ isEffect }) => !isEffect),
  );
  return {
    type: 'modal',
    title: plain(lead ? 'Review' : 'Details', limits.modalTitle),
    close: plain('Close', limits.modalButton),
    blocks: [...above, ...sent, ...answer, ...below],
  };
}

const singlesASection = 10;

/** `✅ web-1 succeeded 20:14 · request r-7k3m9qpd` */
function singleSections(singles: readonly Request[]): MessageBlock[] {
  const lines = singles.map(({ id, state, target, startedAt, endedAt }) => {
    const at = endedAt ?? startedAt;
    const when = at === undefined ? '' : ` ${slackTime(at)}`;
    return `${stateSigns[state]} ${safeLine(target.name, 80)} ${state}${when} · request ${safeLine(id, 60)}`;
  });
  const sections: MessageBlock[] = [];
  for (let at = 0; at < lines.length; at += singlesASection)
    sections.push(section(lines.slice(at, at + singlesASection).join('\n')));
  return sections;
}

const roomForTitles = 200;

function previewTitle(request: Request): string {
  const { state, rollout } = request;
  if (!rollout && !saysWhatIsSent(request.preview)) return 'Preview';
  if (isOpen(state) && state !== 'running') return 'Will be sent';
  if (rollout?.startedAt !== undefined) return 'One after another';
  if (state === 'running') return 'Being sent';
  if (state === 'unknown' || request.outcome?.unwitnessed) return 'Request sent (outcome unknown)';
  const sent = state === 'succeeded' || (state === 'failed' && !wasNotSent(request));
  return sent ? 'Was sent' : 'Was not sent';
}

/** The error in full and, for an unknown outcome, what was seen of the target. */
function problemBlocks({ state, outcome }: Request): MessageBlock[] {
  const { error } = outcome ?? {};
  const sighting = state === 'unknown' ? outcome?.sighting : undefined;
  const notes = (sighting?.notes ?? []).slice(0, 3).map((note) => safeLine(note, 150));
  return [
    ...(error ? [section(`*What happened:* ${safeLine(error.message, 1_000)}`)] : []),
    ...(sighting ? [section(`*Seen since:* ${safeLine(sighting.title, 500)}`)] : []),
    ...fieldSections((sighting?.facts ?? []).slice(0, 4)),
    ...(notes.length === 0 ? [] : [section(notes.join('\n'))]),
  ];
}

/** Characters of the view that an answer may take. */
const mostText = 3_000;

function answerBlocks(report: Report): MessageBlock[] {
  const pages = pageReport(report, false);
  const [page] = pages;
  const all = [
    ...fieldSections(page.facts),
    ...page.charts.flatMap(({ blocks }) => blocks),
    ...page.tables.flatMap((slice) => renderTable(slice)),
  ];
  const shown: MessageBlock[] = [section(`*Answer:* ${safeLine(report.title, 300)}`)];
  for (const block of all) {
    if (textLength([...shown, block]) > mostText) break;
    shown.push(block);
  }
  const notes = report.notes.slice(0, 3).map((note) => safeLine(note, 150));
  if (pages.length > 1 || shown.length <= all.length)
    notes.push('The response is too long; this is the beginning.');
  return notes.length > 0 ? [...shown, section(notes.join('\n'))] : shown;
}
