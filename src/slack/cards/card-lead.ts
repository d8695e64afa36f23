import type { Actor } from '../../core/model/actor.ts';
import type { Operation } from '../../core/model/operation.ts';
import type { Request } from '../../core/request/request.ts';
import { fieldSections, type MessageBlock, section } from '../render/blocks.ts';
import { targetFacts } from './card-facts.ts';
import { outcomeBlocks } from './card-outcome.ts';
import { safeLine } from '../render/escape.ts';
import { mention, mentions, slackTime } from '../render/text.ts';

export interface CardOptions {
  readonly operation: Pick<Operation, 'name' | 'summary' | 'risk'>;
  /** The word after the slash command: `reboot`. */
  readonly verb: string;
  /** Who may approve, as far as they are known by name. */
  readonly mayApprove?: readonly Actor[];
  readonly notices: readonly string[];
}

/** What a tired person reads first, by state: what will happen, or what came of it. */
export function leadBlocks(request: Request, options: CardOptions): MessageBlock[] {
  switch (request.state) {
    case 'proposed':
      return [section(proposedText(request, options)), ...whyAndWhere(request)];
    case 'awaiting approval':
      return [section(approvalText(request, options)), ...whyAndWhere(request)];
    case 'running':
      return [section(runningText(request)), ...whyAndWhere(request)];
    case 'succeeded':
    case 'failed':
    case 'unknown':
    case 'cancelled':
    case 'expired':
    case 'refused':
      return outcomeBlocks(request);
  }
}

function whyAndWhere(request: Request): MessageBlock[] {
  const why = [...whyLines(request), ...(request.note === undefined ? [] : [safeLine(request.note, 500)])];
  return [...(why.length === 0 ? [] : [section(why.join('\n'))]), ...fieldSections(targetFacts(request))];
}

const runningText = ({ startedAt, createdAt }: Request): string =>
  `Running since ${slackTime(startedAt ?? createdAt)}. This message changes when it ends.`;

const riskSentences: Readonly<Record<Operation['risk'], string>> = {
  read: 'This changes nothing.',
  change: 'This changes what is set or recorded.',
  destructive: '*This interrupts a service.*',
};

function proposedText(request: Request, { operation }: CardOptions): string {
  const typed = request.decision.typeName ? [' You will be asked to type the name.'] : [];
  return [
    `${riskSentences[operation.risk]} ${safeLine(operation.summary, 300)}`,
    `Requested by ${mention(request.requester)}. Confirm by ${slackTime(request.expiresAt)}.${typed.join('')}`,
  ].join('\n');
}

function approvalText(request: Request, { operation, mayApprove = [] }: CardOptions): string {
  const { approvers, approvals } = request.decision;
  const people = mayApprove.length > 0 ? ` (${mentions(mayApprove.slice(0, 10))})` : '';
  const given = request.approvals.length;
  const so =
    given === 0
      ? ''
      : ` ${given} so far, by ${mentions(request.approvals.slice(0, 10).map(({ by }) => by))}.`;
  const wanted = approvals === 1 ? 'One approval is needed.' : `${approvals} different people must approve.`;
  return [
    `${riskSentences[operation.risk]} ${safeLine(operation.summary, 300)}`,
    `Requested by ${mention(request.requester)}. ${wanted}${so} Until ${slackTime(request.expiresAt)}.`,
    `Approvers: ${safeLine(approvers.join(', '), 300) || 'nobody'}${people}, not the requester.`,
  ].join('\n');
}

/** Why it was asked for, in the caller's words. */
export const whyLines = ({ reason, breakGlass }: Request): string[] => [
  ...(reason === undefined ? [] : [`Why: “${safeLine(reason, 500)}”`]),
  ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, 500)}”`]),
];
