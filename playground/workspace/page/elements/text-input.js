import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';
import { fromServer } from '../from-server.js';
import { labelled, useElement } from './use-element.js';

/**
 * @typedef {import('@slack/types').PlainTextInput
 *   | import('@slack/types').NumberInput
 *   | import('@slack/types').URLInput
 *   | import('@slack/types').EmailInput
 *   | import('@slack/types').RichTextInput} TextInput
 * @typedef {import('../../gestures/gestures.ts').ElementValue} ElementValue
 * @typedef {Event & { currentTarget: HTMLInputElement | HTMLTextAreaElement }} InputChange
 */

/** @type {Readonly<Partial<Record<TextInput['type'], string>>>} */
const keyboards = {
  number_input: 'decimal',
  url_text_input: 'url',
  email_text_input: 'email',
};

/** The words of rich text, without its formatting. @param {import('@slack/types').RichTextBlock} block */
function richWords(block) {
  return block.elements
    .map((part) => part.elements.map((piece) => ('text' in piece ? (piece.text ?? '') : '')).join(''))
    .join('\n');
}

/** @param {ElementValue | undefined} value */
function shownText(value) {
  if (value === undefined) return '';
  if ('rich_text_value' in value)
    return value.rich_text_value === null ? '' : richWords(fromServer(value.rich_text_value));
  return 'value' in value ? (value.value ?? '') : '';
}

/** @param {TextInput['type']} type @param {string} text @returns {ElementValue} */
function valueFrom(type, text) {
  if (type !== 'rich_text_input') return { type, value: text === '' ? null : text };
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type, rich_text_value: text === '' ? null : { type: 'rich_text', elements: [section] } };
}

/** Text, number, address or mail. @param {import('./use-element.js').ElementProps<TextInput>} props */
export function TextInputElement({ element, blockId, name, field }) {
  const { value, pending, enter, send } = useElement({ element, blockId, field });
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const many =
    (element.type === 'plain_text_input' && element.multiline === true) || element.type === 'rich_text_input';
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const dispatches = field?.dispatches === true;
  const limits = element.type === 'plain_text_input' ? { maxlength: element.max_length } : {};
  const input = (/** @type {InputChange} */ event) => {
    const next = valueFrom(element.type, event.currentTarget.value);
    enter(next);
    clearTimeout(timer.current);
    if (dispatches && triggers.includes('on_character_entered'))
      timer.current = setTimeout(() => void send(next), 300);
  };
  const key = (/** @type {KeyboardEvent & InputChange} */ event) => {
    if (
      event.key !== 'Enter' ||
      event.isComposing ||
      !dispatches ||
      !triggers.includes('on_enter_pressed') ||
      (many && event.shiftKey)
    )
      return;
    event.preventDefault();
    void send(valueFrom(element.type, event.currentTarget.value));
  };
  return html`<${many ? 'textarea' : 'input'}
    class=${pending ? 'text-input is-pending' : 'text-input'}
    type=${many ? undefined : 'text'}
    inputmode=${keyboards[element.type]}
    rows=${many ? 4 : undefined}
    autocomplete="off"
    placeholder=${element.placeholder?.text}
    ...${limits}
    ...${labelled(element, field, name ?? element.placeholder?.text)}
    value=${shownText(value)}
    onInput=${input}
    onKeyDown=${key}
  />`;
}
