import type { Button } from '@slack/types';

import type { Actor } from '../../model/values/actor.ts';
import { type Operation, riskOf } from '../../model/operation.ts';
import { canonical } from '../../model/records/audit.ts';
import type { Report } from '../../model/values/report.ts';
import { approversOf, didNotRun, type Request, stateWord, wasDenied } from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import { stillToRun } from '../../model/records/whole.ts';
import { type MessageBlock, section } from '../render/blocks.ts';
import {
  linkAddress,
  mention,
  mentions,
  mrkdwnParts,
  safeLine,
  slackDateTime,
  slackTime,
} from '../render/text.ts';
import { listed } from '../../text/words.ts';
import { type Beside, type CardExtra, warningsOf } from './card-lines.ts';
import {
  actionLabel,
  cardBlock,
  failedText,
  foundText,
  kindWords,
  nothingSent,
  recordText,
  resultText,
  shortIds,
  signOf,
} from './card-words.ts';
import { tookWords } from './card-history.ts';

export interface CardOptions extends Beside {
  readonly unanswered?: boolean | undefined;
  readonly operation: Pick<Operation, 'name' | 'summary' | 'risk' | 'escalatedBy'>;
  /** The word after the slash command, such as `reboot`. */
  readonly verb: string;
  /** The past participle, such as `rebooted`. */
  readonly done: string;
  readonly mayApprove?: readonly Actor[];
  readonly checkable?: boolean | undefined;
  readonly link?: string | undefined;
  /** For a view, which does not follow the request: a link to its card. */
  readonly card?: { readonly link: string | undefined };
  readonly extras?: readonly NonNullable<ReturnType<CardExtra>>[];
  readonly disclaimers: readonly string[];
}

export function openLead(request: Request, options: CardOptions): MessageBlock {
  const { note } = request;
  const first = [
    ...warningsOf(request, options).map((said) => mrkdwnParts(said, 500)),
    ...(note === undefined ? [] : [safeLine(note, 300)]),
  ];
  const [asked = '', ...more] = openLines(request, options);
  const opening = [...effectTexts(request, options), asked].join(' ');
  return section([...first, opening, ...more, ...whyLines(request, 200)].join('\n'));
}

function openLines(request: Request, options: CardOptions): readonly string[] {
  if (request.state === 'proposed') return proposedLines(request, options);
  if (request.state === 'awaiting approval') return approvalLines(request, options);
  return [runningText(request, options)];
}

function runningText(
  { startedAt, createdAt, requester, approvals, outcome }: Request,
  { unanswered = false, card }: CardOptions,
): string {
  const now = outcome?.tasks
    ? ' Accepted; the service is working on it.'
    : unanswered
      ? ' *The service has not answered yet.* If it never does, the outcome becomes unknown.'
      : '';
  const since = slackTime(startedAt ?? createdAt);
  return `Requested by ${mention(requester)}.${approvedText(approvals)} Running since ${since}.${now} ${updateText(card)}`;
}

const updateText = (card: CardOptions['card']): string =>
  card === undefined
    ? 'This message will update.'
    : `The card shows the outcome${card.link === undefined ? '' : `: <${linkAddress(card.link)}|Open the card>`}.`;

export const approvedText = (approvals: Request['approvals']): string =>
  approvals.length === 0 ? '' : ` Approved by ${mentions(approvals.slice(0, 10).map(({ by }) => by))}.`;

/** For example `web-1 will be down while it reboots.` */
function effectTexts(request: Request, { operation }: CardOptions): readonly string[] {
  const { state, preview, input } = stillToRun(request);
  const effect = preview.find(({ isEffect }) => isEffect)?.value;
  if (effect === undefined || state === 'running') return [];
  const text = safeLine(effect, 300);
  return [riskOf(operation, input) === 'destructive' ? `*${text}*` : text];
}

function proposedLines(request: Request, { barred = [] }: CardOptions): readonly string[] {
  const { typeName, demands = [] } = request.decision;
  const steps = [...(typeName ? ['type the name'] : []), ...demands.map(({ verb }) => verb)];
  const asked = steps.length === 0 ? '' : ` You will be asked to ${steps.join(' and ')}.`;
  const until = `Confirm by ${slackTime(request.expiresAt)}.`;
  return [`Requested by ${mention(request.requester)}. ${until}${asked}`, ...expiresFirst(request, barred)];
}

