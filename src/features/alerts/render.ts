import { hooksSection } from './group/section.ts';

import { clip, clipMiddle, someNames } from '../../text/words.ts';
import { isFiring, type OfferMessage, type OfferStorm, type OfferTier } from '../../model/records/offer.ts';
import { type Alert, type AlertContent, alertBounds, readAlert } from './group/record.ts';
import type { Request } from '../../model/records/request.ts';
import { afterChange, type AlertGroup, changeLine, durationWords, type Links } from './changes.ts';
import { alertButtons } from './buttons.ts';
import { targetNamed } from '../../command/targets.ts';
import { subjectOf } from './group/subject.ts';
import {
  actions,
  contextBlock,
  header,
  type Message,
  disclaimerLines,
  quote,
  section,
} from '../../slack/render/blocks.ts';
import {
  clipMrkdwn,
  code,
  linkAddress,
  linkTo,
  oneLine,
  readable,
  safeLine,
  slackDateTime,
} from '../../slack/render/text.ts';
import type { OfferButton } from '../../run/press-offer.ts';
import { limits } from '../../slack/render/limits.ts';
import { numberText } from '../../slack/render/table.ts';

import { offerActions, type OfferPorts, renderOfferButtons } from '../../slack/messages/offers.ts';

type RenderContext = Pick<OfferPorts, 'registry' | 'rulebook' | 'disclaimers'> &
  Partial<Pick<OfferPorts, 'log'>>;

/**
 * Returns undefined if the message has no alerts any more.
 * @param changes the changes in the threads of the group's messages, oldest first
 */
export function renderAlert(
  context: RenderContext,
  message: OfferMessage,
  changes: readonly Request[] = [],
  links: Links = new Map(),
): Message | undefined {
  const { group, storm, moved, ts } = message;
  if (moved !== undefined) {
    // A message that was never posted needs no pointer to the next.
    if (ts === undefined) return undefined;
    const left = readAlert(moved.content);
    const title = left ? titleOf(left) : oneLine(moved.content.title);
    const now = left?.firing === 0 ? 'Fires again' : 'Continued';
    const link = links.get(moved.newer?.messageId ?? '');
    const lines = [
      link === undefined
        ? `${now} in a newer message below.`
        : `${now}: ${linkTo(link, 'open the newer message')}`,
    ];
    return draw(context, message, { title: `➡️ ${title}`, text: `${now} below: ${title}`, lines });
  }
  if (!group) return storm && draw(context, message, stormDrawing(message, storm));
  const content = readAlert(group.content);
  return (
    content && draw(context, message, groupDrawing(context, message, { ...group, content }, changes, links))
  );
}

const maxLines = 5;

function groupDrawing(
  { registry, rulebook }: RenderContext,
  { source }: OfferMessage,
  group: AlertGroup,
  changes: readonly Request[],
  links: Links,
): Drawing {
  const { content } = group;
  const firing = group.status === 'firing';
  const { inventory } = rulebook();
  const targetLabel = hooksSection.of(rulebook())[source]?.targetLabel;
  const targets = (content.on ?? content.targets ?? []).filter((name) => targetNamed(name, inventory));
  const title = titleOf(content);
  const groupedBy = Object.entries(content.group ?? {}).filter(
    ([name, value]) => name !== 'severity' && !says(title, value),
  );
  const lines = [
    [stateLine(group), ...afterChange(registry, group, changes)].join(' · '),
    ...changes.flatMap((change) => changeLine(registry, group, change, links)),
    ...(targets.length === 0 ? [] : [`Target: *${safeLine(someNames(targets), 400)}*`]),
    ...(groupedBy.length === 0 ? [] : [`Group: ${labelList(groupedBy)}`]),
  ];
  const merged = content.mergedInto === undefined ? undefined : `Merged into ${oneLine(content.mergedInto)}`;
  return {
    title: firing ? `🔴 ${title}` : merged === undefined ? `✅ Resolved: ${title}` : `➡️ ${merged}: ${title}`,
    text: `${firing ? 'Firing' : (merged ?? 'Resolved')}: ${title}${firing ? severityOf(title, content) : ''}`,
    lines,
    list: alertLines(content, (alert) => subjectOf(alert, targetLabel, inventory).on),
    content,
  };
}

