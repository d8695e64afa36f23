import { growingPause } from '../../request/steps/growing-pause.ts';
import type { SealedLog } from '../../model/sealed-log.ts';
import type { BackgroundTasks, Clock, Log, Messages } from '../../model/ports.ts';
import type { Requests } from '../../model/requests.ts';
import type { Request } from '../../model/request.ts';
import type { Message } from '../render/blocks.ts';
import type { ShownWith } from './card-lead.ts';
import { isOver } from './render-card.ts';
import type { MessageRef } from '../../model/outbox.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isHeldBack, SlackError } from '../web-api/slack-error.ts';

/** The cards that are to be shown, until they stand in Slack. */
export interface CardOutbox extends Pick<Requests, 'find'>, Pick<SealedLog, 'sealOf'> {
  /**
   * Requests whose card does not yet show their version, whose next try is due, claimed for `claimMs` so that no
   * other replica takes them too. Oldest first.
   */
  claimStaleCards(now: number, claimMs: number, limit: number): Promise<readonly Request[]>;
  /** Where the card of a request is; undefined before it was posted. */
  findCard(id: string): Promise<MessageRef | undefined>;
  /** The card shows `version`. False where a newer one was shown meanwhile, so that this may have overwritten it. */
  markCardShown(id: string, version: number, shown: MessageRef): Promise<boolean>;
  /** The card could not be shown; tried again at `retryAt`, or never where undefined. */
  markCardFailed(id: string, retryAt: number | undefined): Promise<void>;
}

interface CardSyncPorts {
  /** The lane for what nobody waits for. */
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage' | 'deleteMessage'>;
  /** The lane for a person who waits. */
  readonly answers: Pick<SlackApi, 'permalink'>;
  readonly store: CardOutbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  readonly render: (request: Request, more: ShownWith) => Message;
}

export interface CardSync extends Messages {
  /** Resolves when nothing of the request is being shown; to the error where its newest state could not be. */
  shown(id: string): Promise<unknown>;
  /** A card was found whose posting nobody could record any more: it is the request's, unless that has another. */
  adopt(id: string, found: MessageRef): Promise<void>;
  /** The request has one card: a second one, posted because Slack's answer to the first got lost, goes away. Never throws. */
  removeIfStray(id: string, found: MessageRef): Promise<void>;
  /** Shows what crashed processes and failed tries left behind. Called about once a second. */
  reconcile(): Promise<void>;
}

/** What the store keeps as the shown version of a card that was not yet shown. */
const neverShown = 0;

const giveUpAfterMs = 24 * 60 * 60_000;
/** Shown all at once, each in at most two calls to Slack of at most 10 s. */
const claimMs = 25_000;
const claimedAtOnce = 20;
const firstPauseMs = 2000;
const longestPauseMs = 5 * 60_000;
/** Cards that are to be shown once more for their seal, or for want of an answer; what is more goes without that line. */
const mostWaiting = 200;
/** A service that takes longer is said to be waited for. */
const answeredWithinMs = 5_000;
const sealedWithinMs = 60_000;

/**
 * Keeps each request's one message like its row: posts it, then edits it. Not a queue of edits but the newest state,
 * so order cannot be lost; what could not be shown is found again in the store, by any replica, for 24 hours.
 */
export function createCardSync(ports: CardSyncPorts): CardSync {
  const { store, clock, log, backgroundTasks } = ports;
  const newest = new Map<string, Shown>();
  const working = new Map<string, Promise<unknown>>();
  const waiting: Waiting = { unsealed: new Map(), unanswered: new Map() };

  // Looking for a newer state and leaving are one turn: nobody's newer state comes in between and is left waiting.
  const work = async (id: string): Promise<unknown> => {
    let failure: unknown;
    for (let next = newest.get(id); next; next = newest.get(id)) {
      newest.delete(id);
      failure = await showOne(ports, next, waiting, (again) =>
        newest.set(id, newest.get(id) ?? { request: again, more: {} }),
      ).catch((error: unknown) => {
        log.error({ err: error, requestId: id }, 'a card could not be kept');
        return error;
      });
    }
    working.delete(id);
    return failure;
  };

  const changed = (request: Request, more: ShownWith = {}): void => {
    const next = newest.get(request.id);
    if (!next || next.request.version < request.version) newest.set(request.id, { request, more });
    if (working.has(request.id)) return;
    const worker = work(request.id);
    working.set(request.id, worker);
    // A stop waits: what came of a request is told before the process goes.
    backgroundTasks.add(
      worker.then(() => undefined),
      request.id,
    );
  };

  return {
    changed: (request) => changed(request),
    link: async ({ id }) => permalink(ports.answers, log, id, store),
    shown: async (id) => working.get(id),
    async adopt(id, found) {
      // Nearly always it is known, and a look costs no flush.
      if (!(await store.findCard(id))) await store.markCardShown(id, neverShown, found);
    },
    async removeIfStray(id, found) {
      try {
        const card = await store.findCard(id);
        if (card && card.ts !== found.ts) await ports.api.deleteMessage(found);
      } catch (error) {
        log.warn({ err: error, requestId: id }, 'a second card could not be removed');
      }
    },
    async reconcile() {
      for (const request of await store.claimStaleCards(clock.now(), claimMs, claimedAtOnce))
        changed(request);
      for (const { request, more } of await dueAgain(ports, waiting))
        if (more.seal || !working.has(request.id)) changed(request, more);
    },
  };
}

