import type { Handler } from '../../due/work.ts';
import { type Waiting, waiting } from '../../model/outbox.ts';
import type { Log } from '../../model/ports.ts';
import { contextBlock, type Message, section, noticeLines } from '../render/blocks.ts';
import { holdMs } from './inbox.ts';
import { sendPrivately, type PrivateApi } from '../web-api/send-privately.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { slackTime } from '../render/text.ts';

interface NotifierPorts {
  /** This process is at work on it. */
  readonly inFlight: (key: string) => boolean;
  readonly api: PrivateApi;
  readonly log: Log;
  readonly notices: readonly string[];
}

/**
 * Notifies the people whose payloads a process acknowledged and died over. Such a payload is not handled again: a button
 * that was clicked a while ago must not act now.
 */
export const createInterruptionHandler = ({ inFlight, api, log, notices }: NotifierPorts): Handler => ({
  atOnce: 10,
  trouble: 'interruption notice not delivered',
  byClock: true,
  renewed: true,
  async handle({ key, about, since, claimedAt }) {
    // After the clock was set back its process has to renew it first.
    if (inFlight(key) || since > claimedAt) return { againIn: holdMs };
    const waits = waiting.parse(about);
    try {
      await sendPrivately(api, { ...waits, user: waits.actor.user }, interruption(waits, notices));
    } catch (error) {
      if (error instanceof SlackError && error.retryable) throw error;
      log.warn({ err: error }, 'interruption notice not delivered');
    }
    return { done: true };
  },
});

/** This process knows only that another fell silent over it, and not how far that had come. */
function interruption({ what, at }: Waiting, notices: readonly string[]): Message {
  const text =
    `⏳ Bellhop was interrupted while handling ${what} from ${slackTime(at)}, so it may or may not have run. ` +
    'Before you try again, look for its card or reply, and check the target.';
  return {
    text,
    blocks: [section(text), ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))])],
  };
}
