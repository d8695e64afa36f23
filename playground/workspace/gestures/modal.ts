import { z } from 'zod';
import { checkView } from '../blocks/check-view.ts';
import { allBlocks, blockElements } from '../blocks/block-elements.ts';
import { closedPayload, submissionPayload } from '../dispatch/payloads.ts';
import type { Gesture, Outcome, StateValues } from './gestures.ts';
import { inputErrors } from '../views/input-errors.ts';
import { payloadValues } from '../conversations/slack-objects.ts';
import { closeModals, pushModal, updateModal } from '../views/show-view.ts';
import { stateValues } from '../views/view-state.ts';
import { isDuplicate, type OpenView } from '../views/views.ts';
import { blockIds, type Workspace } from '../workspace.ts';
import { personOf, refused } from './outcomes.ts';
import { readJson } from '../page-api/read-json.ts';
import { shownFile } from '../conversations/file-store.ts';
import { LIMITS } from '../limits.ts';

const TROUBLE = 'We had some trouble connecting. Try again?';

const responseSchema = z.discriminatedUnion('response_action', [
  z.looseObject({ response_action: z.literal('clear') }),
  z.looseObject({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.looseObject({ response_action: z.literal('update'), view: z.unknown() }),
  z.looseObject({ response_action: z.literal('push'), view: z.unknown() }),
]);

/** A person submits a modal. Resolves once the app has acknowledged that, or has failed to. */
export async function submit(workspace: Workspace, gesture: Gesture<'submit'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const view = workspace.views.find(gesture.view_id);
  if (view === undefined || view.user !== person.id || view.type !== 'modal')
    return refused('not_found', 'This form is no longer open.');
  const values = stateValues(view.blocks, gesture.values);
  const errors = inputErrors(view.blocks, values);
  if (Object.keys(errors).length > 0) return showErrors(workspace, view, errors);
  const { session } = gesture;
  const acknowledgement = await workspace.dispatcher.deliver({
    kind: 'interactive',
    name: 'view_submission',
    payload: submissionPayload({
      person,
      view,
      values: payloadValues(workspace, values),
      trigger_id: workspace.triggers.issue({ user: person.id, session, view_id: view.id }),
      response_urls: responseUrls(workspace, view, values),
    }),
  });
  if (!acknowledgement.ok) return trouble(workspace, view, acknowledgement.error);
  return answer(workspace, view, acknowledgement.text);
}

function showErrors({ bus }: Workspace, view: OpenView, errors: Record<string, string>): Outcome {
  bus.publish({ type: 'view-errors', view_id: view.id, errors }, { session: view.session });
  return refused('view_errors', 'The form has errors.');
}

function trouble({ bus }: Workspace, view: OpenView, error: string): Outcome {
  bus.publish({ type: 'toast', error, text: TROUBLE, view_id: view.id }, { session: view.session });
  return refused(error, TROUBLE);
}

/** Carries out the app's answer to a submission. An empty answer closes the view. */
function answer(workspace: Workspace, view: OpenView, text: string): Outcome {
  if (text.trim() === '' || text.trim() === '{}') {
    closeModals(workspace, view, false);
    return { ok: true };
  }
  const parsed = responseSchema.safeParse(readJson(text));
  if (!parsed.success) return trouble(workspace, view, 'invalid_response');
  const response = parsed.data;
  if (response.response_action === 'clear') {
    closeModals(workspace, view, true);
    return { ok: true };
  }
  if (response.response_action === 'errors') {
    const inputs = new Set(view.blocks.flatMap((block) => (block.type === 'input' ? [block.block_id] : [])));
    const known = Object.keys(response.errors).every((block_id) => inputs.has(block_id));
    return known
      ? showErrors(workspace, view, response.errors)
      : trouble(workspace, view, 'invalid_response');
  }
  const checked = checkView(response.view, {
    type: 'modal',
    newBlockId: blockIds(workspace),
    hasFile: (id) => workspace.files.find(id) !== undefined,
  });
  const updates = response.response_action === 'update';
  if (!checked.ok || isDuplicate(workspace.views, checked.view, updates ? view : undefined))
    return trouble(workspace, view, 'invalid_response');
  const shown = updates
    ? updateModal(workspace, view, checked.view)
    : pushModal(workspace, checked.view, view);
  return shown === undefined ? trouble(workspace, view, 'push_limit_reached') : { ok: true };
}

/** A response_url for each conversation chosen in a select with `response_url_enabled`. */
function responseUrls(workspace: Workspace, view: OpenView, values: StateValues): Record<string, string>[] {
  return allBlocks(view.blocks).flatMap((block) =>
    blockElements(block).flatMap(({ element }) => {
      const { block_id = '' } = block;
      if (!('response_url_enabled' in element) || !element.response_url_enabled) return [];
      const action_id = element.action_id ?? '';
      const value = values[block_id]?.[action_id];
      const channel_id =
        value?.type === 'conversations_select'
          ? value.selected_conversation
          : value?.type === 'channels_select'
            ? value.selected_channel
            : null;
      const channel = channel_id === null ? undefined : workspace.conversations.find(channel_id);
      if (channel === undefined) return [];
      const url = workspace.responseUrls.issue({ channel: channel.id, user: view.user });
      return [{ block_id, action_id, channel_id: channel.id, response_url: workspace.origin + url }];
    }),
  );
}

/** A person closes a modal: Cancel closes the one on top, X all of them. The app is notified if it requested that. */
export async function close(workspace: Workspace, gesture: Gesture<'close'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const view = workspace.views.find(gesture.view_id);
  if (view === undefined || view.user !== person.id || view.type !== 'modal')
    return refused('not_found', 'This form is no longer open.');
  const cleared = gesture.all || view.clear_on_close;
  const closed = closeModals(workspace, view, cleared);
  for (const one of closed.filter(({ notify_on_close }) => notify_on_close)) {
    const payload = closedPayload(person, one, stateValues(one.blocks, {}), cleared);
    void workspace.dispatcher.deliver({ kind: 'interactive', name: 'view_closed', payload });
  }
  return { ok: true };
}

/** A person picks a file for a file input. The file is in the answer; the app gets it with the form. */
export async function upload(workspace: Workspace, gesture: Gesture<'upload'>): Promise<Outcome> {
  const person = personOf(gesture.as);
  const bytes = Buffer.from(gesture.content_base64, 'base64');
  if (bytes.length > LIMITS.fileBytes) return refused('file_too_large', 'Files can be at most 10 MiB here.');
  const file = {
    id: workspace.ids.next('F0'),
    name: gesture.name,
    title: gesture.name,
    mimetype: gesture.mimetype,
    size: bytes.length,
    user: person.id,
    completed_at: workspace.clock.now(),
    channels: [],
  };
  workspace.files.save(file, bytes);
  return { ok: true, file: shownFile(file) };
}
