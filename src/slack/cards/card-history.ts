import { sameActor } from '../../model/values/actor.ts';
import { ranMs, type Request, stateWord, wasDenied } from '../../model/records/request.ts';
import type { EntrySeal } from '../../model/records/sealed-log.ts';
import { begunAt, hasPaused, hasParts, partOfText } from '../../model/records/whole.ts';
import { tookText } from '../../text/words.ts';
import { mention, mentions, safeLine, slackDateTime, slackTime } from '../render/text.ts';
import { wasNotSent } from './card-words.ts';

export function historyLines(request: Request): string[] {
  const lines = [`requested by ${mention(request.requester)} ${slackDateTime(request.createdAt)}`];
  const later = laterTime(request.createdAt);
  for (const { by, at } of request.approvals.slice(-10)) {
    lines.push(`approved by ${mention(by)} ${later(at)}`);
  }
  const decided = decisionLine(request, later);
  if (decided !== undefined) lines.push(decided.text);
  const startedAt = begunAt(request);
  if (startedAt !== undefined) lines.push(`started ${later(startedAt)}`);
  const took = tookWords(request);
  if (request.endedAt !== undefined)
    lines.push(`ended ${later(request.endedAt)}${took === undefined ? '' : ` after ${took}`}`);
  const task = request.outcome?.settledBy;
  if (task !== undefined) lines.push(`settled by task ${safeLine(task, 100)}`);
  const hand = request.outcome?.settledByHand;
  if (hand) lines.push(`settled by ${mention(hand.by)} ${later(hand.at)}`);
  return lines;
}

const halfADayMs = 12 * 60 * 60_000;

/** Times within half a day of the first time are shown without a date. */
const laterTime =
  (first: number) =>
  (at: number): string =>
    Math.abs(at - first) < halfADayMs ? slackTime(at) : slackDateTime(at);

function decisionLine(request: Request, later: (at: number) => string) {
  const { state, requester, decidedBy, decidedAt, approvals, decision, startedAt } = request;
  if (request.partOf !== undefined)
    return { verb: 'run', text: `run as ${partOfText(safeLine(request.partOf, 60))}` };
  if (!decidedBy && startedAt !== undefined && decision.effect === 'allow')
    return { verb: 'run', text: `run without confirmation (${safeLine(decision.rule, 60)})` };
  if (!decidedBy || decidedAt === undefined || state === 'expired') return undefined;
  const denied = wasDenied(request);
  if (approvals.some(({ by }) => sameActor(by, decidedBy)) && !denied) return undefined;
  const stopped = stateWord(request) === 'stopped';
  const cancelled = stopped ? 'stopped' : sameActor(decidedBy, requester) ? 'cancelled' : 'replaced';
  const again = decidedAt > (begunAt(request) ?? Infinity);
  const verb = state === 'cancelled' ? cancelled : denied ? 'denied' : again ? 'continued' : 'confirmed';
  const how = verb === 'replaced' ? 'replaced with a newer request' : verb;
  return { verb, text: `${how} by ${mention(decidedBy)} ${later(decidedAt)}`.trimEnd() };
}

/** The card's sentence already says who denied the request, and only the requester confirms one. */
const shownAbove: ReadonlySet<string> = new Set(['confirmed', 'denied']);

export function endedLine(request: Request): string {
  const { requester, reason, breakGlass, approvals, endedAt, createdAt } = request;
  const why = reason === undefined ? '' : `: “${safeLine(reason, 80)}”`;
  const later = laterTime(endedAt ?? createdAt);
  const decided = decisionLine(request, (at) => (at === endedAt ? '' : later(at)));
  const task = request.outcome?.settledBy;
  return [
    `${mention(requester)}${why}`,
    ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, 80)}”`]),
    ...(approvals.length === 0 ? [] : [`approved by ${mentions(approvals.slice(-10).map(({ by }) => by))}`]),
    ...(decided === undefined || shownAbove.has(decided.verb) ? [] : [decided.text]),
    ...(endedAt === undefined ? [] : [slackDateTime(endedAt)]),
    ...(task === undefined ? [] : ["confirmed by the service's task"]),
  ].join(' · ');
}

export function referenceLine(request: Request, seal?: EntrySeal): string {
  const service = request.outcome?.serviceRequestId;
  return [
    `request ${safeLine(request.id, 60)}`,
    ...(service === undefined ? [] : [`service request ${safeLine(service, 100)}`]),
    safeLine(request.decision.rule, 60),
    ...(seal
      ? [
          `audit entry ${seal.number}, checkpoint ${seal.checkpoint}`,
          `prove it: \`npm run audit -- prove ${seal.number}\``,
        ]
      : []),
  ].join(' · ');
}

/** Undefined for a settled outcome, too: its end is when the outcome became unknown, not when the change ended. */
export function tookWords(request: Request): string | undefined {
  const { state, outcome } = request;
  const took = ranMs(request);
  const ran = hasParts(request) || state === 'succeeded' || (state === 'failed' && !wasNotSent(request));
  const settled = outcome?.settledBy !== undefined || outcome?.settledByHand !== undefined;
  if (!ran || settled || took === undefined) return undefined;
  return `${tookText(took)}${hasPaused(request) ? ', not counting pauses' : ''}`;
}
