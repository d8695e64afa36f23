import type { Button } from '@slack/types';

import type { Actor } from '../core/actor.ts';
import type { Operation } from '../core/operation.ts';
import type { Request } from '../core/request.ts';
import {
  actions,
  button,
  context,
  fieldSections,
  header,
  type Message,
  type MessageBlock,
  section,
} from './blocks.ts';
import { previewParagraphs, targetFacts, targetLine } from './card-facts.ts';
import { historyLines, referenceLine } from './card-history.ts';
import { outcomeBlocks } from './card-outcome.ts';
import { deed, fallbackText, stateSigns } from './card-words.ts';
import { clip, safeLine } from './escape.ts';
import { limits } from './limits.ts';
import { mention, mentions } from './mention.ts';
import { noticeLines } from './render-report.ts';
import { slackTime } from './slack-time.ts';

/** The buttons of a card. The value of all but `again` is the request's id, of `again` the command's words. */
export const cardActions = {
  confirm: 'confirm',
  cancel: 'cancel',
  approve: 'approve',
  deny: 'deny',
  again: 'again',
} as const;

export interface CardOptions {
  readonly operation: Pick<Operation, 'name' | 'summary' | 'risk'>;
  /** The word after the slash command: `reboot`. */
  readonly verb: string;
  /** Who may approve, as far as they are known by name. */
  readonly mayApprove?: readonly Actor[];
  readonly notices: readonly string[];
}

/** A request's one message, in the state it is in. An ended one has no button that could change anything. */
export function renderCard(request: Request, options: CardOptions): Message {
  return {
    text: fallbackText(request, options.verb, options.notices),
    blocks: [
      header(titleText(request, options)),
      ...bodyBlocks(request, options),
      ...footBlocks(request, options),
      ...actions(cardButtons(request, options)),
    ],
  };
}

function titleText(request: Request, { verb }: CardOptions): string {
  const title = clip(deed(verb, request.target), limits.header - 30);
  const sign = stateSigns[request.state];
  return request.state === 'proposed' ? `${sign} ${title}?` : `${sign} ${title}: ${request.state}`;
}

function bodyBlocks(request: Request, options: CardOptions): MessageBlock[] {
  switch (request.state) {
    case 'proposed':
      return [section(proposedText(request, options)), ...factBlocks(request, 'Will be sent')];
    case 'awaiting approval':
      return [section(approvalText(request, options)), ...factBlocks(request, 'Will be sent')];
    case 'running':
      return [
        section(
          `Running since ${slackTime(request.startedAt ?? request.createdAt)}. This message changes when it ends.`,
        ),
        ...factBlocks(request, 'Being sent'),
      ];
    case 'succeeded':
    case 'failed':
    case 'unknown':
    case 'cancelled':
    case 'expired':
    case 'refused':
      return outcomeBlocks(request);
  }
}

const riskSentences: Readonly<Record<Operation['risk'], string>> = {
  read: 'This changes nothing.',
  change: 'This changes what is set or recorded.',
  destructive: '*This interrupts a service.*',
};

function proposedText(request: Request, { operation }: CardOptions): string {
  const typed = request.decision.typeName ? [' You will be asked to type the name.'] : [];
  return [
    `${riskSentences[operation.risk]} ${safeLine(operation.summary, 300)}`,
    `${mention(request.requester)} asks, and confirms or cancels until ${slackTime(request.expiresAt)}.${typed.join('')}`,
    ...whyLines(request),
  ].join('\n');
}

function approvalText(request: Request, { operation, mayApprove = [] }: CardOptions): string {
  const { approvers, approvals } = request.decision;
  const people = mayApprove.length > 0 ? ` (${mentions(mayApprove.slice(0, 20))})` : '';
  const given = request.approvals.length;
  const so =
    given === 0
      ? ''
      : ` ${given} so far, by ${mentions(request.approvals.slice(0, 20).map(({ by }) => by))}.`;
  const wanted = approvals === 1 ? 'One approval is needed.' : `${approvals} different people must approve.`;
  return [
    `${riskSentences[operation.risk]} ${safeLine(operation.summary, 300)}`,
    `${mention(request.requester)} asks. ${wanted}${so} Until ${slackTime(request.expiresAt)}.`,
    `May approve: ${safeLine(approvers.join(', '), 300) || 'nobody'}${people}, but not whoever asks.`,
    ...whyLines(request),
  ].join('\n');
}

const whyLines = ({ reason, breakGlass, note }: Request): string[] => [
  ...(reason === undefined ? [] : [`Why: “${safeLine(reason, 500)}”`]),
  ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, 500)}”`]),
  ...(note === undefined ? [] : [safeLine(note, 500)]),
];

const factBlocks = (request: Request, title: string): MessageBlock[] => [
  ...fieldSections(targetFacts(request)),
  ...previewParagraphs(title, request.preview, 4_000).map((paragraph) => section(paragraph)),
];

const openPreview = new Set<Request['state']>(['proposed', 'awaiting approval', 'running']);

function footBlocks(request: Request, { notices }: CardOptions): MessageBlock[] {
  const over = !openPreview.has(request.state);
  const sent = previewParagraphs(sentTitle(request), request.preview, 900).map((text) => section(text));
  return [
    ...(over ? sent : []),
    context([
      ...(over ? [targetLine(request), ...whyLines({ ...request, note: undefined })] : []),
      historyLines(request).join(' · '),
      referenceLine(request),
      ...noticeLines(notices),
    ]),
  ];
}

function sentTitle({ state, outcome }: Request): string {
  if (state === 'unknown') return 'What was to be sent';
  if (state === 'succeeded') return 'Was sent';
  if (state === 'failed' && outcome?.error?.code !== 'not-sent') return 'Was sent';
  return 'Was not sent';
}

function cardButtons(request: Request, { operation, verb }: CardOptions): Button[] {
  const { id, state, words } = request;
  const style = operation.risk === 'destructive' ? 'danger' : 'primary';
  const cancel = button({ text: 'Cancel', action: cardActions.cancel, value: id });
  switch (state) {
    case 'proposed':
      return [
        button({ text: deed(verb, request.target), action: cardActions.confirm, value: id, style }),
        cancel,
      ];
    case 'awaiting approval':
      return [
        button({ text: 'Approve', action: cardActions.approve, value: id, style }),
        button({ text: 'Deny', action: cardActions.deny, value: id }),
        cancel,
      ];
    case 'unknown':
      return words.length > limits.buttonValue
        ? []
        : [button({ text: 'Ask again', action: cardActions.again, value: words })];
    case 'running':
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'expired':
    case 'refused':
      return [];
  }
}
