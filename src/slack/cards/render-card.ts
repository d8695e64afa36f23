import type { Button } from '@slack/types';

import { listedActor, samePerson, type Actor } from '../../model/values/actor.ts';
import { riskOf } from '../../model/operation.ts';
import type { Target } from '../../model/rulebook/target.ts';
import { begunAt, hasParts, stillToRun } from '../../model/records/whole.ts';
import { canLook } from '../../request/steps/step.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { actionLabelOf, doneWordOf } from '../../command/grammar/registry.ts';
import type { Registry } from '../../model/registry.ts';
import { approversOf, isOpen, likelyWords, type Request, stateWord } from '../../model/records/request.ts';
import {
  actions,
  button,
  type ButtonStyle,
  contextBlock,
  header,
  disclaimerLines,
  type MessageBlock,
  type Message,
} from '../render/blocks.ts';
import type { Beside, CardExtra } from './card-lines.ts';
import { listedIn } from '../../policy/roles.ts';
import { limits } from '../render/limits.ts';
import { type CardOptions, endedLead, openLead, unknownLead } from './card-lead.ts';
import {
  actionLabel,
  cardBlock,
  fallbackText,
  labelsLine,
  sentLine,
  signOf,
  wasNotSent,
  withSkipped,
} from './card-words.ts';
import { endedLine, referenceLine } from './card-history.ts';
import { wholeButtons, wholeLead, wholeLine, wholeSections } from './whole-card.ts';

export const detailsAction = 'details';

/** A request's one message: two lines once the request is over, and for a whole also a line for each part. */
export function renderCard(request: Request, options: CardOptions): Message {
  const text = fallbackText(request, options.verb, options.disclaimers);
  return { text, blocks: isOver(request) ? endedBlocks(request, options) : fullBlocks(request, options) };
}

/** An unknown outcome is not over, because someone has to check it. */
export const isOver = ({ state }: Request): boolean => !isOpen(state) && state !== 'unknown';

function fullBlocks(request: Request, options: CardOptions): MessageBlock[] {
  const small = [
    wholeLine(request) ?? labelsLine(request),
    ...disclaimerLines(options.disclaimers),
    request.state === 'unknown' ? endedLine(request) : hasParts(request) ? '' : sentLine(request),
    referenceLine(request),
    ...(options.extras ?? []).map(({ line }) => line),
  ];
  return [
    header(titleText(request, options)),
    leadOf(request, options),
    ...wholeSections(request, options),
    contextBlock(small.filter((line) => line !== '')),
    ...actions([...cardButtons(request, options), details(request)], cardBlock(request)),
  ];
}

const leadOf = (request: Request, options: CardOptions): MessageBlock =>
  wholeLead(request, options) ??
  (request.state === 'unknown' ? unknownLead(request, options) : openLead(request, options));

function endedBlocks(request: Request, options: CardOptions): MessageBlock[] {
  const buttons = [...cardButtons(request, options), details(request)];
  const beside = buttons.length === 1 ? buttons[0] : undefined;
  return [
    endedLead(request, options, beside),
    ...(begunAt(request) === undefined ? [] : wholeSections(request)),
    contextBlock([[endedLine(request), ...disclaimerLines(options.disclaimers)].join(' · ')]),
    ...(beside ? [] : actions(buttons, cardBlock(request))),
  ];
}

function titleText(request: Request, { verb }: CardOptions): string {
  const title = withSkipped(actionLabel(verb, request), request, limits.header - 60);
  const word = stateWord(request);
  return `${signOf(request)} ${title}${word === 'proposed' ? '?' : `: ${word}${likelyWords(request)}`}`;
}

const details = ({ id }: Request): Button => button({ text: 'Details', action: detailsAction, value: id });

/** The value of each button is the request's id. */
export function cardButtons(request: Request, options: CardOptions): Button[] {
  const { operation, verb, checkable = false, extras = [], overtaken } = options;
  const { id, state } = request;
  const interrupts = hasParts(request) || riskOf(operation, request.input) === 'destructive';
  const style = interrupts ? 'danger' : 'primary';
  if (hasParts(request) && begunAt(request) !== undefined && (state === 'running' || isOver(request)))
    return wholeButtons(request, options);
  const its = (text: string, action: string, emphasis?: ButtonStyle): Button =>
    button({ text, action, value: id, style: emphasis });
  const label = actionLabel(verb, stillToRun(request));
  switch (state) {
    case 'proposed':
      return [its(withSkipped(label, request, limits.buttonText), 'confirm', style), its('Cancel', 'cancel')];
    case 'awaiting approval':
      return [
        its('Approve', 'approve', 'primary'),
        its('Deny', 'deny'),
        its('Cancel', 'cancel'),
        ...extras.map(({ text, action }) => its(text, action)),
      ];
    case 'unknown': {
      const isLikely = request.outcome?.search?.suggests === 'failed';
      const settle = its('Settle…', 'settle', isLikely ? 'primary' : undefined);
      const check = checkable ? [its('Check now', 'check', isLikely ? undefined : 'primary')] : [];
      return [...(isLikely ? [settle, ...check] : [...check, settle]), its('Run it again', 'again')];
    }
    case 'failed':
      return [its(wasNotSent(request) ? 'Request again' : 'Run it again', 'again')];
    case 'cancelled':
    case 'expired':
      return overtaken ? [] : [its('Request again', 'again')];
    case 'running':
    case 'succeeded':
    case 'refused':
      return [];
  }
}

export interface CardRendererOptions {
  readonly registry: Registry;
  readonly rulebook: () => Rulebook;
  readonly disclaimers: readonly string[];
  readonly cardExtras?: readonly CardExtra[];
}

export const cardRenderer =
  (parts: CardRendererOptions) =>
  (request: Request, more: Beside & Pick<CardOptions, 'unanswered'> = {}): Message =>
    renderCard(request, { ...cardOptions(parts, request), ...more });

export function cardOptions(
  { registry, rulebook, disclaimers, cardExtras = [] }: CardRendererOptions,
  request: Request,
): CardOptions {
  const entry = registry.find(request.operation);
  return {
    operation: entry?.operation ?? { name: request.operation, summary: '', risk: 'destructive' },
    verb: actionLabelOf(entry, request),
    done: doneWordOf(entry),
    mayApprove: approvers(rulebook(), request),
    checkable: entry && canLook({ rulebook }, entry),
    link: consoleLink(rulebook(), request.target),
    extras: request.state === 'awaiting approval' ? cardExtras.flatMap((extra) => extra(request) ?? []) : [],
    disclaimers,
  };
}

function approvers(rulebook: Rulebook, request: Request): readonly Actor[] {
  return listedIn(rulebook.policy.roles, approversOf(request.decision))
    .users.map((listed) => listedActor(listed, request.place.team))
    .filter((person) => !samePerson(person, request.requester));
}

function consoleLink({ links }: Rulebook, target: Target): string | undefined {
  if (target.kind !== 'instance') return undefined;
  const { project, region, id } = target;
  const values: Readonly<Record<string, string>> = { project: `${project}`, region: `${region}`, id };
  return links?.instance?.replaceAll(/\{(project|region|id)\}/gu, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}
