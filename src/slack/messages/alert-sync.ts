import type { Handler } from '../../model/records/due.ts';
import {
  alertKind,
  type AlertMessage,
  type Alerts,
  isFiring,
  type Suggestions,
} from '../../model/records/alert.ts';
import { stateWord } from '../../model/records/request.ts';
import type { Outbox, Requests } from '../../model/records/requests.ts';
import type { Clock, Deliveries } from '../../model/ports.ts';
import type { MessageRef } from '../../model/values/actor.ts';
import { textMessage } from '../render/blocks.ts';
import { editOrPost } from '../web-api/deliver.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isRefusal } from '../web-api/slack-error.ts';
import type { RenderAlert } from './render-alert.ts';

interface AlertPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage' | 'channel' | 'permalink'>;
  readonly store: Pick<Alerts, 'findAlertMessage' | 'markAlertShown'> &
    Pick<Deliveries, 'claimOnce'> &
    Pick<Suggestions, 'findSuggestion'> &
    Pick<Requests, 'find'> &
    Pick<Outbox, 'findCard'>;
  readonly clock: Clock;
  readonly render: RenderAlert;
}

/** In milliseconds. The shortest times between two edits of a message, because a storm changes its message with every alert. */
const editPauseMs = 2_000;
const stormPauseMs = 5_000;
/** In milliseconds. The shortest time between two messages of which Slack took no edit. */
const replacedPauseMs = 60_000;

/**
 * Keeps each alert message in line with the store. A message is posted once, then edited to the newest state, without a queue of
 * edits.
 */
export const createAlertHandler = (ports: AlertPorts): Handler => ({
  kind: alertKind,
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
    if (message.ts !== undefined && shown && shown.ts !== message.ts) return { againIn: replacedPauseMs };
    return { againIn: message.storm ? stormPauseMs : editPauseMs };
  },
});

const hintAgainMs = 24 * 60 * 60_000;

/**
 * Posts a hint under the first alert in a channel that the bot is not in. The bot can post in such a channel, but gets no
 * mentions. The check needs a token with `channels:read`.
 * @throws SlackError, BellhopError
 */
async function hintAtInvitation({ api, store, clock }: AlertPorts, posted: MessageRef): Promise<void> {
  const { channel, ts } = posted;
  if (!(await store.claimOnce(`mentions in ${channel}`, clock.now(), hintAgainMs))) return;
  if ((await api.channel(channel)).isMember !== false) return;
  const text =
    'Bellhop is not in this channel. Buttons work, but mentions do nothing until you type “/invite @Bellhop”.';
  await api.postMessage(channel, textMessage(text, []), ts);
}

/** Resolves to undefined if there is nothing to show any more. */
async function postOrUpdate(ports: AlertPorts, due: AlertMessage): Promise<MessageRef | undefined> {
  const { api, render } = ports;
  const message = render(await withPrevious(ports, due));
  const { channel, ts, moved } = due;
  if (!message) return undefined;
  // A deleted message is posted again if alerts are still firing. A message that can't be edited also when they end.
  return editOrPost(api, ts === undefined ? undefined : { channel, ts }, message, async (refusal) =>
    ts === undefined || isFiring(due) || !(moved !== undefined || isRefusal(refusal, 'message_not_found'))
      ? api.postMessage(channel, message)
      : undefined,
  );
}

/** Adds the outcome of the last suggestion like this one, and a link to its card or its own message. */
async function withPrevious({ api, store }: AlertPorts, due: AlertMessage): Promise<AlertMessage> {
  const { group, hook } = due;
  const suggestion = group?.content.suggestion;
  const { previous } = suggestion ?? {};
  if (!group || !suggestion || previous?.id === undefined) return due;
  const { id, requestId } = previous;
  const request = requestId === undefined ? undefined : await store.find(requestId);
  const shown = (request && (await store.findCard(request.id))) ?? (await store.findSuggestion(hook, id));
  const link =
    shown?.ts === undefined
      ? undefined
      : await api.permalink({ channel: shown.channel, ts: shown.ts }).catch(() => undefined);
  const known = { ...previous, outcome: request && stateWord(request), link };
  return {
    ...due,
    group: { ...group, content: { ...group.content, suggestion: { ...suggestion, previous: known } } },
  };
}
