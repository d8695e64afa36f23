import { messageActionPayload, viewActionPayload } from '../dispatch/payloads.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { valueError } from '../views/input-errors.ts';
import { payloadValues } from '../conversations/slack-objects.ts';
import { stateValues } from '../views/view-state.ts';
import { failure, personOf, refused, toastFailure } from './outcomes.ts';
import { SLACKBOT } from '../conversations/directory.ts';
import { answerOffer } from '../conversations/invitation.ts';
import { actionOf, findElement, findPlace } from './find-element.ts';
import type { Workspace } from '../workspace.ts';

/** A person presses a button or chooses something. Resolves once the app has acknowledged that, or has failed to. */
export async function act(workspace: Workspace, gesture: Gesture<'action'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const place = findPlace(workspace, gesture.container, person.id);
  const element = findElement(place, gesture.block_id, gesture.action_id);
  if (place.type === 'message' && place.message.user === SLACKBOT)
    return answerOffer(workspace, person, place.message, gesture, 'value' in element ? element.value : '');
  if (!workspace.manifest.interactive)
    return refused('not_interactive', 'This app is not configured to handle interactive responses.');
  const wrong = valueError(element, gesture.value);
  if (wrong !== undefined) return refused('invalid_value', wrong);
  const { session } = gesture;
  const values = payloadValues(workspace, stateValues(place.blocks, gesture.values));
  const action = actionOf(element, gesture.block_id, gesture.value, workspace.ids.ts(workspace.clock.now()));
  const inModal = place.type === 'view' && place.view.type === 'modal';
  const trigger_id = workspace.triggers.issue({
    user: person.id,
    session,
    view_id: inModal ? place.view.id : undefined,
    channel: place.type === 'message' ? place.conversation.id : undefined,
  });
  const acknowledgement = await workspace.dispatcher.deliver({
    kind: 'interactive',
    name: 'block_actions',
    payload:
      place.type === 'view'
        ? viewActionPayload({ person, action, trigger_id }, place.view, values)
        : messageActionPayload(workspace, {
            person,
            action,
            trigger_id,
            values,
            conversation: place.conversation,
            message: place.message,
            response_url:
              workspace.origin +
              workspace.responseUrls.issue({
                channel: place.message.channel,
                user: person.id,
                original_ts: place.message.ts,
              }),
          }),
  });
  return acknowledgement.ok
    ? { ok: true }
    : toastFailure(workspace, failure(acknowledgement), { user: person.id, session });
}
