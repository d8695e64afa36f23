import type { Handler } from '../../model/records/due.ts';
import { isFiring, offerKind, type OfferMessage, type Offers } from '../../model/records/offer.ts';
import type { Clock, Deliveries } from '../../model/ports.ts';
import type { MessageRef } from '../../model/values/actor.ts';
import { type Message, textMessage } from '../render/blocks.ts';
import { editOrPost } from '../web-api/deliver.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isRefusal } from '../web-api/slack-error.ts';

interface SyncPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage' | 'channel'>;
  readonly store: Pick<Offers, 'findOffer' | 'markOfferShown'> & Pick<Deliveries, 'claimOnce'>;
  readonly clock: Clock;
  /** Resolves to undefined if the message has nothing left to show. */
  readonly render: (message: OfferMessage) => Promise<Message | undefined>;
}

/** In milliseconds, between two edits of a message. Every new group of a storm changes the storm's message. */
const editPauseMs = 2_000;
const stormPauseMs = 5_000;
/** In milliseconds, between two posts of a message that Slack does not let Bellhop edit. */
const replacedPauseMs = 60_000;
/** In milliseconds. An earlier message waits this long for the newer one, to link it. */
const linkWithinMs = 60_000;

/** Keeps each offer's one message in line with the store. Each edit shows the newest state. */
export const createOfferHandler = (ports: SyncPorts): Handler => ({
  kind: offerKind,
  atOnce: 10,
  trouble: 'an alert could not be shown',
  giveUpAfterMs: 24 * 60 * 60_000,
  async handle({ key, since, claimedAt }) {
    const { store } = ports;
    const message = await store.findOffer(key);
    if (!message || message.shownVersion >= message.version) return { done: true };
    const { newer } = message.moved ?? {};
    if (message.ts !== undefined && newer && newer.ts === undefined && claimedAt - since < linkWithinMs)
      return { retryIn: editPauseMs };
    const shown = await postOrUpdate(ports, message);
    await store.markOfferShown(message, shown);
    if (message.ts === undefined && shown) await hintAtInvitation(ports, shown).catch(() => undefined);
    if (message.ts !== undefined && shown && shown.ts !== message.ts) return { againIn: replacedPauseMs };
    return { againIn: message.storm ? stormPauseMs : editPauseMs };
  },
});

const hintAgainMs = 24 * 60 * 60_000;

/**
 * The bot can post in a channel that it is not in, but gets no mentions there. The check needs `channels:read`.
 * @throws SlackError, BellhopError
 */
async function hintAtInvitation({ api, store, clock }: SyncPorts, posted: MessageRef): Promise<void> {
  const { channel, ts } = posted;
  if (!(await store.claimOnce(`mentions in ${channel}`, clock.now(), hintAgainMs))) return;
  if ((await api.channel(channel)).isMember !== false) return;
  const text =
    'Bellhop is not in this channel. Buttons work, but mentions do nothing until you type “/invite @Bellhop”.';
  await api.postMessage(channel, textMessage(text, []), ts);
}

async function postOrUpdate(ports: SyncPorts, due: OfferMessage): Promise<MessageRef | undefined> {
  const { api, render } = ports;
  const message = await render(due);
  const { channel, ts, moved } = due;
  if (!message) return undefined;
  // A deleted message is posted again only while one of its alerts fires, one that can't be edited also later.
  return editOrPost(api, ts === undefined ? undefined : { channel, ts }, message, async (refusal) =>
    ts === undefined || isFiring(due) || !(moved !== undefined || isRefusal(refusal, 'message_not_found'))
      ? api.postMessage(channel, message)
      : undefined,
  );
}
