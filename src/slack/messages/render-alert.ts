import { hooksSection } from '../../alerts/section.ts';
import type { Button } from '@slack/types';

import { clip } from '../../text/words.ts';
import {
  type Alert,
  type AlertContent,
  type AlertGroup,
  type AlertMessage,
  type AlertStorm,
  alertBounds,
  type AlertTier,
  isFiring,
} from '../../model/records/alert.ts';
import { type AlertButton, alertButtons } from '../../alerts/buttons.ts';
import { subjectOf, targetNamed } from '../../command/targets.ts';
import { someNames } from '../../text/words.ts';
import type { Rules } from '../../model/ports.ts';
import {
  actions,
  button,
  contextBlock,
  header,
  type Message,
  disclaimerLines,
  quote,
  section,
} from '../render/blocks.ts';
import { clipMrkdwn, code, linkAddress, oneLine, readable, safeLine, slackDateTime } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { numberText } from '../render/table.ts';

import { suggestionMessage } from './render-suggestion.ts';

type RenderContext = Pick<Rules, 'registry' | 'rulebook'> & { readonly disclaimers: readonly string[] };

/** Renders the message about alerts under the current rules. Returns undefined if the message has no alerts any more. */
export type RenderAlert = (message: AlertMessage) => Message | undefined;

export const alertRenderer =
  (context: RenderContext): RenderAlert =>
  (message) => {
    const { group, storm, moved, ts } = message;
    if (moved !== undefined) {
      // A message that was never posted needs no pointer to the next.
      if (ts === undefined) return undefined;
      const title = oneLine(moved);
      const lines = ['Continued in a newer message below.'];
      return draw(context, message, { title: `➡️ ${title}`, text: `Continued below: ${title}`, lines });
    }
    const suggestion = group?.content.suggestion;
    if (suggestion) {
      const buttons = renderAlertButtons(message.id, alertButtons(context, message));
      return suggestionMessage(suggestion, message.id, buttons, context.disclaimers);
    }
    if (group) return draw(context, message, groupDrawing(context, message, group));
    return storm && draw(context, message, stormDrawing(message, storm));
  };

const maxLines = 5;

function groupDrawing({ rulebook }: RenderContext, { hook }: AlertMessage, group: AlertGroup): Drawing {
  const { content } = group;
  const firing = group.status === 'firing';
  const { inventory } = rulebook();
  const targetLabel = hooksSection.of(rulebook())[hook]?.targetLabel;
  const targets = (content.on ?? content.targets ?? []).filter((name) => targetNamed(name, inventory));
  const title = `${oneLine(content.title)}${onWhat(content)}`;
  const groupedBy = Object.entries(content.group ?? {}).filter(
    ([name, value]) => name !== 'severity' && !says(title, value),
  );
  const lines = [
    stateLine(group),
    ...(targets.length === 0 ? [] : [`Target: *${safeLine(someNames(targets), 400)}*`]),
    ...(groupedBy.length === 0 ? [] : [`Group: ${labelList(groupedBy)}`]),
  ];
  const merged = content.mergedInto === undefined ? undefined : `Merged into ${oneLine(content.mergedInto)}`;
  return {
    title: firing ? `🔴 ${title}` : merged === undefined ? `✅ Resolved: ${title}` : `➡️ ${merged}: ${title}`,
    text: `${firing ? 'Firing' : (merged ?? 'Resolved')}: ${title}`,
    lines,
    list: alertLines(content, (alert) => subjectOf(alert, targetLabel, inventory).on),
    content,
  };
}

/** For example ` on web-1, backup-3`, or nothing if the title already names it. */
function onWhat({ title, on, targets = [], firing }: AlertContent): string {
  const names = (on ?? targets).filter((name) => !says(title, name)).map((name) => clip(name, 60));
  if (names.length === 0) return '';
  const count = names.length < alertBounds.targets ? names.length : Math.max(names.length, firing);
  return ` on ${oneLine(someNames(names, 3, count))}`;
}

const says = (title: string, name: string): boolean =>
  title === name || title.split(/[^\p{L}\p{N}._:/-]+/u).includes(name);

