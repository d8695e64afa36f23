import type { Button } from '@slack/types';

import { BellhopError, type ErrorCode, ServiceError } from '../../model/values/errors.ts';
import { DeniedError } from '../../policy/denied.ts';
import { anyone } from '../../policy/roles.ts';
import type { WhoMay } from '../../model/members.ts';
import { RequestInTheWayError } from '../../request/in-the-way.ts';
import { IgnoredClickError, LateClickError } from '../../request/steps/step.ts';
import type { Request } from '../../model/records/request.ts';
import {
  actions,
  contextBlock,
  disclaimerBlocks,
  disclaimerLines,
  section,
  type Message,
} from '../render/blocks.ts';
import { historyLines } from '../cards/card-history.ts';
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
import { isRefusal } from '../web-api/slack-error.ts';
import { readButton, type ReadAction, type ReadActionId, runButtons } from '../render/report.ts';
import { correctedLines } from '../../text/nearest.ts';

export interface RefusalOptions {
  readonly disclaimers: readonly string[];
  readonly link?: string | undefined;
  readonly again?: RetryRead | undefined;
  /** As typed, for buttons that run what may have been meant. */
  readonly typed?: string | undefined;
}

export interface RetryRead {
  readonly id: ReadActionId;
  readonly action: ReadAction;
}

/** If the message does not say what to do next. */
const nextSteps: Readonly<Partial<Record<ErrorCode, string>>> = {
  'unknown-command': 'Type `/bellhop help` for all commands.',
  'unknown-outcome': "The service's response was unreadable. Check the target before you run it again.",
  'store-unavailable':
    'Changes are refused until the database is back. Reads still work. Try again in a moment.',
  busy: 'Try again in a moment.',
  configuration: 'Contact the Bellhop admin.',
  slack: 'Try again. If it keeps failing, contact the Bellhop admin.',
};

/**
 * Suggests no retry if the store returns unreadable rows, because a retry would fail, too. A request in the way names its own next step.
 */
const nextStep = (error: BellhopError): string =>
  error instanceof RequestInTheWayError
    ? ''
    : (nextSteps[error.code === 'store-unavailable' && !error.retryable ? 'configuration' : error.code] ??
      '');

const unforeseen =
  'Bellhop hit an internal error. The log has details. Check `/bellhop requests` before you try again.';

/** Says why nothing was done, then what to do next. */
export function renderRefusal(
  error: unknown,
  { disclaimers, link, again: read, typed }: RefusalOptions,
): Message {
  const reason = reasonOf(error, 1_500);
  const retry =
    read && error instanceof BellhopError && error.retryable
      ? readButton('Try again', read.id, read.action)
      : undefined;
  const buttons = retry === undefined ? correctedButtons(error, typed) : [retry];
  const next = buttons.length === 0 && error instanceof BellhopError ? nextStep(error) : '';
  const again =
    error instanceof BellhopError && error.until !== undefined
      ? [`Allowed again from ${slackDateTime(error.until)}.`]
      : [];
  const small = [...again, ...detailLines(error), ...disclaimerLines(disclaimers)];
  return {
    text: clipMrkdwn(reasonOf(error, 700).replaceAll(/\s+/gu, ' ').trim(), limits.fallbackText) || '–',
    blocks: [
      section([`${signOf(error)} ${reason}`, linkText(link), next].filter((line) => line !== '').join('\n')),
      ...(small.length === 0 ? [] : [contextBlock(small)]),
      ...actions(buttons),
    ],
  };
}

function correctedButtons(error: unknown, typed: string | undefined): Button[] {
  if (typed === undefined || !(error instanceof BellhopError) || !error.guess) return [];
  return runButtons(correctedLines(typed, error.guess).map((words) => ({ text: `Run ${words}`, words })));
}

function reasonOf(error: unknown, max: number): string {
  if (!(error instanceof BellhopError)) return unforeseen;
  return error.parts.length > 1 ? mrkdwnParts(error.parts, max) : safeText(error.message, max);
}

const linkText = (link: string | undefined): string =>
  link === undefined ? '' : `<${linkAddress(link)}|Open that request>`;

function signOf(error: unknown): string {
  if (!(error instanceof BellhopError)) return '❌';
  if (error instanceof LateClickError) return 'ℹ️';
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

const maxNamed = 10;
const firstOf = (names: readonly string[]): string =>
  names.slice(0, maxNamed).join(', ') +
  (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '');
const kindOf = (one: string, many: string, names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${names.length === 1 ? one : many} ${firstOf(names)}`];
/** `anyone` excludes guests, so its own name would mislead them. */
const everyMember = 'every full member of this workspace';

function whomToAsk({ by, whoMay, retryable }: DeniedError): string[] {
  const lines = whoMayLines(whoMay);
  if (lines.length > 0 || retryable) return lines;
  if (by === 'limit' || by === 'freeze')
    return ['No one is exempt, not even with `--break-glass`. Wait, or ask the owner of `bellhop.yaml`.'];
  return whoMay.noOne
    ? ["The current rules don't allow this for anyone. Ask the owner of `bellhop.yaml`."]
    : [];
}

function whoMayLines({ roles, users, usergroups, channels, sources = [], breakGlass }: WhoMay): string[] {
  const named = roles.filter((role) => role !== anyone).map((role) => safeLine(role, 60));
  const groups = usergroups.map((group) => usergroupMention(group));
  const who = [
    ...(roles.includes(anyone) ? [everyMember] : []),
    ...kindOf('role', 'roles', named),
    ...kindOf('user group', 'user groups', groups),
    ...kindOf(
      'person',
      'people',
      users.map((user) => mention({ user })),
    ),
  ];
  const where = firstOf(channels.map((channel) => channelMention(channel)));
  return [
    ...(who.length > 0 ? [`Allowed: ${who.join(' · ')}`] : []),
    ...(where === '' ? [] : [`Where: ${where}`]),
    ...sources.slice(0, maxSources).map((one) => mrkdwnParts(one.kind.words.now(one), 700)),
    ...(sources.every(({ people }) => people) ? [] : [glassLine(breakGlass)]),
  ];
}

const maxSources = 3;

const glassLine = (roles: readonly string[] = []): string =>
  roles.length === 0
    ? 'No rule allows break-glass here.'
    : `Can't wait? Only ${roles.map((role) => safeLine(role, 60)).join(' or ')} can use \`--break-glass "reason"\`.`;

/** For a request whose card could not be posted yet. */
export function renderPostProblem(
  request: Request,
  problem: unknown,
  disclaimers: readonly string[],
): Message {
  const mend = whyNotPosted(problem, request.place.channel);
  const text = `Your request ${safeLine(request.id, 60)} is recorded, but its card could not be posted here. Nothing has run yet.`;
  return {
    text,
    blocks: [
      section(
        `${text} ${mend} Bellhop keeps trying to post it. You can also find the request with \`/bellhop requests\`.`,
      ),
      ...disclaimerBlocks(disclaimers),
    ],
  };
}

/** An app can't be invited to a direct message between two people. */
const whyNotPosted = (problem: unknown, channel: string): string =>
  channel.startsWith('D') && isRefusal(problem, 'channel_not_found', 'not_in_channel')
    ? "Bellhop can't post in this conversation. Use a channel, or a direct message with Bellhop."
    : problem instanceof BellhopError
      ? safeLine(problem.message, 300)
      : 'Bellhop hit an internal error.';
