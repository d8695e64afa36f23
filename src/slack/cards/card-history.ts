import { sameActor } from '../../core/model/actor.ts';
import type { Request } from '../../core/request/request.ts';
import { safeLine } from '../render/escape.ts';
import { mention, slackDateTime, slackTime } from '../render/text.ts';

/** Who did what, and when, oldest first. */
export function historyLines(request: Request): string[] {
  const lines = [`asked by ${mention(request.requester)} ${slackDateTime(request.createdAt)}`];
  const later = laterTime(request.createdAt);
  for (const { by, at } of request.approvals.slice(-10)) {
    lines.push(`approved by ${mention(by)} ${later(at)}`);
  }
  const decided = decisionLine(request, later);
  if (decided !== undefined) lines.push(decided);
  if (request.startedAt !== undefined) lines.push(`started ${later(request.startedAt)}`);
  if (request.endedAt !== undefined) lines.push(`ended ${later(request.endedAt)}`);
  return lines;
}

const halfADayMs = 12 * 60 * 60_000;

/** The day is said once, as long as it cannot be mistaken. */
const laterTime =
  (first: number) =>
  (at: number): string =>
    Math.abs(at - first) < halfADayMs ? slackTime(at) : slackDateTime(at);

function decisionLine(
  { state, decidedBy, decidedAt, approvals, decision, startedAt }: Request,
  later: (at: number) => string,
): string | undefined {
  if (!decidedBy && startedAt !== undefined && decision.effect === 'allow')
    return `run at once by ${safeLine(decision.rule, 60)}, without a confirmation`;
  if (!decidedBy || decidedAt === undefined || state === 'expired') return undefined;
  if (approvals.some(({ by }) => sameActor(by, decidedBy)) && state !== 'refused') return undefined;
  const verb = state === 'cancelled' ? 'cancelled' : state === 'refused' ? 'denied' : 'confirmed';
  return `${verb} by ${mention(decidedBy)} ${later(decidedAt)}`;
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
