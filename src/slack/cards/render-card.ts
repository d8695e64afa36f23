import { riskOf } from '../../core/model/operation.ts';
import type { Button } from '@slack/types';

import { listedActor, samePerson, type Actor } from '../../core/model/actor.ts';
import type { Target } from '../../core/model/target.ts';
import { canLook } from '../../core/request/send-request.ts';
import type { Rulebook } from '../../core/model/rulebook.ts';
import type { Registry } from '../../core/registry.ts';
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
import { historyLines, previewParagraphs, referenceLine, targetLine } from './card-facts.ts';
import { type CardOptions, leadBlocks, whyLines } from './card-lead.ts';
import { actionLabel, fallbackText, stateSigns, wasNotSent } from './card-words.ts';
import { clip } from '../render/escape.ts';
import { limits } from '../render/limits.ts';
import { noticeLines } from '../render/report/report.ts';

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
  const title = clip(actionLabel(verb, request.target), limits.header - 30);
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

/** Their value is the request's id. */
function cardButtons(request: Request, { operation, verb, checkable = false }: CardOptions): Button[] {
  const { id, state } = request;
  const style = riskOf(operation, request.input) === 'destructive' ? 'danger' : 'primary';
  const cancel = button({ text: 'Cancel', action: 'cancel', value: id });
  switch (state) {
    case 'proposed':
      return [
        button({ text: actionLabel(verb, request.target), action: 'confirm', value: id, style }),
        cancel,
      ];
    case 'awaiting approval':
      return [
        button({ text: 'Approve', action: 'approve', value: id, style: 'primary' }),
        button({ text: 'Deny', action: 'deny', value: id }),
        cancel,
      ];
    case 'unknown':
      return [
        ...(checkable ? [button({ text: 'Check now', action: 'check', value: id, style: 'primary' })] : []),
        button({ text: 'Settle…', action: 'settle', value: id }),
        button({ text: 'Run it again', action: 'again', value: id }),
      ];
    case 'failed':
    case 'cancelled':
    case 'expired':
      return [button({ text: 'Run it again', action: 'again', value: id })];
    case 'running':
    case 'succeeded':
    case 'refused':
      return [];
  }
}

interface CardRendererOptions {
  readonly registry: Registry;
  readonly rulebook: () => Rulebook;
  readonly notices: readonly string[];
}

/** Cards of requests, with what the registry and the rules of this moment know of them. */
export function cardRenderer({ registry, rulebook, notices }: CardRendererOptions) {
  return (request: Request): Message => {
    const entry = registry.find(request.operation);
    return renderCard(request, {
      operation: entry?.operation ?? { name: request.operation, summary: '', risk: 'destructive' },
      verb: entry?.actionLabel ?? request.operation,
      mayApprove: approvers(rulebook(), request),
      checkable: entry && canLook({ rulebook }, entry),
      link: consoleLink(rulebook(), request.target),
      notices,
    });
  };
}

/** The people whom the approving roles list by id, without the requester. */
function approvers(rulebook: Rulebook, request: Request): readonly Actor[] {
  const users = request.decision.approvers.flatMap((role) => rulebook.policy.roles[role]?.users ?? []);
  return [...new Set(users)]
    .map((listed) => listedActor(listed, request.place.team))
    .filter((person) => !samePerson(person, request.requester));
}

/** The page of the target in the service's console, where bellhop.yaml says where that is. */
function consoleLink({ links }: Rulebook, target: Target): string | undefined {
  if (target.kind !== 'instance') return undefined;
  const { project, region, id } = target;
  const values: Readonly<Record<string, string>> = { project: `${project}`, region: `${region}`, id };
  return links?.instance?.replaceAll(/\{(project|region|id)\}/gu, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}
