import { messageShortcutPayload, shortcutPayload } from '../dispatch/payloads.ts';
import type { Workspace } from '../workspace.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { seenMessage } from './message.ts';
import { failure, personOf, refused, toastFailure } from './outcomes.ts';

/**
 * A person runs a shortcut of the app, on a message or from anywhere. Resolves once the app has acknowledged that, or
 * has failed to.
 */
export async function runShortcut(workspace: Workspace, gesture: Gesture<'shortcut'>): Promise<Outcome> {
  const { callback_id, session } = gesture;
  const person = personOf(gesture.as);
  const type = gesture.message === undefined ? 'global' : 'message';
  const isKnown = workspace.manifest.shortcuts.some(
    (shortcut) => shortcut.callback_id === callback_id && shortcut.type === type,
  );
  if (!isKnown) return refused('unknown_shortcut', 'The manifest has no such shortcut.');
  const place = gesture.message && seenMessage(workspace, gesture.message, person.id);
  const common = {
    person,
    callback_id,
    action_ts: workspace.ids.ts(workspace.clock.now()),
    trigger_id: workspace.triggers.issue({ user: person.id, session, channel: place?.conversation.id }),
  };
  const acknowledgement = await workspace.dispatcher.deliver({
    kind: 'interactive',
    name: place === undefined ? 'shortcut' : 'message_action',
    payload:
      place === undefined
        ? shortcutPayload(common)
        : messageShortcutPayload(workspace, {
            ...common,
            ...place,
            response_url:
              workspace.origin +
              workspace.responseUrls.issue({
                channel: place.conversation.id,
                user: person.id,
              }),
          }),
  });
  return acknowledgement.ok
    ? { ok: true }
    : toastFailure(workspace, failure(acknowledgement), { user: person.id, session });
}