function approvalLines(request: Request, { mayApprove = [], barred = [] }: CardOptions): readonly string[] {
  const { requester, expiresAt, approvals: given, decision } = request;
  const roles = safeLine(approversOf(decision).join(', '), 300) || 'no one';
  const who =
    mayApprove.length > 0
      ? `${mentions(mayApprove.slice(0, 10))} (${roles})`
      : `${roles}, but not ${mention(requester)}`;
  const verbs = (decision.demands ?? []).map(({ verb }) => verb).join(' and ');
  const login = verbs === '' ? '' : ` *Approve* asks you to ${safeLine(verbs, 100)}.`;
  const one = decision.approvals === 1;
  const runs = one ? "; runs as soon as it's approved." : '; runs as soon as it has them.';
  const expires = expiresFirst(request, barred);
  const then =
    barred.length === 0 ? runs : expires.length > 0 ? '.' : `. *Approve* works once ${endsText(barred)}.`;
  const wanted = `Needs ${one ? 'one approval' : `${decision.approvals} approvals`}${then}`;
  return [
    `Requested by ${mention(requester)}. Approve by ${slackTime(expiresAt)}.`,
    `Approvers: ${who}. ${wanted}${login}${approvedText(given)}`,
    ...expires,
    ...laterLines(decision),
  ];
}

/** Says that the request will not run if what restricts it, such as a hold, lasts until its planned end. */
function expiresFirst({ expiresAt }: Request, barred: NonNullable<Beside['barred']>): readonly string[] {
  const longest = barred.filter(({ until }) => until !== undefined && until > expiresAt);
  const [last] = longest.toSorted((one, other) => Number(other.until) - Number(one.until));
  if (last?.until === undefined) return [];
  const expires = `This request expires at ${slackTime(expiresAt)}, before the ${last.noun} ends (${slackTime(last.until)}).`;
  return [`${expires} Ask ${mention(last.by)} to release it, or request it again then.`];
}

/** For example `@Carol's hold has ended (by 09:53)`. */
function endsText(barred: NonNullable<Beside['barred']>): string {
  const names = listed(barred.map(({ by, noun }) => `${mention(by)}'s ${noun}`));
  const [{ until } = {}, ...others] = barred;
  if (others.length > 0) return `${names} have ended`;
  return `${names} has ended${until === undefined ? '' : ` (by ${slackTime(until)})`}`;
}

const laterLines = ({ later = [] }: Request['decision']): readonly string[] =>
  later.map(({ roles, at, since }) => {
    const who = safeLine(roles.join(', '), 300);
    return since === undefined
      ? `From ${slackTime(at)}, ${who} can also approve if it is still waiting.`
      : `Since ${slackTime(since)}, ${who} can also approve.`;
  });

