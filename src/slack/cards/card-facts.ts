import type { EntrySeal } from '../../model/sealed-log.ts';
import { sameActor } from '../../model/actor.ts';
import type { Fact } from '../../model/report.ts';
import { accountOf, type Target } from '../../model/target.ts';
import { isOpen, type Request, stateWord } from '../../model/request.ts';
import { clip, factLine, mention, mentions, safeLine, slackDateTime, slackTime } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { capitalized } from '../../text/words.ts';

/** The target in full, so that no one confirms a change of the wrong one. */
export function targetFacts({ target }: Request): Fact[] {
  const facts: Fact[] =
    target.kind === 'bucket'
      ? [
          { label: 'Storage', value: target.storage },
          { label: 'Bucket', value: target.bucket },
        ]
      : [{ label: kindLabel(target), value: target.name }];
  if (target.kind === 'instance') facts.push({ label: 'ID', value: target.id });
  if (isUnlisted(target)) facts.push({ label: 'Inventory', value: notListed });
  if ('project' in target) {
    const region =
      target.regionName === undefined ? `${target.region}` : `${target.regionName} (${target.region})`;
    facts.push({ label: 'Project', value: `${target.project}` }, { label: 'Region', value: region });
  }
  const account = accountOf(target);
  if (account) facts.push({ label: 'Account', value: `${account.name} (${account.url})` });
  const labels = Object.entries(target.labels).map(([name, value]) => `${name}=${value}`);
  if (labels.length > 0) facts.push({ label: 'Labels', value: labels.join(' · ') });
  return facts.map(({ label, value }) => ({ label, value: clip(value, 400) }));
}

const kindLabels: Readonly<Record<Exclude<Target['kind'], 'own'>, string>> = {
  instance: 'Instance',
  container: 'Container',
  project: 'Project',
  cdn: 'Account',
  'cdn-resource': 'CDN',
  bucket: 'Bucket',
  storage: 'Storage',
  bellhop: 'Bellhop',
  rollout: 'Targets',
};

function kindLabel(target: Target): string {
  if (target.kind !== 'own') return kindLabels[target.kind];
  const words = target.type.replaceAll('-', ' ');
  return capitalized(words);
}

const isUnlisted = (target: Target): boolean => target.kind === 'instance' && target.unlisted === true;
const notListed = 'not in bellhop.yaml';

const mostLabels = 4;

/** `env=staging · tier=web · Luxembourg-2`. Empty if the target has no labels and no region. */
export function labelsLine({ target }: Request): string {
  const labels = Object.entries(target.labels).map(([name, value]) => `${name}=${value}`);
  const region = 'regionName' in target && target.regionName !== undefined ? [target.regionName] : [];
  const listed = isUnlisted(target) ? [notListed] : [];
  const account = accountOf(target);
  const named = account ? [`account ${account.name}`] : [];
  return [...listed, ...named, ...labels.slice(0, mostLabels), ...region]
    .map((label) => safeLine(label, 60))
    .join(' · ');
}

