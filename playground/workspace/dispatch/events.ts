import { grantedScopes, type Workspace } from '../workspace.ts';
import { eventPayload } from './payloads.ts';

/** An app can subscribe to these only with the scope. Source: docs.slack.dev/reference/events. */
const SCOPES: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.im': 'im:history',
  member_joined_channel: 'channels:read',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
  message_metadata_posted: 'metadata.message:read',
  message_metadata_updated: 'metadata.message:read',
  message_metadata_deleted: 'metadata.message:read',
};

/**
 * Sends an event, if the manifest subscribes to it and has the scope for it. @param name as in the manifest,
 * `message.im` @param shared whether it happened in a channel shared with another organization
 */
export function sendEvent(
  workspace: Workspace,
  name: string,
  event: Record<string, unknown>,
  shared = false,
): void {
  const { manifest, ids, clock, dispatcher } = workspace;
  const scope = SCOPES[name];
  if (!manifest.events.includes(name)) return;
  if (scope !== undefined && !grantedScopes(workspace).includes(scope)) return;
  const payload = eventPayload(event, ids.next('Ev0'), clock.now(), shared);
  void dispatcher.deliverEvent({ kind: 'events_api', name, payload });
}
