import type { Due, Handler, Outcome } from '../../model/records/due.ts';
import type { Clock, Sources } from '../../model/ports.ts';
import { type Notice, noticeKind, type Requests, notice as noticeRow } from '../../model/records/requests.ts';
import { approversOf, likelyWords, type Request, stateWord } from '../../model/records/request.ts';
import { hasPaused, stillToRun, tally } from '../../model/records/whole.ts';
import { type Message, textMessage } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import type { CardSync } from './card-sync.ts';
import { type Actor, listedActor, samePerson } from '../../model/values/actor.ts';
import { listedIn } from '../../policy/roles.ts';
import { clipMrkdwn, mention, safeLine, slackTime, usergroupMention } from '../render/text.ts';
import { listed } from '../../text/words.ts';
import { limits } from '../render/limits.ts';
import {
  aboutText,
  failedText,
  kindWords,
  nothingSent,
  recordText,
  resultText,
  signOf,
} from './card-words.ts';
import { tookWords } from './card-history.ts';
import { cardOptions, type CardRendererOptions } from './render-card.ts';
import { pausedNotice } from './whole-card.ts';

interface NoticePorts extends NoticeOptions {
  readonly api: Pick<SlackApi, 'postMessage'>;
  readonly store: Pick<Requests, 'find'>;
  readonly cards: Pick<CardSync, 'shown'>;
  readonly clock: Clock;
}

const giveUpAfterMs = 24 * 60 * 60_000;
/** In milliseconds. A notice waits this long for its card to be posted. */
const cardMs = 2_000;

/** Posts notices as replies to the card, because an edit notifies no one. Notices of one request are posted in order. */
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

/** Postpones a notice together with the one before it, to keep their order. */
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
  const message = renderNotice(told, request, ports);
  await api.postMessage(card.channel, message, card.thread ?? card.ts);
  // The message shows the newest version, so the work of that version is done, too.
  return { done: true, ...(isCorrected(told) && { version: request.version }) };
}

/** Whether the notice becomes due again once the outcome is known or likely. */
const isCorrected = ({ kind }: Notice): boolean => kind === 'paused' || kind === 'unknown';

const awaiting: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>([
  'waiting',
  'reminder',
  'no login',
  'further',
]);

function isOver(notice: Notice, request: Request): boolean {
  const { kind } = notice;
  if (isCorrected(notice)) return stateWord(request) !== kind;
  return awaiting.has(kind) && request.state !== 'awaiting approval';
}

interface NoticeOptions extends CardRendererOptions {
  readonly sources: Sources;
}

/**
 * Only this message notifies people. A lock screen shows the start of its text: whom it is for, and what to decide. State words are safe
 * here, because no program reads this text.
 */
export function renderNotice(notice: Notice, request: Request, options: NoticeOptions): Message {
  const isUnseen = toApprovers.has(notice.kind) && request.place.channel.startsWith('D');
  const mentioned = mentions(notice, request, options);
  const said = isUnseen ? unseenText(request, mentioned, options) : words(notice, request, options);
  const text = `${isUnseen ? mention(request.requester) : mentioned} ${said}`;
  return { ...textMessage(text, options.disclaimers), text: clipMrkdwn(text, limits.fallbackText) };
}

const maxMentioned = 10;

const toApprovers: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>(['waiting', 'reminder', 'further']);

function mentions(notice: Notice, request: Request, { rulebook, sources }: NoticeOptions): string {
  const { requester, decision, place, approvals } = request;
  const isAsked = (person: Actor): boolean =>
    ![requester, ...approvals.map(({ by }) => by)].some((other) => samePerson(person, other));
  const names = toApprovers.has(notice.kind) ? (notice.roles ?? approversOf(decision)) : undefined;
  if (!names) return mention(requester);
  const asked = listedIn(rulebook().policy.roles, names);
  const members = asked.sources.flatMap((source) => sources.membersOf(source).people ?? []);
  const people = new Set([
    ...[...asked.users, ...members.map(({ user }) => user)]
      .map((user) => listedActor(user, place.team))
      .filter(isAsked)
      .map((person) => mention(person)),
    ...asked.usergroups.map((group) => usergroupMention(group)),
  ]);
  const named = [...people].slice(0, maxMentioned).join(' ');
  return named === '' ? safeLine(names.join(', '), 200) : named;
}

/** In a direct message, a mention of someone else notifies no one. */
const unseenText = (request: Request, approvers: string, options: NoticeOptions): string =>
  `⏳ ${aboutText(stillToRun(request), cardOptions(options, request).verb)} needs approval by ${slackTime(request.expiresAt)}, but only you can see this direct message. ` +
  `Tell the approvers (${approvers}) that the request is on Bellhop's Home tab, under *Waiting for you*.`;