const uuid = /([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu;
/** Shortens UUIDs to the part that people compare. */
export const shortIds = (text: string): string => text.replaceAll(uuid, '$1…');

/** Characters of the preview that are shown. Settings get more room than an instance, whose name says enough. */
const mostSent = { instance: 85, other: 300 };

/** An operation of your own may show facts of another kind. */
export const saysWhatIsSent = (facts: readonly Fact[]): boolean =>
  facts.some(({ label }) => label === 'Sends');

/** The preview on one line: what will be, is being or was sent. Empty without a preview. */
export function sentLine({ preview: facts, state, target }: Request): string {
  const preview = facts.filter(({ isEffect }) => !isEffect);
  if (preview.length === 0) return '';
  const most = target.kind === 'instance' ? mostSent.instance : mostSent.other;
  const title =
    target.kind !== 'rollout' && !saysWhatIsSent(preview)
      ? 'Preview'
      : isOpen(state)
        ? state === 'running'
          ? 'Being sent'
          : 'Will be sent'
        : 'Request sent (outcome unknown)';
  const said: string[] = [];
  for (const fact of preview) {
    const value = shortIds(factLine(fact, 160)) || '–';
    const next =
      said.length === 0 && fact.label === 'Sends' ? value : `${safeLine(fact.label, 60)}: ${value}`;
    if ([...said, next].join(' · ').length > most && said.length > 0) break;
    said.push(next);
  }
  const left = preview.length - said.length;
  return `${title}: ${said.join(' · ')}${left > 0 ? ` · ${left} more in Details` : ''}`;
}

/**
 * The preview as mrkdwn paragraphs within Slack's limit, one fact per line. Facts beyond `budget` characters are counted
 * instead of shown.
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

/** The steps of a request with their times, oldest first. */
export function historyLines(request: Request): string[] {
  const lines = [`requested by ${mention(request.requester)} ${slackDateTime(request.createdAt)}`];
  const later = laterTime(request.createdAt);
  for (const { by, at } of request.approvals.slice(-10)) {
    lines.push(`approved by ${mention(by)} ${later(at)}`);
  }
  const decided = decisionLine(request, later);
  if (decided !== undefined) lines.push(decided.text);
  const startedAt = request.startedAt ?? request.rollout?.startedAt;
  if (startedAt !== undefined) lines.push(`started ${later(startedAt)}`);
  if (request.endedAt !== undefined) lines.push(`ended ${later(request.endedAt)}`);
  const task = request.outcome?.settledBy;
  if (task !== undefined) lines.push(`settled by task ${safeLine(task, 100)}`);
  const hand = request.outcome?.settledByHand;
  if (hand) lines.push(`settled by ${mention(hand.by)} ${later(hand.at)}`);
  return lines;
}

const halfADayMs = 12 * 60 * 60_000;

/** Times within half a day of the first are shown without a date. */
const laterTime =
  (first: number) =>
  (at: number): string =>
    Math.abs(at - first) < halfADayMs ? slackTime(at) : slackDateTime(at);

function decisionLine(
  request: Request,
  later: (at: number) => string,
):
  | {
      readonly verb: 'run' | 'confirmed' | 'cancelled' | 'replaced' | 'denied' | 'stopped' | 'continued';
      readonly text: string;
    }
  | undefined {
  const { state, requester, decidedBy, decidedAt, approvals, decision, startedAt, endedAt = 0 } = request;
  if (request.partOf !== undefined)
    return { verb: 'run', text: `run as part of rollout ${safeLine(request.partOf, 60)}` };
  if (!decidedBy && startedAt !== undefined && decision.effect === 'allow')
    return {
      verb: 'run',
      text: `run without confirmation (${safeLine(decision.rule, 60)})`,
    };
  if (!decidedBy || decidedAt === undefined || state === 'expired') return undefined;
  const denied = state === 'refused' && decidedAt >= endedAt;
  if (approvals.some(({ by }) => sameActor(by, decidedBy)) && !denied) return undefined;
  const stopped = stateWord(request) === 'stopped';
  const cancelled = stopped ? 'stopped' : sameActor(decidedBy, requester) ? 'cancelled' : 'replaced';
  const again = decidedAt > (request.rollout?.startedAt ?? Infinity);
  const verb = state === 'cancelled' ? cancelled : denied ? 'denied' : again ? 'continued' : 'confirmed';
  return { verb, text: `${verb} by ${mention(decidedBy)} ${later(decidedAt)}` };
}

/** The second line of a request that is over: who asked and why, who decided, and when it ended. */
export function endedLine(request: Request): string {
  const { requester, reason, breakGlass, approvals, endedAt, createdAt } = request;
  const why = reason === undefined ? '' : `: “${safeLine(reason, 80)}”`;
  const later = laterTime(endedAt ?? createdAt);
  const decided = decisionLine(request, later);
  const { settledBy: task, settledByHand: hand } = request.outcome ?? {};
  return [
    `${mention(requester)}${why}`,
    ...(breakGlass === undefined ? [] : [`🚨 Break-glass: “${safeLine(breakGlass, 80)}”`]),
    ...(approvals.length === 0 ? [] : [`approved by ${mentions(approvals.slice(-10).map(({ by }) => by))}`]),
    ...(decided === undefined || decided.verb === 'confirmed' ? [] : [decided.text]),
    ...(endedAt === undefined ? [] : [slackDateTime(endedAt)]),
    ...(task === undefined ? [] : ["confirmed by the service's task"]),
    ...(hand ? [`settled by ${mention(hand.by)} ${later(hand.at)}`] : []),
  ].join(' · ');
}

/** The ids of a request, and how to prove its audit entry once that is sealed. */
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
