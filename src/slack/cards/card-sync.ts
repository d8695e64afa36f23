import type { DueQueue } from '../../due/queue.ts';
import { answeredWithinMs, cardKind, type Handler, type Outcome, ownerMs } from '../../model/records/due.ts';
import type { MessageRef } from '../../model/values/actor.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { FinishedDue, Outbox, Requests } from '../../model/records/requests.ts';
import type { Request } from '../../model/records/request.ts';
import { hasParts } from '../../model/records/whole.ts';
import type { Message } from '../render/blocks.ts';
import { editOrPost } from '../web-api/deliver.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isRefusal } from '../web-api/slack-error.ts';

interface CardSyncPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage' | 'deleteMessage'>;
  readonly answers: Pick<SlackApi, 'permalink'>;
  readonly store: Pick<Requests, 'find'> & Pick<Outbox, 'findCard' | 'markCardShown'>;
  readonly queue: Pick<DueQueue, 'now' | 'handled' | 'wake'>;
  readonly clock: Clock;
  readonly log: Log;
  /** @param unanswered whether the service has not answered for longer than usual */
  readonly render: (request: Request, unanswered: boolean) => Message | Promise<Message>;
}

export type CardSync = ReturnType<typeof createCardSync>;

const neverShown = 0;

const giveUpAfterMs = 24 * 60 * 60_000;

/**
 * Keeps each request's one message in line with its row. Each edit shows the newest state, so edits can't arrive out of order. A card that
 * could not be shown stays due in the store for 24 hours, for any replica.
 */
export function createCardSync(ports: CardSyncPorts) {
  const { store, queue, clock, log } = ports;
  /** By request id: the newest step of this process that is not shown yet. Its row need not be read again. */
  const newest = new Map<string, Request>();
  const take = (id: string): Request | undefined => {
    const known = newest.get(id);
    newest.delete(id);
    return known;
  };
  return {
    changed(request: Request): void {
      const { id, version, partOf } = request;
      if (hasParts(request) || partOf !== undefined) queue.wake();
      // A part is shown on the card of its whole.
      if (partOf !== undefined) return;
      if ((newest.get(id)?.version ?? 0) < version) newest.set(id, request);
      if (!queue.now({ kind: cardKind, key: id, version })) newest.delete(id);
    },
    link: (request: Pick<Request, 'id' | 'card' | 'partOf'>) => permalink(ports.answers, log, request, store),
    /** Resolves once no edit is in flight: to the error if the newest state could not be shown. */
    shown: (id: string): Promise<unknown> => queue.handled(cardKind, id),
    /** Adopts a card whose posting was not recorded, unless the request has another card. */
    async adopt({ id, card }: Request, found: MessageRef): Promise<void> {
      if (!card) await store.markCardShown(id, neverShown, found);
    },
    /** Removes a second card, which was posted because Slack's answer to the first post was lost. Never throws. */
    async removeIfStray({ id, card }: Request, found: MessageRef): Promise<void> {
      try {
        if (card && card.ts !== found.ts) await ports.api.deleteMessage(found);
      } catch (error) {
        log.warn({ err: error, requestId: id }, 'a second card could not be removed');
      }
    },
    handler: {
      kind: cardKind,
      atOnce: 20,
      trouble: 'a card could not be shown',
      giveUpAfterMs,
      async handle(due) {
        const { key } = due;
        const taken = take(key);
        const isNew = taken?.version === 1 && clock.now() - taken.createdAt < ownerMs;
        // The row in memory may not have its card yet.
        const card = isNew ? undefined : (taken?.card ?? (taken && (await store.findCard(key))));
        let request = taken ? { ...taken, card } : await store.find(key);
        while (request) {
          const running = request.state === 'running' && request.outcome?.tasks === undefined;
          const waitedMs = clock.now() - (request.startedAt ?? 0);
          const unanswered = running && waitedMs >= answeredWithinMs;
          const shown = await postOrUpdate(ports, request, await ports.render(request, unanswered));
          // The card is already due again after `answeredWithinMs`, since the change started.
          if (running && !unanswered && !hasParts(request) && taken?.card?.ts === shown.ts) {
            request = newest.has(key) ? undefined : await endedMeanwhile(store, key);
            if (request) continue;
            return { recorded: true };
          }
          // If another replica has shown a newer version, this edit may have overwritten the newer card.
          const outcome: Outcome =
            running && !unanswered ? { againIn: answeredWithinMs - waitedMs } : { done: true };
          const finished = { due, outcome, now: clock.now() };
          request = await recordShown(store, request, shown, finished);
          if (!request) return { recorded: true };
        }
        return { done: true };
      },
    } satisfies Handler,
  };
}

/**
 * Resolves to the request if its card does not show the newest version yet. The finished work may belong to a later version than the one
 * shown, so the row is read again.
 */
async function recordShown(
  store: CardSyncPorts['store'],
  { id, version }: Request,
  shown: MessageRef,
  finished: FinishedDue,
): Promise<Request | undefined> {
  const isShown = await store.markCardShown(id, version, shown, finished);
  if (isShown && finished.due.version <= version) return undefined;
  const current = await store.find(id);
  return isShown && current?.version === version ? undefined : current;
}

/** Resolves to the request if another process has ended it since it was shown as running. */
async function endedMeanwhile(store: Pick<Requests, 'find'>, id: string): Promise<Request | undefined> {
  const current = await store.find(id);
  return current?.state === 'running' ? undefined : current;
}

/** If the card was deleted or can't be edited, posts a new one. */
const postOrUpdate = (ports: CardSyncPorts, request: Request, message: Message): Promise<MessageRef> =>
  editOrPost(ports.api, request.card, message, async () => {
    const card = request.card && (await ports.store.findCard(request.id));
    return card && card.ts !== request.card?.ts
      ? postOrUpdate(ports, { ...request, card }, message)
      : post(ports.api, request, message);
  });

const closedThread = ['cannot_reply_to_message', 'restricted_action_thread_locked', 'thread_not_found'];

/** Posts the card in the thread of its command, or in the channel if that thread accepts no replies. */
async function post(api: CardSyncPorts['api'], { place }: Request, message: Message): Promise<MessageRef> {
  try {
    return await api.postMessage(place.channel, message, place.thread);
  } catch (error) {
    if (place.thread === undefined || !isRefusal(error, ...closedThread)) throw error;
    return api.postMessage(place.channel, message);
  }
}

/** Resolves to undefined if there is no card yet, or if Slack does not answer. Never throws. */
export async function permalink(
  api: Pick<SlackApi, 'permalink'>,
  log: Log,
  request: Pick<Request, 'id' | 'card' | 'partOf'>,
  store: Pick<Outbox, 'findCard'>,
): Promise<string | undefined> {
  const { id } = request;
  try {
    const card = request.card ?? (await store.findCard(request.partOf ?? id));
    if (!card) return undefined;
    const link = await api.permalink(card);
    return /^https?:\/\/[^\s<>|()]+$/u.test(link) ? link : undefined;
  } catch (error) {
    log.warn({ err: error, requestId: id }, 'no link to a card');
    return undefined;
  }
}
