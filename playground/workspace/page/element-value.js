import { innerBlocks } from './blocks/block-types.js';
import { fromServer } from './from-server.js';

/**
 * @typedef {import('../gestures/gestures.ts').ElementValue} ElementValue
 * @typedef {import('./blocks/block-types.js').ChosenOption} ChosenOption
 * @typedef {import('../gestures/gestures.ts').StateValues} StateValues
 * @typedef {import('./blocks/block-types.js').Element} Element
 * @typedef {import('./blocks/block-types.js').PageBlock} PageBlock
 */

/**
 * The value an element of the page has before a person touched it.
 * @param {Element} element
 * @returns {ElementValue | undefined} undefined for elements without a value: buttons, images
 */
export const initialValueOf = (element) => initialValue(fromServer(element));

/**
 * The value an element has before a person touched it, in Slack's own shape; the server asks here too.
 * @param {import('../blocks/block-elements.ts').ActionElement} element as the server has checked it
 * @returns {ElementValue | undefined} undefined for elements without a value
 */
export function initialValue(element) {
  switch (element.type) {
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
    case 'button':
    case 'feedback_buttons':
    case 'icon_button':
    case 'overflow':
      return undefined;
  }
}

/**
 * The elements of a block that a person can use.
 * @param {PageBlock} block
 * @returns {Element[]}
 */
function elementsOf(block) {
  if (block.type === 'input') return [block.element];
  if (block.type === 'section') return block.accessory === undefined ? [] : [block.accessory];
  return block.type === 'actions' ? block.elements : [];
}

/**
 * The entered values whose elements still exist.
 * @param {StateValues} values
 * @param {readonly PageBlock[]} blocks
 * @returns {StateValues}
 */
export function keptValues(values, blocks) {
  /** @type {StateValues} */
  const kept = {};
  for (const block of blocks.flatMap((outer) => [outer, ...innerBlocks(outer)])) {
    for (const element of elementsOf(block)) {
      const actionId = 'action_id' in element ? (element.action_id ?? '') : '';
      const value = values[block.block_id]?.[actionId];
      if (value?.type === element.type) kept[block.block_id] = { ...kept[block.block_id], [actionId]: value };
    }
  }
  return kept;
}