function words({ kind, by, why, warns }: Notice, request: Request, options: NoticeOptions): string {
  const { verb, done, checkable = false } = cardOptions(options, request);
  const what = aboutText(stillToRun(request), verb);
  const whom = by === undefined ? '' : ` by ${mention(by)}`;
  const said = why === undefined ? '' : ` ${safeLine(why, 500)}`;
  const deadline = slackTime(request.expiresAt);
  const ask = `⏳ Approve ${what} for ${mention(request.requester)} by ${deadline}`;
  switch (kind) {
    case 'waiting':
      return ask + reasonText(request);
    case 'further':
      return `${ask} (still not approved, so you can approve it too)${reasonText(request)}`;
    case 'reminder':
      return `${ask} (reminder)${reasonText(request)}`;
    case 'no login':
      return `⚠️ ${what}: *Approve* was pressed${whom}, but no one can sign in.${said} The request stays open until ${deadline}.`;
    case 'pressed': {
      const person = by === undefined ? 'this person' : mention(by);
      return `⚠️ ${what}:${said} If ${person} didn't do that, someone else is using ${person}'s Slack session. *Call ${person}, don't ask in Slack*, and tell your security team. Nothing runs without a sign-in.`;
    }
    case 'approved':
      return `🔄 ${what} approved${whom}${signedText(request, by)}, running it now.`;
    case 'denied':
      return `⛔ ${what} denied${whom}. ${nothingSent(request)}${said}`;
    case 'replaced':
      return `🚫 ${what} replaced by a newer request${by === undefined ? '' : ` from ${mention(by)}`}. ${nothingSent(request)}`;
    case 'refused':
      return `⛔ ${what} not run. ${nothingSent(request)}${said}`;
    case 'expired':
      return `⌛ ${what}: ${request.decision.effect === 'approve' ? 'not approved in time' : "you didn't confirm in time"}. ${nothingSent(request)}`;
    case 'failed':
      return `❌ ${what} failed. ${failedText(request)}${said}`;
    case 'unknown': {
      const check = checkable
        ? 'Press *Check now*'
        : `Check ${kindWords(request.target).check(safeLine(request.target.name, 200))}`;
      const { suggests, seen } = request.outcome?.search ?? {};
      const next = suggests === 'failed' ? recordText : `${check}, then *Settle…*.`;
      const evidence = suggests === undefined || seen === undefined ? said : ` ${safeLine(seen, 500)}`;
      return `❓ ${what}: outcome unknown${likelyWords(request)}.${evidence} Bellhop won't retry it. ${next}`;
    }
    case 'seen':
      return `❓ ${what}:${said}. This doesn't settle the outcome.`;
    case 'settled':
      return `${signOf(request)} ${what} ${settledWords(request, whom, said)}`;
    case 'done':
      return `${signOf(request)} ${what}${doneWords(request, done)}${settleWords(request, checkable)}`;
    case 'watched':
      return `${warns ? '⚠️' : '✅'} ${what}:${said}`;
    case 'paused':
      return `⏸️ ${what} paused. ${pausedNotice(request, checkable)}`;
    case 'stopped':
      return `🛑 ${what} ${by === undefined ? 'ended early' : `stopped${whom}`}. ${nothingSent(request)}${said}`;
  }
}

/** Says that the approver signed in, so that no one suspects a stolen session. */
const signedText = ({ approvals }: Request, by: Actor | undefined): string =>
  approvals.some((one) => one.person !== undefined && by !== undefined && samePerson(one.by, by))
    ? ', who signed in'
    : '';

function reasonText(request: Request): string {
  const { reason, note } = request;
  const why = [reason, hasPaused(request) ? note : undefined].filter((part) => part !== undefined);
  return why.length === 0 ? '' : `: ${safeLine(why.join('. '), 400)}`;
}

function settledWords({ state, outcome }: Request, whom: string, said: string): string {
  if (whom !== '')
    return `settled${whom}: ${state === 'failed' ? 'it did not run' : 'it ran'}. “${said.trim()}”`;
  if (state === 'failed') return `confirmed as failed.${said}`;
  const title = safeLine(outcome?.report?.title ?? 'It ran', 300);
  const task = outcome?.settledBy === undefined ? '' : ` (task ${safeLine(outcome.settledBy, 100)})`;
  return `confirmed: ${title}${task}.${said}`;
}

function settleWords(request: Request, checkable: boolean): string {
  const { unknown = [], unlikely = [] } = tally(request) ?? {};
  if (unknown.length === 0)
    return unlikely.length === 0 ? '' : ' Press *Settle…* to record that it did not run.';
  return checkable
    ? ' Press *Check now*, then *Settle…*.'
    : ` Check ${safeLine(listed(unknown), 200)}, then press *Settle…*.`;
}

function doneWords(request: Request, done: string): string {
  const { outcome } = request;
  const took = tookWords(request);
  const result = resultText(request, done, took);
  if (result !== undefined) return `: ${result}`;
  const { title = 'Done', notes = [] } = outcome?.report ?? {};
  const follows = outcome?.tasks && !outcome.tasks.finished;
  const seen = follows ? ` ${safeLine(notes.join(' '), 500)}` : '';
  return `${follows || took === undefined ? '' : ` done in ${took}`}: ${safeLine(title, 300)}.${seen}`;
}