/** What a card is to show. */
interface Shown {
  readonly request: Request;
  readonly more: ShownWith;
}

/** Requests whose card is shown once more, by id. */
interface Waiting {
  /** Over, and since when their card stands there without the place of their entry. */
  readonly unsealed: Map<string, { readonly request: Request; readonly since: number }>;
  /** Running, without a word of the service so far. */
  readonly unanswered: Map<string, Request>;
}

/**
 * Shows one version; what is over is shown once more when it is sealed, which takes longer than this. Resolves to the error
 * where it could not be shown; the store knows when to try again.
 */
async function showOne(
  { api, store, clock, log, render }: CardSyncPorts,
  { request, more }: Shown,
  waiting: Waiting,
  again: (newer: Request) => void,
): Promise<unknown> {
  try {
    const card = await store.findCard(request.id);
    const shown = await postOrUpdate(api, card, request, render(request, more));
    if (await store.markCardShown(request.id, request.version, shown)) {
      keepWaiting(waiting, request, more, clock.now());
      return undefined;
    }
    const current = await store.find(request.id);
    if (current) again(current);
    return undefined;
  } catch (error) {
    const retryAt = nextTry(clock.now(), request, error);
    if (!isHeldBack(error))
      log.warn({ err: error, requestId: request.id, retryAt }, 'a card could not be shown');
    await store.markCardFailed(request.id, retryAt);
    return error;
  }
}

/** What is shown once more now. */
async function dueAgain(
  { store, clock }: CardSyncPorts,
  { unsealed, unanswered }: Waiting,
): Promise<Shown[]> {
  const due: Shown[] = [];
  for (const { request, since } of unsealed.values()) {
    const late = clock.now() - since > sealedWithinMs;
    const seal = late ? undefined : await store.sealOf(request);
    if (late || seal) unsealed.delete(request.id);
    if (seal) due.push({ request, more: { seal } });
  }
  for (const request of unanswered.values()) {
    if (clock.now() - (request.startedAt ?? 0) < answeredWithinMs) continue;
    unanswered.delete(request.id);
    due.push({ request, more: { unanswered: true } });
  }
  return due;
}

function keepWaiting(
  { unsealed, unanswered }: Waiting,
  request: Request,
  more: ShownWith,
  since: number,
): void {
  const { id, state, outcome } = request;
  unanswered.delete(id);
  if (isOver(request) && !more.seal && unsealed.size < mostWaiting) unsealed.set(id, { request, since });
  const asked = state === 'running' && outcome?.tasks === undefined && more.unanswered !== true;
  if (asked && unanswered.size < mostWaiting) unanswered.set(id, request);
}

async function postOrUpdate(
  api: CardSyncPorts['api'],
  card: MessageRef | undefined,
  request: Request,
  message: Message,
): Promise<MessageRef> {
  if (!card) return post(api, request, message);
  try {
    await api.updateMessage(card, message);
    return card;
  } catch (error) {
    // Somebody deleted the card: what came of the request must still be told.
    if (!(error instanceof SlackError) || error.slackCode !== 'message_not_found') throw error;
    return post(api, request, message);
  }
}

/** What Slack says of a thread that takes no replies. */
const closedThread = new Set([
  'cannot_reply_to_message',
  'restricted_action_thread_locked',
  'thread_not_found',
]);

/** In the thread of its command; in the channel where that thread takes no more. */
async function post(api: CardSyncPorts['api'], { place }: Request, message: Message): Promise<MessageRef> {
  try {
    return await api.postMessage(place.channel, message, place.thread);
  } catch (error) {
    if (place.thread === undefined) throw error;
    if (!(error instanceof SlackError) || !closedThread.has(error.slackCode)) throw error;
    return api.postMessage(place.channel, message);
  }
}

/** Pauses grow with the age of what is to be shown, so that no count needs to be kept. */
function nextTry(now: number, request: Request, error: unknown): number | undefined {
  const since = request.endedAt ?? request.startedAt ?? request.createdAt;
  const age = Math.max(0, now - since);
  if (age >= giveUpAfterMs) return undefined;
  const asked = error instanceof SlackError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return now + Math.max(asked, growingPause(age, firstPauseMs, longestPauseMs));
}

/** A link to the card of a request. Undefined where it has none yet, or Slack does not tell. Never throws. */
export async function permalink(
  api: Pick<SlackApi, 'permalink'>,
  log: Log,
  id: string,
  store: Pick<CardOutbox, 'findCard'>,
): Promise<string | undefined> {
  try {
    const card = await store.findCard(id);
    if (!card) return undefined;
    const link = await api.permalink(card);
    return /^https?:\/\/[^\s<>|()]+$/u.test(link) ? link : undefined;
  } catch (error) {
    log.warn({ err: error, requestId: id }, 'a link to a card could not be had');
    return undefined;
  }
}