/** Lock screens show only the fallback text. */
const severityOf = (title: string, { severity }: AlertContent): string =>
  severity === undefined || says(title, severity) ? '' : ` (${oneLine(severity)})`;

export const titleOf = (content: AlertContent): string => `${oneLine(content.title)}${onWhat(content)}`;

/** For example ` on web-1, backup-3`. Empty if the title already names them. */
function onWhat({ title, on, targets = [], firing }: AlertContent): string {
  const names = (on ?? targets).filter((name) => !says(title, name)).map((name) => clipMiddle(name, 60));
  if (names.length === 0) return '';
  const count = names.length < alertBounds.targets ? names.length : Math.max(names.length, firing);
  return ` on ${oneLine(someNames(names, 3, count))}`;
}

const says = (title: string, name: string): boolean =>
  title === name || title.split(/[^\p{L}\p{N}._:/-]+/u).includes(name);

const labelList = (labels: readonly (readonly [string, string])[]): string =>
  labels.map(([name, value]) => safeLine(clipMiddle(`${name}=${value}`, 80), 80)).join(', ');

/** For example `*critical* · firing since 14:05 · acknowledged by Alice`. */
function stateLine({ status, statusAt, content }: AlertGroup): string {
  const { severity, since, until, note, firing, total, unread, alerts, mergedInto } = content;
  const to = until ?? statusAt;
  const ended = mergedInto === undefined ? 'resolved' : `merged into ${safeLine(mergedInto, 100)}`;
  const lasted = since === undefined || to < since ? '' : ` after ${durationWords(to - since)}`;
  const shown = Math.min(alerts.length, maxLines);
  const counts =
    unread === undefined
      ? `${numberText(firing)} of ${numberText(total)} alerts`
      : `${numberText(total)} alerts, ${numberText(shown)} shown`;
  return [
    ...(severity === undefined ? [] : [`*${safeLine(severity, 60)}*`]),
    status === 'resolved'
      ? `${ended} ${slackDateTime(to)}${lasted}`
      : since === undefined
        ? `firing, received ${slackDateTime(statusAt)}`
        : `firing since ${slackDateTime(since)}`,
    ...(total > 1 && status === 'firing' ? [counts] : []),
    ...(note === undefined ? [] : [safeLine(note, 100)]),
  ].join(' · ');
}

function alertLines(
  { alerts, total }: AlertContent,
  nameOf: (alert: Alert) => string | undefined,
): readonly string[] {
  if (total < 2) return [];
  const shown = alerts.slice(0, maxLines);
  const apart = differingLabels(shown);
  const lines = shown.map((alert) => {
    const name = nameOf(alert) ?? alert.labels['alertname'] ?? 'alert';
    const its = apart(alert, name);
    const said = [
      `${safeLine(name, 100)}${its.length === 0 ? '' : ` (${labelList(its)})`}`,
      ...(alert.summary === undefined ? [] : [safeLine(alert.summary, 150)]),
    ];
    return `• ${said.join(': ')}${alert.status === 'resolved' ? ' (resolved)' : ''}`;
  });
  const more = total - shown.length;
  return more > 0 ? [...lines, `… and ${numberText(more)} more`] : lines;
}

const maxApart = 3;

/** Omits labels whose value is already shown as the name. Labels that distinguish the alerts come first. */
function differingLabels(alerts: readonly Alert[]) {
  const kinds = (...names: readonly string[]): number =>
    new Set(alerts.map(({ labels }) => JSON.stringify(names.map((name) => labels[name])))).size;
  const names = [...new Set(alerts.flatMap(({ labels }) => Object.keys(labels)))]
    .filter((name) => kinds(name) > 1)
    .toSorted((one, other) => kinds(other) - kinds(one));
  const needed: string[] = [];
  for (const name of names) if (kinds(...needed, name) > kinds(...needed)) needed.push(name);
  return ({ labels }: Alert, shown: string): readonly (readonly [string, string])[] =>
    [...new Set([...needed, ...names])]
      .map((name) => [name, labels[name] ?? ''] as const)
      .filter(([, value]) => value !== '' && value.replace(/:\d{1,5}$/u, '') !== shown && value !== shown)
      .slice(0, maxApart);
}

