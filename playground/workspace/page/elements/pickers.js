import { html } from 'htm/preact';
import { useRef } from 'preact/hooks';
import { labelled, useElement } from './use-element.js';

/**
 * @typedef {import('@slack/types').Datepicker | import('@slack/types').Timepicker | import('@slack/types').DateTimepicker} Picker
 * @typedef {import('../../gestures/gestures.ts').ElementValue} ElementValue
 * @typedef {Event & { currentTarget: HTMLInputElement }} InputChange
 */

const inputTypes = /** @type {const} */ ({
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
});
const names = /** @type {const} */ ({
  datepicker: 'Date',
  timepicker: 'Time',
  datetimepicker: 'Date and time',
});

/** Local wall time as a datetime-local input has it. @param {number} seconds */
function wallTime(seconds) {
  const moment = new Date(seconds * 1000);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param {ElementValue | undefined} value */
function shownValue(value) {
  if (value?.type === 'datepicker') return value.selected_date ?? '';
  if (value?.type === 'timepicker') return value.selected_time ?? '';
  if (value?.type !== 'datetimepicker' || value.selected_date_time === null) return '';
  return wallTime(value.selected_date_time);
}

/** @param {Picker['type']} type @param {string} entered @returns {ElementValue} */
function valueFrom(type, entered) {
  if (type === 'datepicker') return { type, selected_date: entered === '' ? null : entered };
  if (type === 'timepicker') return { type, selected_time: entered === '' ? null : entered.slice(0, 5) };
  return { type, selected_date_time: entered === '' ? null : Math.round(new Date(entered).getTime() / 1000) };
}

/**
 * Date, time, or both. A half-typed date is often a valid but wrong one, so the bot receives it
 * when the person leaves the field or presses Enter; a choice from the calendar counts at once.
 * @param {import('./use-element.js').ElementProps<Picker>} props
 */
export function PickerElement({ element, blockId, name, field }) {
  const { value, pending, enter, change } = useElement({ element, blockId, field });
  const typing = useRef(false);
  const lastSent = useRef(shownValue(value));
  const settle = (/** @type {InputChange} */ event) => {
    const entered = event.currentTarget.value;
    if (entered === lastSent.current) return;
    lastSent.current = entered;
    change(valueFrom(element.type, entered));
  };
  const placeholder = 'placeholder' in element ? element.placeholder?.text : undefined;
  return html`<input
    class=${pending ? 'text-input picker is-pending' : 'text-input picker'}
    type=${inputTypes[element.type]}
    ...${labelled(element, field, placeholder ?? name ?? names[element.type])}
    value=${shownValue(value)}
    onKeyDown=${(/** @type {KeyboardEvent & InputChange} */ event) => {
      typing.current = event.key !== 'Enter';
      if (event.key === 'Enter' && !event.isComposing) settle(event);
    }}
    onChange=${(/** @type {InputChange} */ event) => {
      enter(valueFrom(element.type, event.currentTarget.value));
      if (!typing.current) settle(event);
    }}
    onBlur=${settle}
  />`;
}
