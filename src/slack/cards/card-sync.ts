import type { BackgroundTasks } from '../../core/background-tasks.ts';
import type { Clock, Log, Messages, Store } from '../../core/model/ports.ts';
import type { Card, Request } from '../../core/request/request.ts';
import type { Message } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';

/** What a card's store needs to offer. */
type CardStore = Pick<Store, 'find' | 'claimStaleCards' | 'markCardShown' | 'markCardFailed'>;

/** What keeping cards needs of Slack. */
type CardApi = Pick<SlackApi, 'postMessage' | 'updateMessage' | 'deleteMessage'>;

interface CardSyncPorts {
  readonly api: CardApi;
  readonly store: CardStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly backgroundTasks: BackgroundTasks;
  readonly render: (request: Request) => Message;
}

export interface CardSync extends Pick<Messages, 'changed'> {
  /** Resolves when nothing of the request is being shown; to the error where its newest state could not be. */
  shown(id: string): Promise<unknown>;
  /** A card was found whose posting nobody could record any more: it is the request's, unless that has another. */
  adopt(id: string, found: Card): Promise<void>;
  /** Takes away a second card, posted because Slack's answer to the first post got lost. */
  removeStray(stray: Card): Promise<void>;
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

/**
 * Keeps each request's one message like its row: posts it, then edits it. Not a queue of edits but the newest state,
 * so order cannot be lost; what could not be shown is found again in the store, by any replica, for 24 hours.
 */
export function createCardSync(ports: CardSyncPorts): CardSync {
  const { store, clock, log, backgroundTasks } = ports;
  const newest = new Map<string, Request>();
  const working = new Map<string, Promise<unknown>>();

  // Looking for a newer state and leaving are one turn: nobody's newer state comes in between and is left waiting.
  const work = async (id: string): Promise<unknown> => {
    let failure: unknown;
    for (let next = newest.get(id); next; next = newest.get(id)) {
      newest.delete(id);
      failure = await showOne(ports, next, (again) => newest.set(id, newest.get(id) ?? again)).catch(
        (error: unknown) => {
          log.error({ err: error, requestId: id }, 'a card could not be kept');
          return error;
        },
      );
    }
    working.delete(id);
    return failure;
  };

  const changed = (request: Request): void => {
    const waiting = newest.get(request.id);
    if (!waiting || waiting.version < request.version) newest.set(request.id, request);
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
    changed,
    shown: async (id) => working.get(id),
    async adopt(id, found) {
      await store.markCardShown(id, neverShown, found);
    },
    removeStray: (stray) => ports.api.deleteMessage(stray),
    async reconcile() {
      for (const request of await store.claimStaleCards(clock.now(), claimMs, claimedAtOnce))
        changed(request);
    },
  };
}

/** Shows one version. Resolves to the error where it could not be shown; the store knows when to try again. */
async function showOne(
  { api, store, clock, log, render }: CardSyncPorts,
  request: Request,
  again: (newer: Request) => void,
): Promise<unknown> {
  try {
    const card = request.card ?? (await store.find(request.id))?.card;
    const shown = await postOrUpdate(api, card, request, render(request));
    if (await store.markCardShown(request.id, request.version, shown)) return undefined;
    const current = await store.find(request.id);
    if (current) again(current);
    return undefined;
  } catch (error) {
    const retryAt = nextTry(clock.now(), request, error);
    log.warn({ err: error, requestId: request.id, retryAt }, 'a card could not be shown');
    await store.markCardFailed(request.id, retryAt);
    return error;
  }
}

async function postOrUpdate(
  api: CardApi,
  card: Card | undefined,
  request: Request,
  message: Message,
): Promise<Card> {
  if (!card) return api.postMessage(request.place.channel, message);
  try {
    await api.updateMessage(card, message);
    return card;
  } catch (error) {
    // Somebody deleted the card: what came of the request must still be told.
    if (!(error instanceof SlackError) || error.slackCode !== 'message_not_found') throw error;
    return api.postMessage(request.place.channel, message);
  }
}

/** Pauses grow with the age of what is to be shown, so that no count needs to be kept. */
function nextTry(now: number, request: Request, error: unknown): number | undefined {
  const since = request.endedAt ?? request.startedAt ?? request.createdAt;
  const age = Math.max(0, now - since);
  if (age >= giveUpAfterMs) return undefined;
  const asked = error instanceof SlackError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return now + Math.max(asked, Math.min(Math.max(age / 2, firstPauseMs), longestPauseMs));
}