const labelList = (labels: readonly (readonly [string, string])[]): string =>
  labels.map(([name, value]) => safeLine(`${name}=${value}`, 80)).join(', ');

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

/** The labels that differ between alerts, the most telling first, apart from those that say what the name says. */
function differingLabels(alerts: readonly Alert[]) {
  const values = (name: string): number => new Set(alerts.map(({ labels }) => labels[name])).size;
  return ({ labels }: Alert, shown: string): readonly (readonly [string, string])[] =>
    Object.entries(labels)
      .filter(
        ([name, value]) =>
          values(name) > 1 && value !== '' && value.replace(/:\d{1,5}$/u, '') !== shown && value !== shown,
      )
      .toSorted(([one], [other]) => values(other) - values(one))
      .slice(0, maxApart);
}

const tierWords: Readonly<Record<AlertTier, readonly [one: string, many: string]>> = {
  critical: ['critical alert', 'critical alerts'],
  target: ['alert about your machines', 'alerts about your machines'],
  other: ['alert', 'alerts'],
};

function stormDrawing({ openedAt }: AlertMessage, storm: AlertStorm): Drawing {
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
      ...titles.map((each) => stormLine(each)),
      ...(firing > listed && firing > 0 ? [`… and ${numberText(firing - listed)} under other titles`] : []),
    ],
  };
}

/**
 * For example `• critical: AllDatabasesDown on db-1, since 14:05`. For several groups, the line gives their number and the newest
 * group.
 */
function stormLine({ title, firing, content, since }: AlertStorm['titles'][number]): string {
  const { severity } = content;
  const of = severity === undefined ? '' : `${safeLine(severity, 60)}: `;
  const where = onWhat(content);
  const on = where === '' ? '' : ` ${safeLine(where, 200)}`;
  const many = firing === 1 ? '' : `, ${numberText(firing)} firing, the newest${on}`;
  return `• ${of}${safeLine(title, 150)}${many || on}${many ? '' : ','} since ${slackDateTime(since)}`;
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
 * The maximum length of a runbook's address after escaping, which can make the address five times as long. A longer address is
 * omitted and not cut.
 */
const maxRunbook = 600;

function draw(
  context: RenderContext,
  message: AlertMessage,
  { title, text, lines, content, list = [] }: Drawing,
): Message {
  const { text: quoted, link, runbook } = content ?? {};
  const from = `From ${safeLine(message.hook, 100)}`;
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
      ...actions(renderAlertButtons(message.id, buttons)),
      ...buttonsLeft(buttons),
    ],
  };
}

/** For example `45 s`, `12 min`, `3 h 5 min` or `2 d 4 h`. */
function durationWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const [large, small] =
    hours < 24
      ? [hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`]
      : [`${Math.floor(hours / 24)} d`, hours % 24 && `${hours % 24} h`];
  return [large, small].filter(Boolean).join(' ');
}

/** The action ids of the buttons under an alert. Slack requires different ids within a block. */
export const alertActions = ['alert:0', 'alert:1', 'alert:2', 'alert:3', 'alert:4'] as const;

/** Says how to act on the targets whose buttons have no room. */
const buttonsLeft = (offered: readonly AlertButton[]): Message['blocks'] => {
  const left = offered.slice(alertActions.length);
  const [first] = left;
  if (!first) return [];
  const command = code(`/${first.command.area} ${first.command.text}`, 200);
  const names = someNames([...new Set(left.map(({ target, text }) => target ?? text))]);
  return [contextBlock([`No room for the buttons of ${safeLine(names, 300)}. Type the command: ${command}`])];
};

/** The value of a button names the alert and the button, never the command. */
const renderAlertButtons = (messageId: string, offered: readonly AlertButton[]): readonly Button[] =>
  alertActions.flatMap((action, at) => {
    const one = offered[at];
    return one ? [button({ text: one.text, action, value: `${messageId} ${one.key}` })] : [];
  });

export function parseAlertValue(value = ''): { readonly messageId: string; readonly key: string } {
  const [messageId = '', key = ''] = value.slice(0, 200).split(' ');
  return { messageId, key };
}
