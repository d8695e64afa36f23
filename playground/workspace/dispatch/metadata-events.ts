import { isDeepStrictEqual } from 'node:util';
import { APP, TEAM, type Conversation } from '../conversations/directory.ts';
import type { Metadata } from '../conversations/history.ts';
import type { Workspace } from '../workspace.ts';
import { sendEvent } from './events.ts';

interface MetadataChange {
  readonly now?: Metadata | undefined;
  readonly before?: Metadata | undefined;
}

/**
 * Events for posted, changed or deleted message metadata, for apps that subscribe to its type.
 * Source: docs.slack.dev/reference/events/message_metadata_posted, and its neighbours.
 */
export function tellMetadata(
  workspace: Workspace,
  place: Conversation,
  message_ts: string,
  { now, before }: MetadataChange,
): void {
  const kind = (now ?? before)?.event_type;
  const isWanted = workspace.manifest.metadataSubscriptions.some(
    ({ app_id, event_type }) => (app_id === '*' || app_id === APP.id) && event_type === kind,
  );
  if (!isWanted || isDeepStrictEqual(now, before)) return;
  const what = now === undefined ? 'deleted' : before === undefined ? 'posted' : 'updated';
  const event_ts = workspace.ids.ts(workspace.clock.now());
  const type = `message_metadata_${what}`;
  const event = {
    type,
    app_id: APP.id,
    bot_id: APP.bot_id,
    user_id: APP.user_id,
    team_id: TEAM.id,
    channel_id: place.id,
    metadata: now,
    previous_metadata: before,
    message_ts,
    deleted_ts: now === undefined ? event_ts : undefined,
    event_ts,
  };
  sendEvent(workspace, type, event, place.shared);
}
