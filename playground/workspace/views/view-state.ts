import { allBlocks, blockElements, type ActionElement } from '../blocks/block-elements.ts';
import type { NamedBlock } from '../blocks/check-blocks.ts';
import type { ElementValue, StateValues } from '../gestures/gestures.ts';

/**
 * `state.values` of blocks as Slack sends it: every input with what the person entered, or else its initial value.
 * Buttons and overflow menus have no state.
 */
export function stateValues(blocks: readonly NamedBlock[], entered: StateValues): StateValues {
  const values: StateValues = {};
  for (const block of allBlocks(blocks)) {
    const blockId = block.block_id ?? '';
    for (const { element } of blockElements(block)) {
      const initial = initialValue(element);
      if (initial === undefined) continue;
      const id = element.action_id ?? '';
      const given = entered[blockId]?.[id];
      values[blockId] = {
        ...values[blockId],
        [id]: given?.type === initial.type ? given : initial,
      };
    }
  }
  return values;
}

/** What an element holds before anyone touched it; undefined where it holds nothing. */
function initialValue(element: ActionElement): ElementValue | undefined {
  switch (element.type) {
    case 'button':
    case 'feedback_buttons':
    case 'icon_button':
    case 'overflow':
      return undefined;
    case 'radio_buttons':
    case 'static_select':
    case 'external_select':
      return { type: element.type, selected_option: element.initial_option ?? null };
    case 'checkboxes':
    case 'multi_static_select':
    case 'multi_external_select':
      return { type: element.type, selected_options: element.initial_options ?? [] };
    case 'users_select':
      return { type: element.type, selected_user: element.initial_user ?? null };
    case 'channels_select':
      return { type: element.type, selected_channel: element.initial_channel ?? null };
    case 'conversations_select':
      return { type: element.type, selected_conversation: element.initial_conversation ?? null };
    case 'multi_users_select':
      return { type: element.type, selected_users: element.initial_users ?? [] };
    case 'multi_channels_select':
      return { type: element.type, selected_channels: element.initial_channels ?? [] };
    case 'multi_conversations_select':
      return { type: element.type, selected_conversations: element.initial_conversations ?? [] };
    case 'datepicker':
      return { type: element.type, selected_date: element.initial_date ?? null };
    case 'timepicker':
      return { type: element.type, selected_time: element.initial_time ?? null };
    case 'datetimepicker':
      return { type: element.type, selected_date_time: element.initial_date_time ?? null };
    case 'plain_text_input':
    case 'number_input':
    case 'url_text_input':
    case 'email_text_input':
      return { type: element.type, value: element.initial_value ?? null };
    case 'rich_text_input':
      return { type: element.type, rich_text_value: element.initial_value ?? null };
    case 'file_input':
      return { type: element.type, files: [] };
  }
}

/** Whether a value says nothing, so that a required input with it is incomplete. */
export function isEmpty(value: ElementValue): boolean {
  const { type: _type, ...held } = value;
  return Object.values(held).every(
    (part) => part === null || part === '' || (Array.isArray(part) && part.length === 0),
  );
}
