import { growingPause } from '../../request/steps/growing-pause.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { Notice, Requests } from '../../model/requests.ts';
import type { Request } from '../../model/request.ts';
import type { Message } from '../render/blocks.ts';
import type { MessageRef } from '../../model/outbox.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isHeldBack, SlackError } from '../web-api/slack-error.ts';

/** What is to be told to those who wait, until it stands in Slack. */
interface NoticeOutbox extends Pick<Requests, 'find'> {
  /** Those that are due, claimed for `claimMs`, oldest first. */
  claimNotices(now: number, claimMs: number, limit: number): Promise<readonly Notice[]>;
  /** It is tried again at `againAt`; undefined: it stands in Slack, or is told no more. */
  settleNotice(told: Notice, againAt: number | undefined): Promise<void>;
  /** Where the card of a request is; undefined before it was posted. */
  findCard(id: string): Promise<MessageRef | undefined>;
}

interface NoticeSyncPorts {
  readonly api: Pick<SlackApi, 'postMessage'>;
  readonly store: NoticeOutbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly render: (notice: Notice, request: Request) => Message;
}

export interface NoticeSync {
  /** Tells what is due, each in the thread that its card is in, else in one under it. Called about once a second. */
  reconcile(): Promise<void>;
}

const atOnce = 10;
/** They are told one after another, each in one call to Slack of at most 10 s. */
const claimMs = atOnce * 10_000 + 10_000;
const giveUpAfterMs = 24 * 60 * 60_000;
const firstPauseMs = 2000;
const longestPauseMs = 5 * 60_000;

/** Replies to cards, since an edit of one notifies nobody. Each is tried until it stands there, for 24 hours. */
export function createNoticeSync(ports: NoticeSyncPorts): NoticeSync {
  const { store, clock } = ports;
  return {
    async reconcile() {
      const postponed = new Set<string>();
      for (const due of await store.claimNotices(clock.now(), claimMs, atOnce)) {
        const againAt = postponed.has(due.requestId) ? clock.now() + firstPauseMs : await tell(ports, due);
        if (againAt !== undefined) postponed.add(due.requestId);
        await store.settleNotice(due, againAt);
      }
    },
  };
}

/** Resolves to when it is tried again; undefined where it was told, or is told no more. */
async function tell(
  { api, store, clock, log, render }: NoticeSyncPorts,
  due: Notice,
): Promise<number | undefined> {
  const age = clock.now() - due.at;
  const next = clock.now() + growingPause(age, firstPauseMs, longestPauseMs);
  try {
    const request = await store.find(due.requestId);
    if (!request || isOver(due, request) || age >= giveUpAfterMs) return undefined;
    const card = await store.findCard(due.requestId);
    if (!card) return next;
    await api.postMessage(card.channel, render(due, request), card.thread ?? card.ts);
    return undefined;
  } catch (error) {
    if (!isHeldBack(error))
      log.warn({ err: error, requestId: due.requestId, kind: due.kind }, 'a notice could not be posted');
    const asked = error instanceof SlackError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    return Math.max(next, clock.now() + asked);
  }
}

/** Nobody is asked for an approval that is no longer needed. */
const isOver = ({ kind }: Notice, { state }: Request): boolean =>
  (kind === 'waiting' || kind === 'reminder') && state !== 'awaiting approval';
