import type { Due, Handler, Outcome } from '../../model/records/due.ts';
import type { Clock, Schedules, Rules } from '../../model/ports.ts';
import { type Notice, type Requests, notice as noticeRow } from '../../model/records/requests.ts';
import { approversOf, type Request, stateWord } from '../../model/records/request.ts';
import { type Message, textMessage } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import type { CardSync } from './card-sync.ts';
import { type Actor, listedActor, samePerson } from '../../model/values/actor.ts';
import type { Rulebook } from '../../model/rulebook/rulebook.ts';
import { listedIn } from '../../policy/roles.ts';
import { noticeKind } from '../../request/steps/notices.ts';
import { clipMrkdwn, code, mention, safeLine, slackTime, usergroupMention } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { nothingSent, tookWords } from './card-words.ts';

interface NoticePorts extends Omit<NoticeOptions, 'rulebook'>, Pick<Rules, 'rulebook'> {
  readonly api: Pick<SlackApi, 'postMessage'>;
  readonly store: Pick<Requests, 'find'>;
  readonly cards: Pick<CardSync, 'shown'>;
  readonly clock: Clock;
}

const giveUpAfterMs = 24 * 60 * 60_000;
/** In milliseconds. A notice waits this long for a card that is not posted yet. */
const cardMs = 2_000;

/**
 * Replies to cards, because an edit of a card notifies no one. A reply goes to the card's thread, or to a new thread under the
 * card. Notices of one request are posted in order.
 */
