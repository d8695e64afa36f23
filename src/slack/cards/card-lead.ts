import type { Button } from '@slack/types';

import type { Actor } from '../../model/actor.ts';
import { type Operation, riskOf } from '../../model/operation.ts';
import type { Report } from '../../model/report.ts';
import type { Target } from '../../model/target.ts';
import type { Request, RequestOutcome } from '../../model/request.ts';
import { taskFailed } from '../../request/outcome/task-end.ts';
import { type MessageBlock, section } from '../render/blocks.ts';
import { linkAddress, mention, mentions, safeLine, slackDateTime, slackTime } from '../render/text.ts';
import { shortIds } from './card-facts.ts';
import { actionLabel, cardBlock, nothingSent, wasNotSent } from './card-words.ts';
import { stateSigns } from '../render/item.ts';

/** What is known beside the request itself when its card is shown. */
export interface CardOptions {
  /** It is running, and the service lets it wait. */
  readonly unanswered?: boolean | undefined;
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

/** What an open request is about, below its title: what to know first, who and until when, and why. */
export function openLead(request: Request, options: CardOptions): MessageBlock {
  const { note, lastUnknownAt: at } = request;
  const first = [
    ...(at === undefined
      ? []
      : [`⚠️ The last attempt is unknown, ${slackDateTime(at)}: it may have run. Check it first.`]),
    ...(note === undefined ? [] : [safeLine(note, 300)]),
  ];
  return section([...first, ...openLines(request, options), ...whyLines(request, 200)].join('\n'));
}

function openLines(request: Request, options: CardOptions): readonly string[] {
  if (request.state === 'proposed') return proposedLines(request, options);
  if (request.state === 'awaiting approval') return approvalLines(request, options);
  return [runningText(request, options)];
}

function runningText(
  { startedAt, createdAt, requester, outcome }: Request,
  { unanswered = false }: CardOptions,
): string {
  const now = outcome?.tasks
    ? ' Accepted; the service is working on it.'
    : unanswered
      ? ' *The service has not answered yet.* Without an answer in time, the outcome becomes unknown.'
      : '';
  return `Requested by ${mention(requester)}. Running since ${slackTime(startedAt ?? createdAt)}.${now} This message will update.`;
}

const riskSentences: Readonly<Record<Operation['risk'], string>> = {
  read: 'This changes nothing.',
  change: 'This changes what is set or recorded.',
  destructive: '*This interrupts a service.*',
};

function proposedLines(request: Request, { operation }: CardOptions): readonly string[] {
  const typed = request.decision.typeName ? ' You will be asked to type the name.' : '';
  const until = `Confirm by ${slackTime(request.expiresAt)}.`;
  return [
    `Requested by ${mention(request.requester)}. ${until} ${riskSentences[riskOf(operation, request.input)]}${typed}`,
  ];
}

function approvalLines(request: Request, { operation, mayApprove = [] }: CardOptions): readonly string[] {
  const { approvers, approvals } = request.decision;
  const people = mayApprove.length > 0 ? ` (${mentions(mayApprove.slice(0, 10))})` : '';
  const given = request.approvals.length;
  const so =
    given === 0
      ? ''
      : ` ${given} so far, by ${mentions(request.approvals.slice(0, 10).map(({ by }) => by))}.`;
  const wanted =
    approvals === 1
      ? 'One approval is needed. It runs at once then.'
      : `${approvals} different people must approve. It runs at once then.`;
  const risk = riskSentences[riskOf(operation, request.input)];
  return [
    `Requested by ${mention(request.requester)}, until ${slackTime(request.expiresAt)}. ${risk}`,
    `Approvers: ${safeLine(approvers.join(', '), 300) || 'nobody'}${people}, not the requester. ${wanted}${so}`,
  ];
}

/** Who may skip the approval. The card is the same for all. Empty where nobody may. */
export const glassLine = ({ state, decision: { breakGlass = [] } }: Request): string =>
  state !== 'awaiting approval' || breakGlass.length === 0
    ? ''
    : `\`--break-glass\`: the requester, if one of ${safeLine(breakGlass.join(', '), 200)}`;

/** Why the requester wants it, in their words. */
export const whyLines = ({ reason, breakGlass }: Request, room = 500): string[] => [
  ...(reason === undefined ? [] : [`Why: “${safeLine(reason, room)}”`]),
  ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, room)}”`]),
];

const linkText = (link: string): string => `<${linkAddress(link)}|Open it in the console>`;

/** What came of a request that is over, in one line, with one button beside it. */
export function endedLead(request: Request, { verb }: CardOptions, accessory: Button): MessageBlock {
  const title = `${safeLine(actionLabel(verb, request.target), 200)}: ${request.state}`;
  return section(
    `${stateSigns[request.state]} *${title}* · ${endedSentence(request)}`,
    accessory,
    cardBlock(request),
  );
}

function endedSentence(request: Request): string {
  const { error: problem } = request.outcome ?? {};
  const error = problem ? safeLine(causeOf(problem), 500) : '';
  const note = safeLine(request.note ?? '', 500);
  const hand = request.outcome?.settledByHand;
  if (hand) {
    const came = request.state === 'failed' ? 'It did not happen' : 'It happened';
    return `*${came}*, settled by ${mention(hand.by)}: “${safeLine(hand.reason, 500)}”`;
  }
  switch (request.state) {
    case 'succeeded':
      return succeededSentence(request.outcome?.report);
    case 'failed':
      if (wasNotSent(request)) return `It was not sent: nothing reached the service. ${error}`.trim();
      if (request.outcome?.error?.code === taskFailed) return `The service began it, and it failed. ${error}`;
      return `It did not happen. ${error || succeededSentence(request.outcome?.report)}`;
    case 'expired':
      return `Nobody decided in time. ${nothingSent(request)} ${note}`.trim();
    case 'refused':
      return `${nothingSent(request)} ${note}${againFrom(request)}`.trim();
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

/** What is known of an outcome that nobody knows yet: what went wrong, and what was seen since. All of both is behind “Details”. */
export function unknownLead(request: Request, { link }: CardOptions): MessageBlock {
  const { error, search, look } = request.outcome ?? {};
  const cause = error === undefined ? '' : ` ${safeLine(shortIds(causeOf(error)), 300)}`;
  const { kind, name } = request.target;
  return section(
    [
      `*Outcome unknown:* it may or may not have run. Bellhop will not retry it.${cause}`,
      ...seenLines(request),
      ...(search?.seen === undefined ? [] : [safeLine(search.seen, 300)]),
      ...(look !== undefined || search?.suggests === 'failed'
        ? []
        : [`Before you run it again, check ${whatToCheck[kind](safeLine(name, 200))}.`]),
      ...(link === undefined ? [] : [linkText(link)]),
    ].join('\n'),
  );
}

const causeOf = ({ summary, message }: NonNullable<RequestOutcome['error']>): string => summary ?? message;

/** What the target showed afterwards, beside what it showed before. */
function seenLines({ outcome }: Request): readonly string[] {
  const { sighting, look } = outcome ?? {};
  const [before] = sighting?.facts ?? [];
  const beside = before ? ` ${safeLine(before.label, 60)}: ${safeLine(before.value, 100)}.` : '';
  const seen = sighting && sighting.title !== look?.title ? sighting.title : undefined;
  return [
    ...(seen === undefined ? [] : [`*Seen afterwards:* ${safeLine(seen, 300)}.`]),
    ...(look ? [`*Checked* ${slackTime(look.at)}: ${safeLine(look.title, 300)}.${beside}`] : []),
  ];
}

const whatToCheck: Readonly<Record<Target['kind'], (name: string) => string>> = {
  instance: (name) => `${name}'s state, tasks and uptime`,
  container: (name) => `${name}'s status and its deployment`,
  project: (name) => `what ${name} holds now`,
  cdn: () => 'the settings in the control panel',
  'cdn-resource': () => '`/cdn purges`',
  bucket: (name) => `\`/storage events\` for ${name}`,
  storage: () => '`/storage events`',
  bellhop: () => '`/bellhop requests`',
};

const againFrom = ({ decision: { refusedUntil } }: Request): string =>
  refusedUntil === undefined ? '' : ` Possible again from ${slackDateTime(refusedUntil)}.`;
