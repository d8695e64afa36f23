import { APP, findPerson, SLACKBOT, TEAM } from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import { personBlocks } from '../conversations/person-blocks.ts';
import { slackFile } from '../conversations/slack-objects.ts';
import type { Workspace } from '../workspace.ts';

/** Slack omits an empty list. */
const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** A message as it appears in payloads and in conversations.history. */
export function messagePayload(workspace: Workspace, message: StoredMessage): Record<string, unknown> {
  const { user, ts, text, blocks, attachments, edited, files, reactions, tombstone } = message;
  const isApp = message.is_bot && user !== SLACKBOT;
  const shown = blocks.length > 0 || message.is_bot || text === '' ? blocks : personBlocks(text, ts);
  return {
    type: 'message',
    user,
    ts,
    text,
    team: findPerson(user)?.team_id ?? TEAM.id,
    bot_id: isApp ? APP.bot_id : undefined,
    app_id: isApp ? APP.id : undefined,
    blocks: unlessEmpty(shown),
    attachments: unlessEmpty(attachments),
    edited,
    reactions: unlessEmpty(reactions.map(({ name, users }) => ({ name, users, count: users.length }))),
    files: unlessEmpty(files)?.flatMap((id) => slackFile(workspace, id) ?? []),
    ...threadPayload(workspace, message),
    ...(tombstone && { subtype: 'tombstone', hidden: true }),
  };
}

/** A message's thread data: for a reply its parent, for a parent its replies. */
function threadPayload(workspace: Workspace, message: StoredMessage): Record<string, unknown> {
  const { channel, ts, thread_ts } = message;
  if (thread_ts === undefined) return {};
  if (thread_ts !== ts) {
    const root = workspace.history.find(channel, thread_ts);
    const shared = message.broadcast && root !== undefined;
    return {
      thread_ts,
      parent_user_id: root?.user,
      subtype: shared ? 'thread_broadcast' : undefined,
      root: shared ? messagePayload(workspace, root) : undefined,
    };
  }
  const replies = workspace.history.replies(channel, ts);
  const users = [...new Set(replies.map((reply) => reply.user))];
  return replies.length === 0
    ? { thread_ts }
    : {
        thread_ts,
        reply_count: replies.length,
        reply_users_count: users.length,
        reply_users: users.slice(0, SHOWN_REPLY_USERS),
        latest_reply: replies.at(-1)?.ts,
      };
}

/** Slack lists at most five of the people who replied. */
const SHOWN_REPLY_USERS = 5;
