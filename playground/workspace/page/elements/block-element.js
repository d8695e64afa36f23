import { html } from 'htm/preact';
import { Picture } from '../blocks/image-block.js';
import { ButtonElement, FeedbackButtons, IconButton } from './button-element.js';
import { Choices } from './choices.js';
import { FileInputElement } from './file-input.js';
import { OverflowMenu } from './overflow-menu.js';
import { PickerElement } from './pickers.js';
import { SelectElement } from './select-element.js';
import { TextInputElement } from './text-input.js';

/** @typedef {import('../blocks/block-types.js').Element} Element */

/** @param {{ element: import('@slack/types').ImageElement }} props */
function PictureElement({ element }) {
  return html`<${Picture} image=${element} />`;
}

const views = /** @type {const} */ ({
  button: ButtonElement,
  workflow_button: ButtonElement,
  feedback_buttons: FeedbackButtons,
  icon_button: IconButton,
  checkboxes: Choices,
  radio_buttons: Choices,
  datepicker: PickerElement,
  timepicker: PickerElement,
  datetimepicker: PickerElement,
  overflow: OverflowMenu,
  image: PictureElement,
  static_select: SelectElement,
  external_select: SelectElement,
  users_select: SelectElement,
  channels_select: SelectElement,
  conversations_select: SelectElement,
  multi_static_select: SelectElement,
  multi_external_select: SelectElement,
  multi_users_select: SelectElement,
  multi_channels_select: SelectElement,
  multi_conversations_select: SelectElement,
  plain_text_input: TextInputElement,
  number_input: TextInputElement,
  url_text_input: TextInputElement,
  email_text_input: TextInputElement,
  rich_text_input: TextInputElement,
  file_input: FileInputElement,
});

/**
 * An element of a block: what a person clicks, chooses or types into.
 * @param {{ element: Element, blockId: string, name?: string | undefined, field?: import('./use-element.js').Field | undefined }} props
 */
export function BlockElement({ element, blockId, name, field }) {
  if (!Object.hasOwn(views, element.type)) {
    return html`<span class="block-unknown">“${element.type}” is not drawn here</span>`;
  }
  return html`<${views[element.type]} element=${element} blockId=${blockId} name=${name} field=${field} />`;
}