export function createNoticeHandler(ports: NoticePorts): Handler {
  const telling = new Map<string, Promise<Outcome>>();
  return {
    kind: noticeKind,
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

/** If the previous notice is postponed, the next notice is postponed too, which keeps their order. */
async function after(before: Promise<Outcome> | undefined, work: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await before?.catch((): Outcome => ({ againIn: cardMs }));
  return outcome && !('done' in outcome) ? { againIn: cardMs } : work();
}

async function tell(ports: NoticePorts, due: Due): Promise<Outcome> {
  const { api, store, cards, clock } = ports;
  const told = noticeRow.parse(due.about);
  await cards.shown(told.requestId);
  const request = await store.find(told.requestId);
  if (!request || isOver(told, request) || clock.now() - told.at >= giveUpAfterMs) return { done: true };
  const { card } = request;
  if (!card) return { againIn: cardMs };
  const message = renderNotice(told, request, { ...ports, rulebook: ports.rulebook() });
  await api.postMessage(card.channel, message, card.thread ?? card.ts);
  return { done: true };
}

const awaiting: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>([
  'waiting',
  'reminder',
  'no login',
  'further',
]);

/** Whether the notice is outdated. An approval that is no longer needed is not requested. */
function isOver({ kind }: Notice, request: Request): boolean {
  if (kind === 'paused') return stateWord(request) !== 'paused';
  return awaiting.has(kind) && request.state !== 'awaiting approval';
}

interface NoticeOptions {
  readonly rulebook: Rulebook;
  readonly schedules: Schedules;
  readonly disclaimers: readonly string[];
}

/**
 * A reply in the card's thread for the people who wait. If the card itself is in a thread, the reply goes to that thread and
 * names the command. The reply never contains the word for a state, because tools find cards by these words.
 */
export function renderNotice(
  notice: Notice,
  request: Request,
  { rulebook, schedules, disclaimers }: NoticeOptions,
): Message {
  const about = request.place.thread === undefined ? '' : ` ${code(request.words, 200)}:`;
  const mentioned = mentions(notice, request, rulebook, schedules);
  const text =
    toApprovers.has(notice.kind) && request.place.channel.startsWith('D')
      ? `${mention(request.requester)}:${about} ${unseenText(request, mentioned)}`
      : `${mentioned}:${about} ${words(notice, request)}`;
  return { ...textMessage(text, disclaimers), text: clipMrkdwn(text, limits.fallbackText) };
}

const maxMentioned = 10;

const toApprovers: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>(['waiting', 'reminder', 'further']);

function mentions(notice: Notice, request: Request, { policy }: Rulebook, schedules: Schedules): string {
  const { requester, decision, place, approvals } = request;
  const isAsked = (person: Actor): boolean =>
    ![requester, ...approvals.map(({ by }) => by)].some((other) => samePerson(person, other));
  const names = toApprovers.has(notice.kind) ? (notice.roles ?? approversOf(decision)) : undefined;
  if (!names) return mention(requester);
  const listed = listedIn(policy.roles, names);
  const onCall = listed.schedules.flatMap((name) => schedules.onCall(name).people ?? []);
  const people = new Set([
    ...[...listed.users, ...onCall.map(({ user }) => user)]
      .map((user) => listedActor(user, place.team))
      .filter(isAsked)
      .map((person) => mention(person)),
    ...listed.usergroups.map((group) => usergroupMention(group)),
  ]);
  const named = [...people].slice(0, maxMentioned).join(' ');
  return named === '' ? safeLine(names.join(', '), 200) : named;
}

/** A mention in someone else's direct messages notifies no one. */
const unseenText = ({ expiresAt }: Request, approvers: string): string =>
  `this needs approval by ${slackTime(expiresAt)}, but only you can see this direct message. ` +
  `Tell the approvers (${approvers}) that the request is on Bellhop's Home tab, under *Waiting for you*.`;

function words({ kind, by, why }: Notice, request: Request): string {
  const whom = by === undefined ? '' : ` by ${mention(by)}`;
  const said = why === undefined ? '' : ` ${safeLine(why, 500)}`;
  const deadline = slackTime(request.expiresAt);
  switch (kind) {
    case 'waiting':
      return `${mention(request.requester)} needs your approval by ${deadline}. Use *Approve* or *Deny* above.`;
    case 'further':
      return `this is still not approved, so you can now approve it too. ${mention(request.requester)} needs it by ${deadline}. Use *Approve* or *Deny* above.`;
    case 'reminder':
      return `still not approved. The request expires at ${deadline}.`;
    case 'no login':
      return `*Approve* was pressed${whom}, but no one can sign in.${said} The request stays open until ${deadline}.`;
    case 'approved':
      return `approved${whom}, running it now.`;
    case 'denied':
      return `denied${whom}. ${nothingSent(request)}${said}`;
    case 'replaced':
      return `replaced by a newer request${by === undefined ? '' : ` from ${mention(by)}`}. ${nothingSent(request)}`;
    case 'refused':
      return `not run. ${nothingSent(request)}${said}`;
    case 'expired':
      return `${request.decision.effect === 'approve' ? 'not approved in time' : "you didn't confirm in time"}. ${nothingSent(request)}`;
    case 'failed':
      return `it did not go through.${said}`;
    case 'unknown':
      return `the service didn't confirm whether it ran.${said} Bellhop won't retry it. Check whether it ran (*Check now*, if the card has it), then press *Settle…* above.`;
    case 'seen':
      return `${said.trim()}. This doesn't settle the outcome.`;
    case 'settled':
      return settledWords(request, whom, by === undefined || said === '' ? said : ` “${said.trim()}”`);
    case 'done':
      return doneWords(request);
    case 'watched':
      return said.trim();
    case 'paused':
      return `nothing more will run until you decide.${said} Use *Continue…* or *Stop here* above.`;
    case 'stopped':
      return `${by === undefined ? 'the rollout ended early' : `${mention(by)} stopped the rollout early`}. ${nothingSent(request)}${said}`;
  }
}

function settledWords({ state, outcome }: Request, whom: string, said: string): string {
  const how = whom === '' ? 'confirmed' : `settled${whom}`;
  if (state === 'failed') return `${how}. It did not go through.${said}`;
  const title = safeLine(outcome?.report?.title ?? 'It ran', 300);
  const task = outcome?.settledBy === undefined ? '' : ` (task ${safeLine(outcome.settledBy, 100)})`;
  return `${how}. ${title}${task}.${said}`;
}

function doneWords(request: Request): string {
  const { outcome } = request;
  const took = tookWords(request);
  const { title = 'done', notes = [] } = outcome?.report ?? {};
  const seen =
    outcome?.tasks && !outcome.tasks.finished
      ? ` ${safeLine(notes.join(' '), 500)}`
      : took === undefined
        ? ''
        : ` It took ${took}.`;
  return `${safeLine(title, 300)}.${seen}`;
}
