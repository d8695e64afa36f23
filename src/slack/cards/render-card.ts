import type { Button } from '@slack/types';

import { isOpen, type Request } from '../../core/request/request.ts';
import {
  actions,
  button,
  contextBlock,
  header,
  type Message,
  type MessageBlock,
  section,
  textLength,
} from '../render/blocks.ts';
import { previewParagraphs, targetLine } from './card-facts.ts';
import { historyLines, referenceLine } from './card-history.ts';
import { type CardOptions, leadBlocks, whyLines } from './card-lead.ts';
import { deed, fallbackText, stateSigns, wasNotSent } from './card-words.ts';
import { clip } from '../render/escape.ts';
import { limits } from '../render/limits.ts';
import { noticeLines } from '../render/report/report.ts';

export type { CardOptions } from './card-lead.ts';

/** The buttons of a card. Their value is the request's id. */
const cardActions = {
  confirm: 'confirm',
  cancel: 'cancel',
  approve: 'approve',
  deny: 'deny',
  again: 'again',
} as const;

/** A request's one message, in the state it is in. An ended one has no button that could change anything. */
export function renderCard(request: Request, options: CardOptions): Message {
  const above = [header(titleText(request, options)), ...leadBlocks(request, options)];
  const below = [footBlock(request, options), ...actions(cardButtons(request, options))];
  const room = limits.messageBlocksText - textLength([...above, ...below]);
  return {
    text: fallbackText(request, options.verb, options.notices),
    blocks: [...above, ...previewBlocks(request, room), ...below],
  };
}

function titleText(request: Request, { verb }: CardOptions): string {
  const title = clip(deed(verb, request.target), limits.header - 30);
  const sign = stateSigns[request.state];
  return request.state === 'proposed' ? `${sign} ${title}?` : `${sign} ${title}: ${request.state}`;
}

/** What will be, is or was sent, as far as there is room. */
const previewBlocks = (request: Request, room: number): MessageBlock[] =>
  previewParagraphs(previewTitle(request), request.preview, room - roomForTitles).map((text) =>
    section(text),
  );

const roomForTitles = 200;

function previewTitle(request: Request): string {
  switch (request.state) {
    case 'proposed':
    case 'awaiting approval':
      return 'Will be sent';
    case 'running':
      return 'Being sent';
    case 'unknown':
      return 'What was to be sent';
    case 'succeeded':
      return 'Was sent';
    case 'failed':
      return wasNotSent(request) ? 'Was not sent' : 'Was sent';
    case 'cancelled':
    case 'expired':
    case 'refused':
      return 'Was not sent';
  }
}

/** Who did what when; over, also on what and why, which the card of an open request says above. */
const footBlock = (request: Request, { notices }: CardOptions): MessageBlock =>
  contextBlock([
    ...(isOpen(request.state) ? [] : [targetLine(request), ...whyLines(request)]),
    historyLines(request).join(' · '),
    referenceLine(request),
    ...noticeLines(notices),
  ]);

function cardButtons(request: Request, { operation, verb }: CardOptions): Button[] {
  const { id, state } = request;
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
    case 'failed':
    case 'unknown':
    case 'cancelled':
    case 'expired':
      return [button({ text: 'Run it again', action: cardActions.again, value: id })];
    case 'running':
    case 'succeeded':
    case 'refused':
      return [];
  }
}
