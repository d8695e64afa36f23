import { BellhopError, type ErrorCode, ServiceError } from '../../model/errors.ts';
import { DeniedError } from '../../policy/denied.ts';
import { anyone } from '../../policy/roles.ts';
import { onCallText } from '../../model/on-call.ts';
import type { WhoMay } from '../../model/decision.ts';
import { IgnoredClickError } from '../../request/steps/step.ts';
import type { Request } from '../../model/request.ts';
import { actions, contextBlock, noticeBlocks, noticeLines, section, type Message } from '../render/blocks.ts';
import { historyLines } from '../cards/card-facts.ts';
import {
  channelMention,
  clipMrkdwn,
  linkAddress,
  mention,
  mrkdwnParts,
  safeLine,
  safeText,
  slackDateTime,
  usergroupMention,
} from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { readButton, type ReadAction, type ReadActionId } from '../render/report/report.ts';

interface RefusalOptions {
  readonly notices: readonly string[];
  /** Where the request is that stands in the way. */
  readonly link?: string | undefined;
  /** The read that failed, offered again where it failed for a reason that passes. */
  readonly again?: RetryRead | undefined;
}

/** A read to be run again: the button that does it. */
export interface RetryRead {
  readonly id: ReadActionId;
  readonly action: ReadAction;
}

/** What to do next, for each code, where the message itself does not say. */
const nextSteps: Readonly<Record<ErrorCode, string>> = {
  'bad-input': '',
  'unknown-command': 'Type `/bellhop help` to see what there is.',
  'unknown-target': '',
  denied: '',
  'not-sent': 'Nothing reached the service. Try again in a moment.',
  rejected: 'Nothing was changed.',
  'unknown-outcome':
    'No readable answer came back from the service. Check the target before you run it again.',
  'store-unavailable':
    'Until the store is back, changes are refused and reads still answer. Try again in a moment.',
  busy: 'Try again in a moment.',
  configuration: 'Tell whoever runs Bellhop.',
  slack: 'Then try again. If it stays so, tell whoever runs Bellhop.',
};

/** A store that answers, but with a row that cannot be read, does not mend by waiting. */
const nextStep = ({ code, retryable }: BellhopError): string =>
  nextSteps[code === 'store-unavailable' && !retryable ? 'configuration' : code];

const unforeseen =
  'Something went wrong inside Bellhop. It is in the log; check `/bellhop requests` before you run it again.';

/** Why nothing was done: a short private answer, the reason first, then what to do. */
export function renderRefusal(error: unknown, { notices, link, again: read }: RefusalOptions): Message {
  const reason = reasonOf(error, 1_500);
  const retry =
    read && error instanceof BellhopError && error.retryable
      ? readButton('Try again', read.id, read.action)
      : undefined;
  const next = retry === undefined && error instanceof BellhopError ? nextStep(error) : '';
  const again =
    error instanceof BellhopError && error.until !== undefined
      ? [`Again from ${slackDateTime(error.until)}.`]
      : [];
  const small = [...again, ...detailLines(error), ...noticeLines(notices)];
  return {
    text: clipMrkdwn(reasonOf(error, 700).replaceAll(/\s+/gu, ' ').trim(), limits.fallbackText) || '–',
    blocks: [
      section([`${signOf(error)} ${reason}`, linkText(link), next].filter((line) => line !== '').join('\n')),
      ...(small.length === 0 ? [] : [contextBlock(small)]),
      ...actions(retry === undefined ? [] : [retry]),
    ],
  };
}

function reasonOf(error: unknown, max: number): string {
  if (!(error instanceof BellhopError)) return unforeseen;
  const named = error instanceof DeniedError && error.parts.length > 1;
  return named ? mrkdwnParts(error.parts, max) : safeText(error.message, max);
}

const linkText = (link: string | undefined): string =>
  link === undefined ? '' : `<${linkAddress(link)}|Open that request>`;

function signOf(error: unknown): string {
  if (!(error instanceof BellhopError)) return '❌';
  return error.code === 'denied' ? '⛔' : error.retryable ? '⏳' : '✋';
}

function detailLines(error: unknown): string[] {
  if (error instanceof DeniedError) {
    return [...whomToAsk(error), ...(error.by === 'none' ? [] : [safeLine(error.rule, 100)])];
  }
  if (error instanceof IgnoredClickError && error.request) return [historyLines(error.request).join(' · ')];
  if (error instanceof ServiceError && error.serviceRequestId !== undefined) {
    return [`service request ${safeLine(error.serviceRequestId, 100)}`];
  }
  return [];
}

const mostNamed = 10;
/** To a guest, who is not one of them, “anyone” would be no answer. */
const everyMember = 'every full member of this workspace';

/** What passes by itself says so; else somebody may, or somebody has to change the rules. */
function whomToAsk({ by, whoMay, retryable }: DeniedError): string[] {
  const lines = whoMayLines(whoMay);
  if (lines.length > 0 || retryable) return lines;
  if (by === 'limit' || by === 'freeze')
    return ['Nobody is exempt, with `--break-glass` neither: wait, or ask whoever keeps `bellhop.yaml`.'];
  return ['Nobody may, by these rules: ask whoever keeps `bellhop.yaml`.'];
}

function whoMayLines({ roles, users, usergroups, channels, onCall = [], breakGlass }: WhoMay): string[] {
  const known = [
    ...users.map((user) => mention({ user })),
    ...usergroups.map((group) => usergroupMention(group)),
  ];
  const named = known.slice(0, mostNamed).join(', ');
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : '';
  const who = [
    roles
      .map((role) => (role === anyone ? everyMember : safeLine(role, 60)))
      .slice(0, mostNamed)
      .join(', '),
    named + more,
  ].filter((part) => part !== '');
  const where = channels
    .slice(0, mostNamed)
    .map((channel) => channelMention(channel))
    .join(', ');
  return [
    ...(who.length > 0 ? [`Who may: ${who.join(' – ')}`] : []),
    ...(where === '' ? [] : [`Where: ${where}`]),
    ...onCall.slice(0, mostSchedules).map((one) => mrkdwnParts(onCallText(one), 700)),
    ...(onCall.every(({ people }) => people) ? [] : [glassLine(breakGlass)]),
  ];
}

const mostSchedules = 3;

/** The way that remains while nobody can be told to be on call. */
const glassLine = (roles: readonly string[] = []): string =>
  roles.length === 0
    ? 'Break-glass: no rule lets anybody skip an approval here.'
    : `Break-glass remains, with \`--break-glass "reason"\`: ${roles.map((role) => safeLine(role, 60)).join(', ')}`;

/** Tells the requester that the request stands but its card could not be shown. It goes on being tried. */
export function renderPostProblem(request: Request, problem: unknown, notices: readonly string[]): Message {
  const mend = whyNotPosted(problem);
  const text = `Nothing has run yet. Your request ${safeLine(request.id, 60)} is recorded, but its card could not be posted here.`;
  return {
    text,
    blocks: [
      section(`${text} ${mend} Bellhop keeps trying; \`/bellhop requests\` shows it too.`),
      ...noticeBlocks(notices),
    ],
  };
}

/** Why something could not be posted, with what to do about it. As mrkdwn. */
const whyNotPosted = (problem: unknown): string =>
  problem instanceof BellhopError ? safeLine(problem.message, 300) : 'Something went wrong inside Bellhop.';
