import { html } from 'htm/preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { SurfaceContext, useShell } from './contexts.js';
import { initialValueOf, keptValues } from './element-value.js';

/**
 * @typedef {import('../gestures/gestures.ts').Container} Container
 * @typedef {import('../gestures/gestures.ts').ElementValue} ElementValue
 * @typedef {import('../gestures/gestures.ts').Outcome} Outcome
 * @typedef {import('../gestures/gestures.ts').StateValues} StateValues
 * @typedef {import('./blocks/block-types.js').Element} Element
 * @typedef {import('./blocks/block-types.js').PageBlock} PageBlock
 *
 * @typedef {{ blockId: string, actionId: string }} Spot the place of an element on its surface
 *
 * @typedef {object} SurfaceValue a message or a view, for the elements on it
 * @property {(spot: Spot, element: Element) => ElementValue | undefined} valueOf
 * @property {(spot: Spot, value: ElementValue) => void} enter stores a value on the page until it is sent
 * @property {(spot: Spot, element: Element, value: ElementValue) => Promise<void>} act sends the click or value to the bot, after the element's own confirmation
 * @property {(spot: Spot) => boolean} isPending
 * @property {(spot: Spot, typed: string) => Promise<Outcome>} options
 * @property {Readonly<Record<string, string>>} errors by block id
 */

/** @param {Element} element */
function questionOf(element) {
  const confirm = 'confirm' in element ? element.confirm : undefined;
  if (confirm === undefined) return undefined;
  return {
    title: confirm.title?.text ?? 'Are you sure?',
    text: confirm.text,
    confirm: confirm.confirm?.text ?? 'Yes',
    deny: confirm.deny?.text ?? 'Cancel',
    danger: confirm.style === 'danger',
  };
}

/** @param {Spot} spot */
function keyOf({ blockId, actionId }) {
  return JSON.stringify([blockId, actionId]);
}

/**
 * Keeps the values that a person entered on one message or view, and sends their actions to the server.
 * @param {object} props
 * @param {Container} props.container
 * @param {readonly PageBlock[]} props.blocks
 * @param {Readonly<Record<string, string>>} [props.errors]
 * @param {(values: StateValues) => void} [props.onValues]
 * @param {import('preact').ComponentChildren} [props.children]
 */
export function Surface({ container, blocks, errors = {}, onValues, children }) {
  const { session, say, ask } = useShell();
  const [entered, setEntered] = useState(/** @type {StateValues} */ ({}));
  const [pending, setPending] = useState(/** @type {Record<string, number>} */ ({}));
  const values = useMemo(() => keptValues(entered, blocks), [entered, blocks]);
  useLayoutEffect(() => onValues?.(values), [values]);

  const count = (/** @type {string} */ key, /** @type {number} */ step) =>
    setPending((before) => ({ ...before, [key]: (before[key] ?? 0) + step }));

  /** @type {SurfaceValue} */
  const surface = {
    errors,
    valueOf: (spot, element) => values[spot.blockId]?.[spot.actionId] ?? initialValueOf(element),
    enter: (spot, value) =>
      setEntered((before) => ({
        ...before,
        [spot.blockId]: { ...before[spot.blockId], [spot.actionId]: value },
      })),
    isPending: (spot) => (pending[keyOf(spot)] ?? 0) > 0,
    options: (spot, typed) =>
      session.gesture('options', {
        container,
        block_id: spot.blockId,
        action_id: spot.actionId,
        value: typed,
      }),
    act: async (spot, element, value) => {
      const question = questionOf(element);
      if (question !== undefined && !(await ask(question))) return;
      const stateful = initialValueOf(element) !== undefined;
      if (stateful) surface.enter(spot, value);
      const standing = stateful
        ? { ...values, [spot.blockId]: { ...values[spot.blockId], [spot.actionId]: value } }
        : values;
      count(keyOf(spot), 1);
      const outcome = await session.gesture('action', {
        container,
        block_id: spot.blockId,
        action_id: spot.actionId,
        value,
        values: standing,
      });
      count(keyOf(spot), -1);
      if (!outcome.ok) say(outcome.message);
    },
  };
  return html`<${SurfaceContext.Provider} value=${surface}>${children}<//>`;
}
