import { useSurface } from '../contexts.js';

/**
 * @typedef {import('../blocks/block-types.js').Element} Element
 * @typedef {import('../../gestures/gestures.ts').ElementValue} ElementValue
 *
 * @typedef {object} Field data of an input block for its element
 * @property {string} id the label's `for`
 * @property {string | undefined} described ids of hint and error
 * @property {boolean} invalid
 * @property {boolean} dispatches whether the bot receives each change
 * @property {boolean} optional
 */

/**
 * @template {Element} Kind
 * @typedef {object} ElementProps
 * @property {Kind} element
 * @property {string} blockId
 * @property {string | undefined} name its label, if it has no text of its own
 * @property {Field | undefined} field set in an input block, whose values are sent only on submission
 */

/**
 * The value of an element, and the way to change it: sent at once outside of an input block, kept within.
 * @param {{ element: Element, blockId: string, field?: Field | undefined }} props
 */
export function useElement({ element, blockId, field }) {
  const surface = useSurface();
  const spot = { blockId, actionId: ('action_id' in element ? element.action_id : undefined) ?? '' };
  return {
    spot,
    surface,
    value: surface.valueOf(spot, element),
    pending: surface.isPending(spot),
    enter: (/** @type {ElementValue} */ value) => surface.enter(spot, value),
    send: (/** @type {ElementValue} */ value) => surface.act(spot, element, value),
    change: (/** @type {ElementValue} */ value) => {
      if (field === undefined || field.dispatches) void surface.act(spot, element, value);
      else surface.enter(spot, value);
    },
  };
}

/**
 * Attributes that tie a control to its label, hint and error.
 * @param {Element} element
 * @param {Field | undefined} field
 * @param {string | undefined} name
 */
export function labelled(element, field, name) {
  if (field === undefined) return { 'aria-label': name };
  const focused = 'focus_on_load' in element && element.focus_on_load;
  return {
    'data-focus': focused ? 'true' : undefined,
    id: field.id,
    'aria-describedby': field.described,
    'aria-invalid': field.invalid ? 'true' : undefined,
    'aria-required': field.optional ? undefined : 'true',
  };
}
