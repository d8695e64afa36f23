import type { Handler } from '../../due/work.ts';
import { type AlertMessage, type Alerts, isFiring, type AlertOutbox } from '../../model/alert.ts';
import type { Clock, Deliveries } from '../../model/ports.ts';
import type { MessageRef } from '../../model/actor.ts';
import { section } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';
import type { RenderAlert } from './render-alert.ts';

interface AlertPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage' | 'channel'>;
  readonly store: Pick<Alerts, 'findAlertMessage'> & AlertOutbox & Pick<Deliveries, 'claimOnce'>;
  readonly clock: Clock;
  readonly render: RenderAlert;
}

/** Between two edits of a message: one about a storm changes with every alert. */
const editPauseMs = 2_000;
const stormPauseMs = 5_000;

/** Keeps each message about alerts like what is stored: posted once, then edited, the newest state and no queue of edits. */
export const createAlertHandler = (ports: AlertPorts): Handler => ({
  atOnce: 10,
  trouble: 'an alert could not be shown',
  giveUpAfterMs: 24 * 60 * 60_000,
  async handle({ key }) {
    const { store } = ports;
    const message = await store.findAlertMessage(key);
    if (!message || message.shownVersion >= message.version) return { done: true };
    const shown = await postOrUpdate(ports, message);
    await store.markAlertShown(message, shown);
    if (message.ts === undefined && shown) await hintAtInvitation(ports, shown).catch(() => undefined);
    return { againIn: message.storm ? stormPauseMs : editPauseMs };
  },
});

const hintAgainMs = 24 * 60 * 60_000;

/**
 * Under the first alert of a channel in which mentions do nothing, because the bot may post there without being in it.
 * Slack tells that to a token with `channels:read`; nothing is said without. @throws SlackError, BellhopError
 */
async function hintAtInvitation({ api, store, clock }: AlertPorts, posted: MessageRef): Promise<void> {
  const { channel, ts } = posted;
  if (!(await store.claimOnce(`mentions in ${channel}`, clock.now(), hintAgainMs))) return;
  if ((await api.channel(channel)).isMember !== false) return;
  const text = 'Bellhop is not in this channel, so mentions do nothing here: invite it. Buttons work.';
  await api.postMessage(channel, { text, blocks: [section(text)] }, ts);
}

/** Undefined where there is nothing to show any more. */
async function postOrUpdate({ api, render }: AlertPorts, due: AlertMessage): Promise<MessageRef | undefined> {
  const message = render(due);
  const { channel, ts } = due;
  if (!message) return undefined;
  if (ts === undefined) return api.postMessage(channel, message);
  const posted = { channel, ts };
  try {
    await api.updateMessage(posted, message);
    return posted;
  } catch (error) {
    if (!(error instanceof SlackError) || error.slackCode !== 'message_not_found') throw error;
    // Somebody deleted it: what still fires is told of again, what is over is not.
    return isFiring(due) ? api.postMessage(channel, message) : undefined;
  }
}
