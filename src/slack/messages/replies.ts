import { z } from 'zod';

import { type DueDraft, dueKind, type Handler } from '../../model/records/due.ts';
import { textMessage } from '../render/blocks.ts';
import type { SlackApi } from '../web-api/slack-api.ts';

const replyKind = dueKind('reply');

const reply = z.object({
  channel: z.string(),
  ts: z.string(),
  /** Mrkdwn. */
  text: z.string(),
});
export type Reply = Readonly<z.output<typeof reply>>;

/** Posts in the thread of a message, at `at`. A later draft with the same key replaces an earlier one. */
export const replyDue = (key: string, at: number, about: Reply): DueDraft => ({
  kind: replyKind,
  key,
  at,
  about,
});

/** Withdraws the reply with this key, unless it is already posted. */
export const noReply = (key: string): DueDraft => ({ kind: replyKind, key, at: undefined, ends: true });

interface ReplyPorts {
  readonly api: Pick<SlackApi, 'postMessage'>;
  readonly disclaimers: readonly string[];
}

export const createReplyHandler = ({ api, disclaimers }: ReplyPorts): Handler => ({
  kind: replyKind,
  atOnce: 10,
  trouble: 'a reply could not be posted',
  giveUpAfterMs: 24 * 60 * 60_000,
  byClock: true,
  async handle({ about }) {
    const { channel, ts, text } = reply.parse(about);
    await api.postMessage(channel, textMessage(text, disclaimers), ts);
    return { done: true };
  },
});
