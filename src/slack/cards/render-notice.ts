import { listedActor, samePerson } from '../../model/actor.ts';
import type { Schedules } from '../../model/ports.ts';
import type { Rulebook } from '../../model/rulebook.ts';
import type { Notice } from '../../model/requests.ts';
import type { Request } from '../../model/request.ts';
import { tookText } from '../../request/outcome/watch.ts';
import { textMessage, type Message } from '../render/blocks.ts';
import { clipMrkdwn, code, safeLine } from '../render/escape.ts';
import { limits } from '../render/limits.ts';
import { nothingSent } from './card-words.ts';
import { mention, slackTime, usergroupMention } from '../render/text.ts';

interface NoticeOptions {
  readonly rulebook: Rulebook;
  readonly schedules: Schedules;
  readonly notices: readonly string[];
}

/**
 * A reply to whoever waits, in the thread under a card; where the card is itself in a thread, there, and naming the command.
 * It names no state with the state's word: a card is read by that, and is what it replies to.
 */
export function renderNotice(
  notice: Notice,
  request: Request,
  { rulebook, schedules, notices }: NoticeOptions,
): Message {
  const about = request.place.thread === undefined ? '' : ` ${code(request.words, 200)}:`;
  const text = `${mentioned(notice, request, rulebook, schedules)}${about} ${words(notice, request)}`;
  return { ...textMessage(text, notices), text: clipMrkdwn(text, limits.fallbackText) };
}

const mostMentioned = 10;

function mentioned({ kind }: Notice, request: Request, { policy }: Rulebook, schedules: Schedules): string {
  const { requester, decision, place } = request;
  if (kind !== 'waiting' && kind !== 'reminder') return `${mention(requester)}:`;
  const roles = decision.approvers.flatMap((name) => policy.roles[name] ?? []);
  const onCall = (schedule: string): readonly string[] =>
    (schedules.onCall(schedule).people ?? []).map(({ user }) => user);
  const people = new Set([
    ...roles
      .flatMap(({ users, schedule }) => users.concat(schedule === undefined ? [] : onCall(schedule)))
      .map((listed) => listedActor(listed, place.team))
      .filter((person) => !samePerson(person, requester))
      .map((person) => mention(person)),
    ...roles.flatMap(({ usergroups }) => usergroups).map((group) => usergroupMention(group)),
  ]);
  const named = [...people].slice(0, mostMentioned).join(' ');
  return named === '' ? `${safeLine(decision.approvers.join(', '), 200)}:` : named;
}

function words({ kind, by, why }: Notice, request: Request): string {
  const whom = by === undefined ? '' : ` by ${mention(by)}`;
  const said = why === undefined ? '' : ` ${safeLine(why, 500)}`;
  const deadline = slackTime(request.expiresAt);
  switch (kind) {
    case 'waiting':
      return `${mention(request.requester)} needs your approval until ${deadline}: Approve or Deny above.`;
    case 'reminder':
      return `still without an approval. It can be approved until ${deadline}.`;
    case 'approved':
      return `approved${whom}. It runs now.`;
    case 'denied':
      return `denied${whom}. ${nothingSent(request)}${said}`;
    case 'replaced':
      return `replaced${whom}. ${nothingSent(request)}`;
    case 'refused':
      return `not run. ${nothingSent(request)}${said}`;
    case 'expired':
      return `nobody decided in time. ${nothingSent(request)}`;
    case 'failed':
      return `it did not happen.${said}`;
    case 'unknown':
      return `nobody can tell yet whether it ran. Bellhop will not repeat it, and goes on looking: *Check now* and *Settle…* are above.${said}`;
    case 'seen':
      return `seen at the target:${said}. That is no proof of whose doing it is.`;
    case 'settled':
      return settledWords(request, whom, said);
    case 'done':
      return doneWords(request);
    case 'watched':
      return said.trim();
  }
}

function settledWords({ state, outcome }: Request, whom: string, said: string): string {
  if (state === 'failed') return `it is clear now: it did not happen${whom && `, settled${whom}`}.${said}`;
  const title = safeLine(outcome?.report?.title ?? 'it happened', 300);
  const task =
    outcome?.settledBy === undefined ? '' : ` The evidence: task ${safeLine(outcome.settledBy, 100)}.`;
  return `it is clear now: ${title}${whom && `, settled${whom}`}.${task}${said}`;
}

/** How long the service took, as far as its tasks were looked at. */
function doneWords({ startedAt, createdAt, endedAt, outcome }: Request): string {
  const { title = 'it is done', notes = [], tone } = outcome?.report ?? {};
  const seen =
    tone === 'unsure'
      ? ` ${safeLine(notes.join(' '), 500)}`
      : ` It took ${tookText((endedAt ?? createdAt) - (startedAt ?? createdAt))}.`;
  return `${safeLine(title, 300)}.${seen}`;
}
