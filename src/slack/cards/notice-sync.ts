import type { Handler } from '../../due/work.ts';
import type { Due, Outcome } from '../../model/due.ts';
import type { Clock } from '../../model/ports.ts';
import { notice, type Notice, type Requests } from '../../model/requests.ts';
import type { Request } from '../../model/request.ts';
import type { Message } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import type { CardSync } from './card-sync.ts';

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
      const { requestId } = notice.parse(due.about);
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
  const told = notice.parse(due.about);
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
