import type { ViewOutput } from '@slack/bolt';
import type { InputBlock, InputBlockElement, PlainTextOption, StaticSelect } from '@slack/types';

import type { Field } from '../../model/registry.ts';
import { clip, itemText } from '../../text/words.ts';
import { plain } from '../render/blocks.ts';
import { oneLine, readable } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { isSecretName } from '../../command/grammar/refuse.ts';

/** The same for every input. The block identifies the field. */
export const valueAction = 'value';

/** The value was checked when the form was received. */
export const enteredIn = ({ state }: Pick<ViewOutput, 'state'>, block: string) =>
  state.values[block]?.[valueAction];

/** The reason belongs to the command, not to the operation. */
export const reasonBlock = 'ask:reason';

export const inputBlock = (
  id: string,
  label: string,
  element: InputBlockElement,
  more: Partial<InputBlock> = {},
): InputBlock => ({ type: 'input', block_id: id, label: plain(label, limits.inputLabel), ...more, element });

export const selectOne = (
  placeholder: string,
  choices: Pick<StaticSelect, 'options' | 'option_groups' | 'initial_option'>,
): StaticSelect => ({
  type: 'static_select',
  action_id: valueAction,
  placeholder: plain(placeholder, limits.placeholder),
  ...choices,
});

interface InputOptions {
  readonly blockId: string;
  readonly value: unknown;
  readonly suggested: boolean;
  /** Whether each change is sent immediately, to redraw the form. */
  readonly dispatch: boolean;
}

/** Not for fields of kind `rows`. */
export function formInput(field: Field, options: InputOptions): InputBlock {
  const hint = hintOf(field);
  return inputBlock(
    clip(options.blockId, limits.blockId),
    clip(field.label, 100),
    elementOf(field, options),
    {
      ...(hint !== '' && { hint: plain(hint, 300) }),
      // An unchecked box is also an answer.
      optional: !field.required || field.kind === 'flag',
      ...(options.dispatch && { dispatch_action: true }),
    },
  );
}

function hintOf(field: Field): string {
  const secret = field.secret
    ? 'Enter the name of the secret, such as secret:log-bucket, never the secret itself.'
    : '';
  const separators = field.itemsMayContainCommas
    ? 'One per line.'
    : 'Separate several with commas or line breaks.';
  // A positional field whose items may contain commas takes the rest of the line, without separators.
  const list = field.kind === 'texts' && !(field.itemsMayContainCommas && field.positional) ? separators : '';
  return [field.description, secret, list].filter((part) => part !== '').join(' ');
}

function elementOf(field: Field, { value, suggested }: InputOptions): InputBlockElement {
  const given = field.secret && !isSecretName(value) ? undefined : (value ?? field.fallback);
  switch (field.kind) {
    case 'flag':
      return checkbox(given === true);
    case 'choice':
      return isSelectable(field.choices)
        ? {
            type: 'static_select',
            action_id: valueAction,
            options: field.choices.map((one) => choiceOption(field, one)),
            ...(field.choices.includes(String(given)) && {
              initial_option: choiceOption(field, String(given)),
            }),
          }
        : textInput(field, given, suggested);
    case 'choices':
      return isSelectable(field.choices) ? multiSelect(field, given) : textInput(field, given, false);
    case 'integer':
    case 'number':
      return {
        type: 'number_input',
        action_id: valueAction,
        is_decimal_allowed: field.kind === 'number',
        ...(isDecimal(given) && { initial_value: String(given) }),
        ...placeholderOf(field),
      };
    case 'text':
    case 'texts':
    case 'rows':
      return textInput(field, given, suggested);
  }
}

function textInput(field: Field, given: unknown, suggested: boolean): InputBlockElement {
  const text = textOf(given, field.itemsMayContainCommas);
  if (suggested && field.kind === 'text' && text.length <= limits.optionText) {
    return {
      type: 'external_select',
      action_id: valueAction,
      min_query_length: 0,
      ...(text !== '' && { initial_option: option(text) }),
      placeholder: plain('Pick one, or type to search', limits.placeholder),
    };
  }
  return {
    type: 'plain_text_input',
    action_id: valueAction,
    multiline: field.multiline || field.itemsMayContainCommas || text.includes('\n'),
    max_length: limits.inputLength,
    ...(text !== '' && { initial_value: clip(text, limits.inputLength) }),
    ...placeholderOf(field),
  };
}

function multiSelect(field: Field, given: unknown): InputBlockElement {
  const chosen = Array.isArray(given)
    ? field.choices.filter((choice) => given.map(String).includes(choice))
    : [];
  return {
    type: 'multi_static_select',
    action_id: valueAction,
    options: field.choices.map((one) => choiceOption(field, one)),
    ...(chosen.length > 0 && { initial_options: chosen.map((one) => choiceOption(field, one)) }),
  };
}

function checkbox(ticked: boolean): InputBlockElement {
  const yes: PlainTextOption = { text: plain('Yes', limits.optionText), value: 'true' };
  return {
    type: 'checkboxes',
    action_id: valueAction,
    options: [yes],
    ...(ticked && { initial_options: [yes] }),
  };
}

export const option = (text: string, value = text): PlainTextOption => ({
  text: plain(text, limits.optionText),
  value: clip(value, limits.optionValue),
});

const choiceOption = ({ choiceLabels }: Field, choice: string): PlainTextOption =>
  option(choiceLabels[choice] ?? choice, choice);

const isSelectable = (choices: readonly string[]): boolean =>
  choices.length > 0 &&
  choices.length <= limits.options &&
  choices.every((choice) => choice !== '' && choice.length <= limits.optionText);

const isDecimal = (given: unknown): boolean => /^-?\d{1,20}(?:\.\d{1,20})?$/u.test(textOf(given));

function textOf(given: unknown, whole = false): string {
  if (Array.isArray(given)) {
    const items = given.map((item) => readable(String(item)));
    return whole ? items.join('\n') : items.map(itemText).join(', ');
  }
  return typeof given === 'string' || typeof given === 'number' ? readable(String(given)) : '';
}

/** “For example”, because a bare value looks as if it had already been entered. */
function placeholderOf(field: Field): { placeholder?: ReturnType<typeof plain> } {
  const example = field.secret ? 'secret:log-bucket' : (field.placeholder ?? '');
  return oneLine(example) === '' ? {} : { placeholder: plain(`For example: ${example}`, limits.placeholder) };
}
