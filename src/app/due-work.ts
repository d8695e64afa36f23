import type { Handler } from '../model/records/due.ts';
import type { DueQueue } from '../due/queue.ts';
import type { Context, Log, RunnerContext, Sources } from '../model/ports.ts';
import { createDeadlineHandler } from '../request/deadline.ts';
import { createApproversHandler } from '../request/further-approvers.ts';
import { createWatchHandler } from '../request/outcome/watch.ts';
import { createCardSync, permalink } from '../slack/cards/card-sync.ts';
import { createNoticeHandler } from '../slack/cards/notice.ts';
import { draftLines, linesOn, recentLines } from '../slack/cards/card-lines.ts';
import { cardLinesOf, lists, offerPartsOf } from '../features/index.ts';
import type { Message } from '../slack/render/blocks.ts';
import type { Request } from '../model/records/request.ts';
import { cardRenderer } from '../slack/cards/render-card.ts';
import { type Inbox, createInterruptionHandler } from '../slack/receive/inbox.ts';
import type { Store } from '../store/store.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Endpoints } from './endpoints.ts';
import { systemClock } from './process/this-process.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import { createOfferHandler } from '../slack/messages/offer-sync.ts';
import { createReplyHandler } from '../slack/messages/replies.ts';
import { standingNow } from '../policy/standing.ts';
import type { OfferMessage } from '../model/records/offer.ts';

interface ShownParts extends Pick<Context, 'registry' | 'rulebook'> {
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly log: Log;
  readonly endpoints: Pick<Endpoints, 'disclaimers'>;
  readonly inbox: Inbox;
  readonly sources: Sources;
  readonly rules: { readonly announcements: Handler };
}

export function keepMessages(queue: DueQueue, shown: ShownParts): Pick<SlackContext, 'cards' | 'beside'> {
  const { endpoints, slack, store, inbox, log, registry, rulebook, sources, rules } = shown;
  const { disclaimers } = endpoints;
  const { answers, background: api } = slack.lanes;
  const parts = { api, store, clock: systemClock, log };
  const card = cardRenderer({ registry, rulebook, disclaimers, cardExtras: lists.cardExtras });
  const known = { store, rulebook, registry };
  const { restrictions } = lists;
  const standing = (request: Request) => standingNow({ ...known, clock: systemClock, restrictions }, request);
  const linkTo = (request: Request) => permalink(answers, log, request, store);
  const linked = { ...known, linkTo };
  const others = [recentLines(linked), ...cardLinesOf(known)];
  const beside = linesOn({ standing, draft: draftLines(linked), others }, store, log, linkTo);
  const render = async (request: Request, unanswered: boolean) =>
    card(request, { unanswered, ...(await beside(request)) });
  const cards = createCardSync({ ...parts, answers, queue, render });
  const inFlight = (key: string): boolean => inbox.inFlight(key);
  queue.handle(
    cards.handler,
    createNoticeHandler({ ...parts, cards, registry, rulebook, sources, disclaimers }),
    createInterruptionHandler({ inFlight, api, log, disclaimers }),
    createReplyHandler({ api, disclaimers }),
    rules.announcements,
  );
  return { cards, beside };
}

export function keepTime(queue: DueQueue, context: RunnerContext): void {
  queue.handle(createDeadlineHandler(context), createApproversHandler(context), createWatchHandler(context));
}

export function keepOffers(
  queue: DueQueue,
  context: SlackContext,
  { store, slack }: Pick<ShownParts, 'store' | 'slack'>,
): void {
  const api = slack.lanes.background;
  const ports = { ...context, api, store };
  const parts = offerPartsOf(ports);
  const render = async (message: OfferMessage): Promise<Message | undefined> => {
    const kind = context.offers.find(({ owns }) => owns(message.source));
    const drawn = await kind?.render(ports, message);
    if (!drawn) return undefined;
    const added = await Promise.all(parts.map((part) => part(message, drawn)));
    return { ...drawn, blocks: [...drawn.blocks, ...added.flat()] };
  };
  queue.handle(createOfferHandler({ api, store, clock: context.clock, render }));
}
