import { sameActor } from '../../core/model/actor.ts';
import type { Fact } from '../../core/model/report.ts';
import type { Target } from '../../core/model/target.ts';
import type { Request } from '../../core/request/request.ts';
import { clip, safeLine } from '../render/escape.ts';
import { limits } from '../render/limits.ts';
import { factLine, mention, slackDateTime, slackTime } from '../render/text.ts';

/** What the request acts on, in full: whoever confirms must not take one thing for another. */
export function targetFacts({ target }: Request): Fact[] {
  const facts: Fact[] =
    target.kind === 'bucket'
      ? [
          { label: 'Storage', value: target.storage },
          { label: 'Bucket', value: target.bucket },
        ]
      : [{ label: kindLabels[target.kind], value: target.name }];
  if (target.kind === 'instance') facts.push({ label: 'ID', value: target.id });
  if ('project' in target) {
    const region =
      target.regionName === undefined ? `${target.region}` : `${target.regionName} (${target.region})`;
    facts.push({ label: 'Project', value: `${target.project}` }, { label: 'Region', value: region });
  }
  const labels = Object.entries(target.labels).map(([name, value]) => `${name}=${value}`);
  if (labels.length > 0) facts.push({ label: 'Labels', value: labels.join(' · ') });
  return facts.map(({ label, value }) => ({ label, value: clip(value, 400) }));
}

const kindLabels: Readonly<Record<Target['kind'], string>> = {
  instance: 'Instance',
  container: 'Container',
  project: 'Project',
  cdn: 'Account',
  'cdn-resource': 'CDN',
  bucket: 'Bucket',
  storage: 'Storage',
  bellhop: 'Bellhop',
};

/** The same on one line, for cards that are over. */
export const targetLine = (request: Request): string =>
  targetFacts(request)
    .map(({ label, value }) => `${label} ${safeLine(value, 100)}`)
    .join(' · ');

/**
 * What is sent, one fact a line, as mrkdwn paragraphs within Slack's limit. Facts that exceed `budget` characters are
 * counted instead of shown.
 */
export function previewParagraphs(title: string, facts: readonly Fact[], budget: number): string[] {
  if (facts.length === 0) return [];
  const paragraphs: string[] = [];
  let paragraph = `*${title}*`;
  let used = 0;
  let shown = 0;
  for (const fact of facts) {
    const line = `\n• ${safeLine(fact.label, 100)}: ${factLine(fact, 1_000) || '–'}`;
    if (used + line.length > budget) break;
    if (paragraph.length + line.length > limits.text - 100) {
      paragraphs.push(paragraph);
      paragraph = '*(continued)*';
    }
    paragraph += line;
    used += line.length;
    shown += 1;
  }
  const left = facts.length - shown;
  return [...paragraphs, left > 0 ? `${paragraph}\n• and ${left} more, too long to show here` : paragraph];
}

/** Who did what, and when, oldest first. */
export function historyLines(request: Request): string[] {
  const lines = [`requested by ${mention(request.requester)} ${slackDateTime(request.createdAt)}`];
  const later = laterTime(request.createdAt);
  for (const { by, at } of request.approvals.slice(-10)) {
    lines.push(`approved by ${mention(by)} ${later(at)}`);
  }
  const decided = decisionLine(request, later);
  if (decided !== undefined) lines.push(decided);
  if (request.startedAt !== undefined) lines.push(`started ${later(request.startedAt)}`);
  if (request.endedAt !== undefined) lines.push(`ended ${later(request.endedAt)}`);
  const task = request.outcome?.settledBy;
  if (task !== undefined) lines.push(`settled by task ${safeLine(task, 100)}`);
  const hand = request.outcome?.settledByHand;
  if (hand) lines.push(`settled by ${mention(hand.by)} ${later(hand.at)}`);
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
