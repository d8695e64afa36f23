import { z } from 'zod';
import { allBlocks, blockElements } from '../blocks/block-elements.ts';
import { checkView, type CheckedView } from '../blocks/check-view.ts';
import { viewPayload } from '../dispatch/payloads.ts';
import { findPerson } from '../conversations/directory.ts';
import { openModal, pushModal, showHome, updateModal } from '../views/show-view.ts';
import { payloadValues } from '../conversations/slack-objects.ts';
import type { TriggerOrigin } from '../views/triggers.ts';
import { stateValues } from '../views/view-state.ts';
import { isDuplicate, type OpenView } from '../views/views.ts';
import { blockIds, type Workspace } from '../workspace.ts';
import { json } from './arguments.ts';
import { method, MethodError } from './method.ts';

const triggered = z.object({ trigger_id: z.string(), view: json });

/** @param current the view that this one replaces */
function checked(
  workspace: Workspace,
  input: unknown,
  type: 'modal' | 'home',
  current?: OpenView,
): CheckedView {
  const check = checkView(input, {
    type,
    newBlockId: blockIds(workspace),
    hasFile: (id) => workspace.files.find(id) !== undefined,
  });
  if (!check.ok) throw new MethodError(check.error, { messages: check.messages });
  if (isDuplicate(workspace.views, check.view, current)) throw new MethodError('duplicate_external_id');
  return check.view;
}

/** @throws MethodError if the trigger is unknown, too old or was used */
function exchange(workspace: Workspace, trigger_id: string): TriggerOrigin {
  const exchanged = workspace.triggers.exchange(trigger_id);
  if (!exchanged.ok) throw new MethodError(exchanged.error);
  return exchanged.origin;
}

/** Fills in selects whose initial value is the conversation from which the modal was opened. */
function preselect(view: CheckedView, channel: string | undefined): void {
  if (channel === undefined) return;
  for (const { element } of allBlocks(view.blocks).flatMap(blockElements)) {
    if (!('default_to_current_conversation' in element) || !element.default_to_current_conversation) continue;
    if (element.type === 'conversations_select') element.initial_conversation ??= channel;
    else element.initial_conversations ??= [channel];
  }
}

function reply(workspace: Workspace, view: OpenView) {
  return { view: viewPayload(view, payloadValues(workspace, stateValues(view.blocks, {}))) };
}

function checkHash(hash: string | undefined, current: OpenView | undefined): void {
  if (hash !== undefined && current !== undefined && hash !== current.hash)
    throw new MethodError('hash_conflict');
}

const open = method({
  name: 'views.open',
  token: 'bot',
  scopes: [],
  input: triggered,
  run(workspace, input) {
    const view = checked(workspace, input.view, 'modal');
    const { user, session, channel } = exchange(workspace, input.trigger_id);
    preselect(view, channel);
    return reply(workspace, openModal(workspace, view, user, session));
  },
});

const push = method({
  name: 'views.push',
  token: 'bot',
  scopes: [],
  input: triggered,
  run(workspace, input) {
    const view = checked(workspace, input.view, 'modal');
    const { view_id } = exchange(workspace, input.trigger_id);
    const onto = view_id === undefined ? undefined : workspace.views.find(view_id);
    if (onto === undefined) throw new MethodError('not_found');
    const pushed = pushModal(workspace, view, onto);
    if (pushed === undefined) throw new MethodError('push_limit_reached');
    return reply(workspace, pushed);
  },
});

const update = method({
  name: 'views.update',
  token: 'bot',
  scopes: [],
  input: z.object({
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
    view: json,
  }),
  run(workspace, { view_id, external_id, hash, view }) {
    const id = view_id ?? external_id;
    if (id === undefined)
      throw new MethodError('invalid_arguments', { messages: ['[ERROR] missing required field: view_id'] });
    const current = workspace.views.find(id);
    const valid = checked(workspace, view, 'modal', current);
    if (current === undefined || current.type !== 'modal') throw new MethodError('not_found');
    checkHash(hash, current);
    return reply(workspace, updateModal(workspace, current, valid));
  },
});

const publish = method({
  name: 'views.publish',
  token: 'bot',
  scopes: [],
  input: z.object({ user_id: z.string(), hash: z.string().optional(), view: json }),
  run(workspace, { user_id, hash, view }) {
    const valid = checked(workspace, view, 'home', workspace.views.home(user_id));
    const person = findPerson(user_id);
    if (person === undefined || person.kind === 'stranger') throw new MethodError('user_not_found');
    if (!workspace.manifest.homeTab) throw new MethodError('not_enabled');
    checkHash(hash, workspace.views.home(user_id));
    return reply(workspace, showHome(workspace, valid, user_id));
  },
});

export const viewMethods = [open, push, update, publish];
