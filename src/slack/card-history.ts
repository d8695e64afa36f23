import { sameActor } from '../core/actor.ts';
import type { Request } from '../core/request.ts';
import { safeLine } from './escape.ts';
import { mention } from './mention.ts';
import { slackDateTime } from './slack-time.ts';

/** Who did what, and when, oldest first. */
export function historyLines(request: Request): string[] {
  const lines = [`asked by ${mention(request.requester)} ${slackDateTime(request.createdAt)}`];
  for (const { by, at } of request.approvals.slice(-10)) {
    lines.push(`approved by ${mention(by)} ${slackDateTime(at)}`);
  }
  const decided = decisionLine(request);
  if (decided !== undefined) lines.push(decided);
  if (request.startedAt !== undefined) lines.push(`started ${slackDateTime(request.startedAt)}`);
  if (request.endedAt !== undefined) lines.push(`ended ${slackDateTime(request.endedAt)}`);
  return lines;
}

function decisionLine({ state, decidedBy, decidedAt, approvals }: Request): string | undefined {
  if (!decidedBy || decidedAt === undefined || state === 'expired') return undefined;
  if (approvals.some(({ by }) => sameActor(by, decidedBy)) && state !== 'refused') return undefined;
  const verb = state === 'cancelled' ? 'cancelled' : state === 'refused' ? 'denied' : 'confirmed';
  return `${verb} by ${mention(decidedBy)} ${slackDateTime(decidedAt)}`;
}

/** What identifies the request to people who look for it later. */
export function referenceLine(request: Request): string {
  const service = request.outcome?.serviceRequestId;
  return [
    `request ${safeLine(request.id, 60)}`,
    ...(service === undefined ? [] : [`service request ${safeLine(service, 100)}`]),
    safeLine(request.decision.rule, 60),
  ].join(' · ');
}
