import type { Button, ModalView } from '@slack/types';

import { clip } from '../../text/words.ts';
import type { Fact, Report } from '../../model/values/report.ts';
import type { EntrySeal } from '../../model/records/sealed-log.ts';
import { didNotRun, isOpen, likelyWords, type Request, stateWord } from '../../model/records/request.ts';
import { accountOf } from '../../model/rulebook/target.ts';
import {
  actions,
  contextBlock,
  fieldSections,
  lineSections,
  disclaimerLines,
  plain,
  section,
  stateSigns,
  textLength,
  type MessageBlock,
} from '../render/blocks.ts';
import { factLine, safeLine, slackTime } from '../render/text.ts';
import { stillToRun } from '../../model/records/whole.ts';
import { limits } from '../render/limits.ts';
import { pageReport } from '../render/page-report.ts';
import { renderTable } from '../render/table.ts';
import { seenAt, whyLines } from './card-lead.ts';
import { actionLabel, isUnlisted, kindWords, notListed, previewTitle, signOf } from './card-words.ts';
import { historyLines, referenceLine } from './card-history.ts';
import { wholeLine } from './whole-card.ts';

interface DetailsOptions {
  readonly verb: string;
  /** Of the request's last audit entry, once sealed. */
  readonly seal?: EntrySeal | undefined;
  readonly disclaimers: readonly string[];
  /** The card's text, for a request that is not over. Replaces the title and the reason. */
  readonly lead?: readonly MessageBlock[] | undefined;
  /** Why a click in the view did nothing. */
  readonly said?: readonly MessageBlock[] | undefined;
  readonly singles?: readonly Request[] | undefined;
  readonly buttons?: readonly Button[] | undefined;
}

/** Everything: the target in full, exactly what is sent, the service's answer, the history and the ids. */
export function renderDetails(
  request: Request,
  { verb, seal, disclaimers, lead, said = [], singles = [], buttons = [] }: DetailsOptions,
): ModalView {
  const { outcome } = request;
  const whole = wholeLine(request);
  const word = stateWord(request);
  const why = whyLines(request);
  const heading = section(`${signOf(request)} *${safeLine(actionLabel(verb, request), 300)}*: ${word}`);
  const above = [
    ...said,
    ...(lead ?? [
      heading,
      ...(why.length === 0 ? [] : [section(why.join('\n'))]),
      ...(whole === undefined ? [] : [contextBlock([whole])]),
    ]),
    ...fieldSections(targetFacts(request)),
    ...singleSections(singles),
  ];
  const below = [
    contextBlock([
      historyLines(request).join(' · '),
      referenceLine(request, seal),
      ...(seal || isOpen(request.state) ? [] : [notSealedYet]),
      ...disclaimerLines(disclaimers),
    ]),
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

const notSealedYet = 'The audit entry has no number yet. Open Details again in a moment.';

/** For example `✅ web-1: succeeded 20:14 · request r-7k3m9qpd`. */
function singleSections(singles: readonly Request[]): MessageBlock[] {
  const lines = singles.map((single) => {
    const { id, state, target, startedAt, endedAt } = single;
    const at = endedAt ?? startedAt;
    const when = at === undefined ? '' : ` ${slackTime(at)}`;
    return `${stateSigns[state]} ${safeLine(target.name, 80)}: ${didNotRun(single) ? 'the change did not run' : state}${likelyWords(single)}${when} · request ${safeLine(id, 60)}`;
  });
  return lineSections(lines);
}

const roomForTitles = 200;

function problemBlocks({ state, outcome }: Request): MessageBlock[] {
  const { error } = outcome ?? {};
  const sighting = state === 'unknown' ? outcome?.sighting : undefined;
  const notes = (sighting?.notes ?? []).slice(0, 3).map((note) => safeLine(note, 150));
  return [
    ...(error ? [section(`*What happened:* ${safeLine(error.message, 1_000)}`)] : []),
    ...(sighting ? [section(`${seenAt(outcome?.sightedAt)} ${safeLine(sighting.title, 500)}`)] : []),
    ...fieldSections((sighting?.facts ?? []).slice(0, 4)),
    ...(notes.length === 0 ? [] : [section(notes.join('\n'))]),
  ];
}

const maxText = 3_000;

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
    if (textLength([...shown, block]) > maxText) break;
    shown.push(block);
  }
  const notes = report.notes.slice(0, 3).map((note) => safeLine(note, 150));
  if (pages.length > 1 || shown.length <= all.length)
    notes.push('The response is too long; this is the beginning.');
  return notes.length > 0 ? [...shown, section(notes.join('\n'))] : shown;
}

/** Shows the target in full, so that no one confirms a change of the wrong target. */
function targetFacts({ target }: Request): Fact[] {
  const facts: Fact[] =
    target.kind === 'bucket'
      ? [
          { label: 'Storage', value: target.storage },
          { label: 'Bucket', value: target.bucket },
        ]
      : [{ label: kindWords(target).label, value: target.name }];
  if (target.kind === 'instance') facts.push({ label: 'ID', value: target.id });
  if (isUnlisted(target)) facts.push({ label: 'Inventory', value: notListed });
  if ('project' in target) {
    const region =
      target.regionName === undefined ? `${target.region}` : `${target.regionName} (${target.region})`;
    facts.push({ label: 'Project', value: `${target.project}` }, { label: 'Region', value: region });
  }
  const account = accountOf(target);
  if (account) facts.push({ label: 'Account', value: `${account.name} (${account.url})` });
  const labels = Object.entries(target.labels).map(([name, value]) => `${name}=${value}`);
  if (labels.length > 0) facts.push({ label: 'Labels', value: labels.join(' · ') });
  return facts.map(({ label, value }) => ({ label, value: clip(value, 400) }));
}

/** Mrkdwn paragraphs within Slack's limit. Facts beyond `budget` characters are counted instead of shown. */
function previewParagraphs(title: string, facts: readonly Fact[], budget: number): string[] {
  if (facts.length === 0) return [];
  const paragraphs: string[] = [];
  let paragraph = `*${title}*`;
  let used = 0;
  let shown = 0;
  for (const fact of facts) {
    const value = factLine(fact, 1_000) || '–';
    const line = shown === 0 && fact.isCall ? `\n• ${value}` : `\n• ${safeLine(fact.label, 100)}: ${value}`;
    if (used + line.length > budget) break;
    if (paragraph.length + line.length > limits.text - 100) {
      paragraphs.push(paragraph);
      paragraph = '*(continued)*';
    }
    paragraph += line;
    used += line.length;
    shown += 1;
  }
  const left = facts.length - shown;
  return [...paragraphs, left > 0 ? `${paragraph}\n• and ${left} more, too long to show here` : paragraph];
}
