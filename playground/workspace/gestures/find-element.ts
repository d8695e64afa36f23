import { allBlocks, blockElements, offeredOptions, type ActionElement } from '../blocks/block-elements.ts';
import type { NamedBlock } from '../blocks/check-blocks.ts';
import { blockSchema } from '../blocks/layout.ts';
import { type Conversation } from '../conversations/directory.ts';
import type { Container, ElementValue } from './gestures.ts';
import type { StoredMessage } from '../conversations/history.ts';
import type { OpenView } from '../views/views.ts';
import type { Workspace } from '../workspace.ts';
import { RefusedGesture } from './outcomes.ts';

export type Place =
  | {
      readonly type: 'message';
      readonly conversation: Conversation;
      readonly message: StoredMessage;
      readonly blocks: NamedBlock[];
    }
  | { readonly type: 'view'; readonly view: OpenView; readonly blocks: NamedBlock[] };

/** The message or view that was used. @throws RefusedGesture if it does not exist, or this person can't see it */
export function findPlace(workspace: Workspace, container: Container, user: string): Place {
  if (container.type === 'view') {
    const view = workspace.views.find(container.view_id);
    if (view === undefined || view.user !== user)
      throw new RefusedGesture('not_found', 'This view is no longer open.');
    return { type: 'view', view, blocks: view.blocks };
  }
  const conversation = workspace.conversations.find(container.channel);
  const message = workspace.history.find(container.channel, container.ts);
  const hidden = message?.ephemeral_to !== undefined && message.ephemeral_to !== user;
  if (message === undefined || hidden || !conversation?.members.includes(user))
    throw new RefusedGesture('message_not_found', 'This message no longer exists.');
  return {
    type: 'message',
    conversation,
    message,
    blocks: [message, ...message.attachments].flatMap(({ blocks = [] }) => blocks.map(toBlock)),
  };
}

/** Blocks are kept as JSON; they were checked when they came, and are read by the same schema. */
function toBlock(kept: StoredMessage['blocks'][number]): NamedBlock {
  return Object.assign(blockSchema.parse(kept), { block_id: kept.block_id });
}

/** @throws RefusedGesture if the block or the element is not there any more */
export function findElement(place: Place, block_id: string, action_id: string): ActionElement {
  const block = allBlocks(place.blocks).find((one) => one.block_id === block_id);
  const found = block && blockElements(block).find(({ element }) => element.action_id === action_id);
  if (found === undefined) throw new RefusedGesture('not_found', 'This control no longer exists.');
  return found.element;
}

/**
 * The action in `actions[0]`: the element's own members and the person's choice. Options are taken from the element, so
 * that the page cannot invent one.
 */
export function actionOf(element: ActionElement, block_id: string, value: ElementValue, action_ts: string) {
  const { type, action_id } = element;
  return { type, action_id, block_id, action_ts, ...spoken(element), ...chosen(element, value) };
}

function spoken(element: ActionElement): Record<string, unknown> {
  const shown = Object.entries(element).filter(
    ([key]) =>
      ['text', 'value', 'url', 'style', 'confirm', 'placeholder'].includes(key) || key.startsWith('initial_'),
  );
  return Object.fromEntries(shown);
}

/** The feedback button that has this value. */
function feedbackButton(element: Extract<ActionElement, { type: 'feedback_buttons' }>, value: string | null) {
  const { positive_button, negative_button } = element;
  const { text } = positive_button.value === value ? positive_button : negative_button;
  return { text, value };
}

function chosen(element: ActionElement, value: ElementValue): Record<string, unknown> {
  const { type: _type, ...held } = value;
  if (element.type === 'feedback_buttons' && 'value' in value)
    return { ...feedbackButton(element, value.value) };
  const offered = offeredOptions(element);
  const own = (option: { value?: string | undefined }) =>
    offered?.find((one) => one.value === option.value) ?? option;
  if ('selected_option' in value)
    return { selected_option: value.selected_option && own(value.selected_option) };
  if ('selected_options' in value) return { selected_options: value.selected_options.map(own) };
  return held;
}
