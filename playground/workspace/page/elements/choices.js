import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { fromServer } from '../from-server.js';
import { TextView } from '../text/mrkdwn-view.js';
import { useElement } from './use-element.js';

/**
 * @typedef {import('@slack/types').Checkboxes} Checkboxes
 * @typedef {import('@slack/types').RadioButtons} RadioButtons
 * @typedef {Checkboxes['options'][number]} Option
 */

/** @param {Option} option */
function keyOf(option) {
  return option.value ?? option.text.text;
}

/** @param {{ option: Option, type: 'checkbox' | 'radio', name: string, checked: boolean, onPick: (checked: boolean) => void }} props */
function Tick({ option, type, name, checked, onPick }) {
  return html`<label class="tick">
    <input
      type=${type}
      name=${name}
      checked=${checked}
      onChange=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => onPick(event.currentTarget.checked)}
    />
    <span class="tick-words">
      <${TextView} text=${option.text} />
      ${option.description && html`<span class="choice-detail"><${TextView} text=${option.description} /></span>`}
    </span>
  </label>`;
}

/** @param {import('./use-element.js').ElementProps<Checkboxes | RadioButtons>} props */
export function Choices({ element, blockId, name, field }) {
  const { value, change, pending } = useElement({ element, blockId, field });
  const group = useId();
  const chosen =
    value?.type === 'checkboxes'
      ? value.selected_options
      : value?.type === 'radio_buttons' && value.selected_option !== null
        ? [value.selected_option]
        : [];
  const keys = new Set(chosen.map((option) => option.value ?? option.text.text));
  const pick = (/** @type {Option} */ option, /** @type {boolean} */ checked) => {
    if (element.type === 'radio_buttons') {
      change({ type: 'radio_buttons', selected_option: fromServer(option) });
      return;
    }
    const wanted = (/** @type {Option} */ each) =>
      keyOf(each) === keyOf(option) ? checked : keys.has(keyOf(each));
    change({ type: 'checkboxes', selected_options: fromServer(element.options.filter(wanted)) });
  };
  const role = element.type === 'radio_buttons' ? 'radiogroup' : 'group';
  return html`<div
    class=${pending ? 'ticks is-pending' : 'ticks'}
    role=${role}
    aria-label=${field === undefined ? (name ?? 'Options') : undefined}
    aria-labelledby=${field && `${field.id}-label`}
    aria-describedby=${field?.described}
  >
    ${element.options.map(
      (option) =>
        html`<${Tick}
          option=${option}
          type=${element.type === 'radio_buttons' ? 'radio' : 'checkbox'}
          name=${group}
          checked=${keys.has(keyOf(option))}
          onPick=${(/** @type {boolean} */ checked) => pick(option, checked)}
        />`,
    )}
  </div>`;
}
