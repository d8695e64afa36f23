import { growingPause } from '../../request/steps/growing-pause.ts';
import { type AlertMessage, isFiring } from '../../model/alert.ts';
import type { Clock, Log } from '../../model/ports.ts';
import { section } from '../render/blocks.ts';
import type { MessageRef } from '../../model/outbox.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isHeldBack, SlackError } from '../web-api/slack-error.ts';
import type { RenderAlert } from './render-alert.ts';

/** The messages about alerts that are to be shown. */
interface AlertOutbox {
  /** Those that are behind and due, claimed for `claimMs`, oldest first. */
  claimAlertMessages(now: number, claimMs: number, limit: number): Promise<readonly AlertMessage[]>;
  /** It shows its version where it stands, or is shown no more where undefined; not edited again before `againAt`. */
  markAlertShown(message: AlertMessage, shown: MessageRef | undefined, againAt: number): Promise<void>;
  /** It could not be shown; tried again at `retryAt`, or at its next change where undefined. */
  markAlertFailed(id: string, retryAt: number | undefined): Promise<void>;
  /** True for one replica within `keepMs`. */
  claimOnce(key: string, now: number, keepMs: number): Promise<boolean>;
}

interface AlertSyncPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage' | 'channel'>;
  readonly store: AlertOutbox;
  readonly clock: Clock;
  readonly log: Log;
  readonly render: RenderAlert;
}

export interface AlertSync {
  /** Shows what changed. Called about once a second. */
  reconcile(): Promise<void>;
}

const atOnce = 10;
/** They are shown one after another, each in at most two calls to Slack of at most 10 s. */
const claimMs = atOnce * 20_000 + 10_000;
/** Between two edits of a message: one about a storm changes with every alert. */
const editPauseMs = 2_000;
const stormPauseMs = 5_000;
const giveUpAfterMs = 24 * 60 * 60_000;
const firstPauseMs = 2_000;
const longestPauseMs = 5 * 60_000;

/** Keeps each message about alerts like what is stored: posted once, then edited, the newest state and no queue of edits. */
export function createAlertSync(ports: AlertSyncPorts): AlertSync {
  const { store, clock } = ports;
  return {
    async reconcile() {
      for (const due of await store.claimAlertMessages(clock.now(), claimMs, atOnce)) await show(ports, due);
    },
  };
}

async function show(ports: AlertSyncPorts, due: AlertMessage): Promise<void> {
  const { store, clock, log } = ports;
  try {
    const shown = await postOrUpdate(ports, due);
    await store.markAlertShown(due, shown, clock.now() + (due.storm ? stormPauseMs : editPauseMs));
    if (due.ts === undefined && shown) await hintAtInvitation(ports, shown).catch(() => undefined);
  } catch (error) {
    const retryAt = nextTry(clock.now(), due, error);
    const { hook, channel, id } = due;
    if (!isHeldBack(error))
      log.warn({ err: error, hook, channel, alertMessage: id, retryAt }, 'an alert could not be shown');
    await store.markAlertFailed(id, retryAt);
  }
}

const hintAgainMs = 24 * 60 * 60_000;

/**
 * Under the first alert of a channel in which mentions do nothing, because the bot may post there without being in it.
 * Slack tells that to a token with `channels:read`; nothing is said without. @throws SlackError, BellhopError
 */
async function hintAtInvitation({ api, store, clock }: AlertSyncPorts, posted: MessageRef): Promise<void> {
  const { channel, ts } = posted;
  if (!(await store.claimOnce(`mentions in ${channel}`, clock.now(), hintAgainMs))) return;
  if ((await api.channel(channel)).isMember !== false) return;
  const text = 'Bellhop is not in this channel, so mentions do nothing here: invite it. Buttons work.';
  await api.postMessage(channel, { text, blocks: [section(text)] }, ts);
}

/** Undefined where there is nothing to show any more. */
async function postOrUpdate(
  { api, render }: AlertSyncPorts,
  due: AlertMessage,
): Promise<MessageRef | undefined> {
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

/** When Slack says, where it does; else pauses grow with the age of the message, so that no count needs to be kept. */
function nextTry(now: number, { openedAt }: AlertMessage, error: unknown): number | undefined {
  const age = Math.max(0, now - openedAt);
  if (age >= giveUpAfterMs) return undefined;
  const asked = error instanceof SlackError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return now + Math.max(asked * 1000, firstPauseMs);
  return now + growingPause(age, firstPauseMs, longestPauseMs);
}
