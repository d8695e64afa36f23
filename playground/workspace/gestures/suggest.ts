import { z } from 'zod';
import { optionGroupSchema, plainOptionSchema } from '../blocks/composition.ts';
import { messagePayload } from '../dispatch/message-payload.ts';
import { suggestionPayload, viewPayload } from '../dispatch/payloads.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { LIMITS } from '../limits.ts';
import { stateValues } from '../views/view-state.ts';
import type { Workspace } from '../workspace.ts';
import { failure, personOf, refused } from './outcomes.ts';
import { findElement, findPlace, type Place } from './find-element.ts';
import { readJson } from '../page-api/read-json.ts';

const answerSchema = z.union([
  z.object({ options: z.array(plainOptionSchema).max(LIMITS.options) }),
  z.object({ option_groups: z.array(optionGroupSchema).max(LIMITS.optionGroups) }),
]);

/** A person types into an external select: asks the app for options (block_suggestion). */
export async function suggest(workspace: Workspace, gesture: Gesture<'options'>): Promise<Outcome> {
  if (!workspace.manifest.loadsOptions)
    return refused('no_options_url', 'The manifest of this app names no message_menu_options_url.');
  const person = personOf(gesture.as);
  const place = findPlace(workspace, gesture.container, person.id);
  findElement(place, gesture.block_id, gesture.action_id);
  const { block_id, action_id, value } = gesture;
  const acknowledgement = await workspace.dispatcher.deliver({
    kind: 'interactive',
    name: 'block_suggestion',
    payload: suggestionPayload({ person, block_id, action_id, value, place: placePayload(workspace, place) }),
  });
  if (!acknowledgement.ok) return failure(acknowledgement);
  const answer = answerSchema.safeParse(readJson(acknowledgement.text));
  if (!answer.success)
    return refused('invalid_response', 'The app answered with options that Slack does not accept.');
  return 'options' in answer.data
    ? { ok: true, options: answer.data.options }
    : { ok: true, option_groups: answer.data.option_groups };
}

function placePayload(workspace: Workspace, place: Place): Record<string, unknown> {
  if (place.type === 'view')
    return {
      container: { type: 'view', view_id: place.view.id },
      view: viewPayload(place.view, stateValues(place.blocks, {})),
    };
  const { conversation, message } = place;
  return {
    container: { type: 'message', message_ts: message.ts, channel_id: conversation.id, is_ephemeral: false },
    channel: { id: conversation.id, name: conversation.name },
    message: messagePayload(workspace, message),
  };
}
