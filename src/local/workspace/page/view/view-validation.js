import { initialValueOf, isEmpty } from '../elements/element-value.js';

/**
 * @typedef {import('../blocks/block-types.js').PageBlock} PageBlock
 * @typedef {import('../blocks/block-types.js').Element} Element
 * @typedef {import('../../gestures.ts').ElementValue} ElementValue
 * @typedef {import('../../gestures.ts').StateValues} StateValues
 */

/** @param {import('@slack/types').NumberInput} element @param {string} text */
function numberFault(element, text) {
  const number = Number(text);
  if (Number.isNaN(number) || text.trim() === '') return 'Enter a number';
  if (!element.is_decimal_allowed && !Number.isInteger(number)) return 'Enter a whole number';
  if (element.min_value !== undefined && number < Number(element.min_value))
    return `Enter ${element.min_value} or more`;
  if (element.max_value !== undefined && number > Number(element.max_value))
    return `Enter ${element.max_value} or less`;
  return undefined;
}

/** @param {import('@slack/types').PlainTextInput} element @param {string} text */
function lengthFault({ min_length: least = 0, max_length: most = 3000 }, text) {
  if (text.length < least) return `Enter ${String(least)} characters or more`;
  return text.length > most ? `Enter ${String(most)} characters or fewer` : undefined;
}

/** @param {Element} element @param {ElementValue} value @returns {string | undefined} */
function faultOf(element, value) {
  const text = 'value' in value ? (value.value ?? '') : '';
  if (element.type === 'plain_text_input') return lengthFault(element, text);
  if (element.type === 'number_input') return numberFault(element, text);
  if (element.type === 'url_text_input')
    return URL.canParse(text) ? undefined : 'Enter a whole address, https://…';
  if (element.type === 'email_text_input')
    return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : 'Enter an e-mail address';
  return undefined;
}

/**
 * What Slack itself refuses before the bot hears of a submission.
 * @param {readonly PageBlock[]} blocks
 * @param {StateValues} values entered; what is absent has its initial value
 * @returns {Record<string, string>} faults by block id
 */
export function inputFaults(blocks, values) {
  /** @type {Record<string, string>} */
  const faults = {};
  for (const block of blocks) {
    if (block.type !== 'input') continue;
    const { element } = block;
    const value = values[block.block_id]?.[element.action_id ?? ''] ?? initialValueOf(element);
    if (value === undefined || isEmpty(value)) {
      if (block.optional !== true) faults[block.block_id] = 'This field is required';
      continue;
    }
    const fault = faultOf(element, value);
    if (fault !== undefined) faults[block.block_id] = fault;
  }
  return faults;
}