export const whyLines = ({ reason, breakGlass }: Request, room = 500): string[] => [
  ...(reason === undefined ? [] : [`Why: “${safeLine(reason, room)}”`]),
  ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, room)}”`]),
];

const linkText = (link: string): string => `<${linkAddress(link)}|Open in console>`;

/**
 * The outcome and the duration, with room for one button. The card of a closed draft says above that the change runs nevertheless.
 */
export function endedLead(request: Request, options: CardOptions, accessory?: Button): MessageBlock {
  const { verb, done, overtaken } = options;
  const title = `${safeLine(actionLabel(verb, request), 200)}: ${stateWord(request)}`;
  const sentence =
    overtaken === undefined
      ? endedSentence(request, done)
      : 'This break-glass request was closed. It sent nothing.';
  return section(
    [
      ...(overtaken === undefined ? [] : [`*${mrkdwnParts(overtaken, 500)}*`]),
      `${signOf(request)} *${title}*${tookPart(request)} · ${sentence}`,
    ].join('\n'),
    accessory,
    accessory && cardBlock(request),
  );
}

function tookPart(request: Request): string {
  const took = tookWords(request);
  return took === undefined ? '' : ` ${stateWord(request) === 'stopped' ? 'after' : 'in'} ${took}`;
}

function endedSentence(request: Request, done: string): string {
  const { error: problem } = request.outcome ?? {};
  const error = problem ? safeLine(causeOf(problem), 500) : '';
  const note = safeLine(request.note ?? '', 500);
  const hand = request.outcome?.settledByHand;
  if (hand) {
    const came = didNotRun(request) ? 'It did not run' : 'It ran';
    return `*${came}* (settled by ${mention(hand.by)}: “${safeLine(hand.reason, 500)}”)`;
  }
  switch (request.state) {
    case 'succeeded':
      return resultText(request, done) ?? succeededSentence(request.outcome?.report);
    case 'failed':
      return `${failedText(request)} ${error || succeededSentence(request.outcome?.report)}`;
    case 'expired':
      return `${notInTime(request)} ${nothingSent(request)} ${note}`.trim();
    case 'refused':
      return `${request.decidedBy && wasDenied(request) ? `${mention(request.decidedBy)} denied the approval. ` : ''}${nothingSent(request)} ${note}${againFrom(request)}`.trim();
    case 'cancelled':
      return `${nothingSent(request)} ${note}`.trim();
    case 'proposed':
    case 'awaiting approval':
    case 'running':
    case 'unknown':
      return note;
  }
}

function succeededSentence(report: Report | undefined): string {
  if (!report) return 'Done.';
  const { title, headline = '' } = report;
  const more = headline === '' || headline === title ? '' : `: ${safeLine(headline, 200)}`;
  return safeLine(title, 200) + more;
}

const notInTime = ({ decision }: Request): string =>
  decision.effect === 'approve' ? 'Not approved in time.' : 'Not confirmed in time.';

export function unknownLead(request: Request, { link, checkable = false }: CardOptions): MessageBlock {
  const { error, search, look } = request.outcome ?? {};
  const cause = error === undefined ? '' : ` ${safeLine(shortIds(causeOf(error)), 300)}`;
  const { target } = request;
  const { seen, suggests, mayHaveRun = false } = search ?? {};
  const ran = mayHaveRun || hasChanged(request) ? 'may well' : 'may or may not';
  const evidence = seen === undefined ? [] : [safeLine(seen, 300)];
  const check = kindWords(target).check(safeLine(target.name, 200));
  const next =
    suggests === 'failed'
      ? [recordText]
      : look === undefined
        ? [`Before you run it again, check ${check}${checkable ? ' (*Check now*)' : ''}.`]
        : suggests === undefined
          ? [`*Next:* check ${check}, then press *Settle…*.`]
          : [];
  return section(
    [
      `${suggests === undefined ? `*Outcome unknown:* it ${ran} have run.` : `*${evidence.join('')}*${foundText(search)}`} Bellhop will not retry it.${cause}`,
      ...seenLines(request),
      ...(suggests === undefined ? evidence : []),
      ...next,
      ...(link === undefined ? [] : [linkText(link)]),
    ].join('\n'),
  );
}

const causeOf = ({ summary, message }: NonNullable<RequestOutcome['error']>): string => summary ?? message;

/** Whether the target was seen in another state than before the request. */
export const hasChanged = ({ before, outcome }: Request): boolean =>
  before !== undefined && outcome?.sighted !== undefined && canonical(before) !== canonical(outcome.sighted);

/** The target's states since the change and in the newest check, with their times. */
export function seenLines({ outcome }: Pick<Request, 'outcome'>): readonly string[] {
  const { sighting, sightedAt, look } = outcome ?? {};
  const [before] = sighting?.facts ?? [];
  const beside = before ? ` ${safeLine(before.label, 60)}: ${safeLine(before.value, 100)}.` : '';
  const seen = look?.isSighting ? undefined : sighting?.title;
  return [
    ...(seen === undefined ? [] : [`${seenAt(sightedAt)} ${safeLine(seen, 300)}.`]),
    ...(look ? [`*Checked* ${slackTime(look.at)}: ${safeLine(look.title, 300)}.${beside}`] : []),
  ];
}

/** Introduces what was seen then. Rows of earlier versions have no time. */
export const seenAt = (at: number | undefined): string =>
  at === undefined ? '*Seen:*' : `*Seen* ${slackTime(at)}:`;

const againFrom = ({ decision: { refusedUntil } }: Request): string =>
  refusedUntil === undefined ? '' : ` Allowed again from ${slackDateTime(refusedUntil)}.`;
