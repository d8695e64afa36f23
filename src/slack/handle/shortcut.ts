import type { MessageShortcut } from '@slack/bolt';

import { openRunOnThis } from '../forms/run-on-this.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { Sender } from '../receive/payloads.ts';
import { callerOf, type Recipient, type SlackContext } from '../messages/context.ts';
import { refusePrivately } from './reply.ts';

/** The message shortcut, after it was acknowledged: opens a form about what the message names. */
export async function handleShortcut(
  context: SlackContext,
  { message, trigger_id: triggerId }: MessageShortcut,
  sender: Sender,
  accepted: AcceptedDelivery,
): Promise<void> {
  const caller = callerOf(context, sender, accepted);
  const opensThread = message.thread_ts === undefined || message.reply_count === 0;
  const recipient: Recipient = { caller, responseUrl: sender.responseUrl, opensThread };
  try {
    await openRunOnThis(context, recipient, triggerId, wordsOf(message));
  } catch (error) {
    await refusePrivately(context, recipient, error);
  }
}

/** What a message is read by: these members of it, of its blocks and of its attachments. */
const readMembers: ReadonlySet<string> = new Set([
  'text',
  'title',
  'title_link',
  'pretext',
  'fallback',
  'fields',
  'value',
  'footer',
  'url',
  'blocks',
  'attachments',
  'elements',
  'rows',
  'accessory',
]);
/** In UTF-16 units: what stands behind it names nothing. */
const mostText = 20_000;
const mostDepth = 12;

/** All text in a message, whoever wrote it; each piece on a line of its own. */
export function wordsOf(message: object): string {
  const pieces: string[] = [];
  let room = mostText;
  const collect = (value: unknown, depth: number): void => {
    if (room <= 0 || depth > mostDepth) return;
    if (typeof value === 'string') {
      pieces.push(value.slice(0, room));
      room -= value.length + 1;
    } else if (Array.isArray(value)) for (const item of value) collect(item, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value))
        if (readMembers.has(name)) collect(member, depth + 1);
  };
  collect(message, 0);
  return pieces.join('\n');
}
