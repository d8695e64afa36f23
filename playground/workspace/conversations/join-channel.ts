import { tellJoined } from '../dispatch/message-events.ts';
import type { Workspace } from '../workspace.ts';
import type { Conversation } from './directory.ts';

/** The app comes into a channel, by itself or because somebody invited it. Everybody in it sees that. */
export function joinChannel(workspace: Workspace, conversation: Conversation, inviter?: string): void {
  const { id, kind, name, topic, members } = conversation;
  workspace.joined.add(id);
  workspace.bus.publish(
    { type: 'channel', channel: { id, kind, name, topic, bot_is_member: true } },
    { users: members },
  );
  tellJoined(workspace, conversation, inviter);
}
