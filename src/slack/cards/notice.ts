import type { Handler } from '../../due/work.ts';
import type { Due, Outcome } from '../../model/due.ts';
import type { Clock, Schedules } from '../../model/ports.ts';
import { type Notice, type Requests, notice as noticeRow } from '../../model/requests.ts';
import type { Request } from '../../model/request.ts';
import { type Message, textMessage } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import type { CardSync } from './card-sync.ts';
import { listedActor, samePerson } from '../../model/actor.ts';
import type { Rulebook } from '../../model/rulebook.ts';
import { tookText } from '../../request/outcome/watch.ts';
import { clipMrkdwn, code, mention, safeLine, slackTime, usergroupMention } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { nothingSent } from './card-words.ts';

interface NoticePorts {
  readonly api: Pick<SlackApi, 'postMessage'>;
  readonly store: Pick<Requests, 'find'>;
  readonly cards: Pick<CardSync, 'shown'>;
  readonly clock: Clock;
  readonly render: (notice: Notice, request: Request) => Message;
}

const giveUpAfterMs = 24 * 60 * 60_000;
/** Until then a card that is not there yet is shown. */
const cardMs = 2_000;

/**
 * Replies to cards, each in the thread that its card is in, else in one under it, since an edit of a card notifies nobody.
 * Those of a request are told one after another.
 */
export function createNoticeHandler(ports: NoticePorts): Handler {
  /** The last of each request that is being told. */
  const telling = new Map<string, Promise<Outcome>>();
  return {
    atOnce: 10,
    trouble: 'a notice could not be posted',
    giveUpAfterMs,
    async handle(due) {
      const { requestId } = noticeRow.parse(due.about);
      const before = telling.get(requestId);
      const told = after(before, () => tell(ports, due));
      telling.set(requestId, told);
      try {
        return await told;
      } finally {
        if (telling.get(requestId) === told) telling.delete(requestId);
      }
    },
  };
}

/** Where the one before is put off, so is this: they keep their order. */
async function after(before: Promise<Outcome> | undefined, work: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await before?.catch((): Outcome => ({ againIn: cardMs }));
  return outcome && !('done' in outcome) ? { againIn: cardMs } : work();
}

async function tell({ api, store, cards, clock, render }: NoticePorts, due: Due): Promise<Outcome> {
  const told = noticeRow.parse(due.about);
  await cards.shown(told.requestId);
  const request = await store.find(told.requestId);
  if (!request || isOver(told, request) || clock.now() - told.at >= giveUpAfterMs) return { done: true };
  const { card } = request;
  if (!card) return { againIn: cardMs };
  await api.postMessage(card.channel, render(told, request), card.thread ?? card.ts);
  return { done: true };
}

/** Nobody is asked for an approval that is no longer needed. */
const isOver = ({ kind }: Notice, { state }: Request): boolean =>
  (kind === 'waiting' || kind === 'reminder') && state !== 'awaiting approval';

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
