import { z } from 'zod';
import { allBlocks, offeredOptions, type ActionElement } from '../blocks/block-elements.ts';
import type { NamedBlock } from '../blocks/check-blocks.ts';
import type { ElementValue, StateValues } from '../gestures/gestures.ts';
import { LIMITS } from '../limits.ts';
import { isEmpty } from './view-state.ts';

/** The errors with which Slack's own client refuses a form before sending it, by block_id. */
export function inputErrors(blocks: readonly NamedBlock[], values: StateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const block of allBlocks(blocks)) {
    if (block.type !== 'input') continue;
    const blockId = block.block_id ?? '';
    const value = values[blockId]?.[block.element.action_id ?? ''];
    if (value === undefined) continue;
    const error = isEmpty(value)
      ? block.optional
        ? undefined
        : 'Please complete this required field.'
      : valueError(block.element, value);
    if (error !== undefined) errors[blockId] = error;
  }
  return errors;
}

/** The error for an entered value, as the person reads it; undefined if the value is valid. */
export function valueError(element: ActionElement, value: ElementValue): string | undefined {
  if (value.type !== element.type) return 'This is not the kind of value that the field takes.';
  if (!isOffered(element, value)) return 'This is not one of the options.';
  if ('max_selected_items' in element && element.max_selected_items !== undefined) {
    const most = element.max_selected_items;
    const chosen = Object.values(value).find((part) => Array.isArray(part))?.length ?? 0;
    if (chosen > most) return `Choose at most ${most}.`;
  }
  return 'value' in value && value.value !== null ? textError(element, value.value) : undefined;
}

function isOffered(element: ActionElement, value: ElementValue): boolean {
  if (element.type === 'feedback_buttons')
    return (
      'value' in value &&
      [element.positive_button, element.negative_button].some((button) => button.value === value.value)
    );
  const offered = offeredOptions(element);
  if (offered === undefined) return true;
  const chosen =
    'selected_option' in value
      ? [value.selected_option]
      : 'selected_options' in value
        ? value.selected_options
        : [];
  return chosen.every((option) => option === null || offered.some((one) => one.value === option.value));
}

function textError(element: ActionElement, text: string): string | undefined {
  const { type } = element;
  if (type === 'plain_text_input')
    return lengthError(text, element.min_length ?? 0, element.max_length ?? LIMITS.inputMaxLength);
  if (type === 'number_input') return numberError(text, element);
  if (type === 'url_text_input') return z.url().safeParse(text).success ? undefined : 'Enter a valid URL.';
  if (type !== 'email_text_input') return undefined;
  return z.email().safeParse(text).success ? undefined : 'Enter a valid email address.';
}

function lengthError(text: string, least: number, most: number): string | undefined {
  if (text.length < least) return `Enter at least ${least} characters.`;
  return text.length > most ? `Enter at most ${most} characters.` : undefined;
}

type NumberLimits = Extract<ActionElement, { type: 'number_input' }>;

function numberError(
  text: string,
  { is_decimal_allowed, min_value, max_value }: NumberLimits,
): string | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return 'Enter a number.';
  if (!is_decimal_allowed && text.includes('.')) return 'Enter a whole number.';
  if (min_value !== undefined && Number(text) < Number(min_value)) return `Enter at least ${min_value}.`;
  return max_value !== undefined && Number(text) > Number(max_value)
    ? `Enter at most ${max_value}.`
    : undefined;
}