const tierWords: Readonly<Record<OfferTier, readonly [one: string, many: string]>> = {
  critical: ['critical alert', 'critical alerts'],
  target: ['alert about your machines', 'alerts about your machines'],
  other: ['alert', 'alerts'],
};

function stormDrawing({ openedAt }: OfferMessage, storm: OfferStorm): Drawing {
  const { tier, firing, total, titles } = storm;
  const [one, many] = tierWords[tier];
  const shown = firing === 0 ? total : firing;
  const what = `${numberText(shown)} more ${shown === 1 ? one : many}`;
  const listed = titles.reduce((sum, each) => sum + each.firing, 0);
  return {
    title: firing === 0 ? `✅ Resolved: ${what}` : `🔴 ${what} firing`,
    text: firing === 0 ? `Resolved: ${what}` : `Firing: ${what}`,
    lines: [
      firing === 0
        ? 'All of them are resolved.'
        : `Since ${slackDateTime(openedAt)}${total > firing ? `, ${numberText(total - firing)} resolved` : ''}. Grouped because many alerts arrived at once.`,
      ...titles.flatMap(stormLine),
      ...(firing > listed && firing > 0 ? [`… and ${numberText(firing - listed)} under other titles`] : []),
    ],
  };
}

/**
 * For example `• critical: AllDatabasesDown on db-1, since 14:05`. For several groups, the line gives their number and the newest
 * group.
 */
function stormLine({
  title,
  firing,
  content: shown,
  since,
}: OfferStorm['titles'][number]): readonly string[] {
  const content = readAlert(shown);
  if (!content) return [];
  const { severity } = content;
  const of = severity === undefined ? '' : `${safeLine(severity, 60)}: `;
  const where = onWhat(content);
  const on = where === '' ? '' : ` ${safeLine(where, 200)}`;
  const many = firing === 1 ? '' : `, ${numberText(firing)} firing, the newest${on}`;
  return [`• ${of}${safeLine(title, 150)}${many || on}${many ? '' : ','} since ${slackDateTime(since)}`];
}

interface Drawing {
  /** The header, as plain text. */
  readonly title: string;
  readonly text: string;
  /** Escaped mrkdwn. */
  readonly lines: readonly string[];
  readonly content?: Pick<AlertContent, 'text' | 'link' | 'runbook'> | undefined;
  /** Escaped mrkdwn, which is shown below the source's text. */
  readonly list?: readonly string[] | undefined;
}

/**
 * In characters after escaping, which can make an address five times as long. A longer address is omitted, because a cut one would not
 * work.
 */
const maxRunbook = 600;

function draw(
  context: RenderContext,
  message: OfferMessage,
  { title, text, lines, content, list = [] }: Drawing,
): Message {
  const { text: quoted, link, runbook } = content ?? {};
  const from = `From ${safeLine(message.source, 100)}`;
  const runbookLine = runbook === undefined ? '' : `<${linkAddress(runbook)}|Open the runbook>`;
  const buttons = isFiring(message) ? alertButtons(context, message) : [];
  return {
    text: clipMrkdwn(safeLine(text, limits.fallbackText), limits.fallbackText),
    blocks: [
      header(title),
      section(lines.join('\n')),
      ...(quoted === undefined ? [] : [quote(clip(readable(quoted), 800))]),
      ...(list.length === 0 ? [] : [section(list.join('\n'))]),
      contextBlock([
        link === undefined ? from : `${from} · <${linkAddress(link)}|Open the source>`,
        ...(runbookLine === '' || runbookLine.length > maxRunbook ? [] : [runbookLine]),
        ...disclaimerLines(context.disclaimers),
      ]),
      ...actions(renderOfferButtons(message.id, buttons)),
      ...buttonsLeft(buttons),
    ],
  };
}

const buttonsLeft = (offered: readonly OfferButton[]): Message['blocks'] => {
  const left = offered.slice(offerActions.length);
  const [first] = left;
  if (!first) return [];
  const command = code(`/${first.command.area} ${first.command.text}`, 200);
  const names = someNames([...new Set(left.map(({ target, text }) => target ?? text))]);
  return [contextBlock([`No room for the buttons of ${safeLine(names, 300)}. Type the command: ${command}`])];
};
