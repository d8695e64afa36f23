import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pageBlocks } from '../blocks/block-types.js';
import { BlockList } from '../blocks/block-view.js';
import { useShell } from '../contexts.js';
import { Surface } from '../surface.js';
import { plainWords } from '../text/mrkdwn-view.js';

/**
 * @typedef {import('../../protocol.ts').DrawnView} DrawnView
 * @typedef {import('../../gestures/gestures.ts').StateValues} StateValues
 * @typedef {Readonly<Record<string, string>>} Errors
 *
 * @typedef {object} ViewFormProps
 * @property {DrawnView} view
 * @property {Errors} errors by block id
 * @property {string | undefined} trouble the error of the last submission
 * @property {boolean} onTop
 * @property {boolean} stacked whether another view is below
 * @property {(all: boolean) => void} onClose
 */

/** Submits a view. Errors come back as an event. @param {DrawnView} view */
function useSubmission(view) {
  const { session } = useShell();
  const values = useRef(/** @type {StateValues} */ ({}));
  const [failure, setFailure] = useState(/** @type {string | undefined} */ (undefined));
  const [sending, setSending] = useState(0);
  const submit = async () => {
    setFailure(undefined);
    setSending((before) => before + 1);
    const outcome = await session.gesture('submit', { view_id: view.id, values: values.current });
    setSending((before) => before - 1);
    if (!outcome.ok && outcome.error !== 'view_errors') setFailure(outcome.message);
  };
  return { values, failure, sending: sending > 0, submit };
}

/** @param {HTMLFormElement | null} form @param {readonly string[]} selectors the first that matches gets the focus */
function focusFirst(form, selectors) {
  const field = selectors
    .map((selector) => form?.querySelector(selector))
    .find((found) => found instanceof HTMLElement);
  if (field instanceof HTMLElement) field.focus();
}

/** Puts the focus where the person continues. @param {import('preact').RefObject<HTMLFormElement | null>} form @param {boolean} onTop @param {Errors} errors */
function useFocus(form, onTop, errors) {
  useLayoutEffect(() => {
    if (!onTop) return;
    const field = '.view-body :is(input, textarea, select, button)';
    focusFirst(form.current, ['[data-focus=true]', field, '.view-foot button[type=submit]']);
  }, [onTop]);
  useLayoutEffect(() => {
    if (Object.keys(errors).length > 0) focusFirst(form.current, ['[aria-invalid=true]', '.has-error input']);
  }, [errors]);
}

/** @param {{ view: DrawnView, sending: boolean, onClose: () => void }} props */
function Foot({ view, sending, onClose }) {
  return html`<footer class="view-foot">
    <button type="button" class="button" onClick=${onClose}>
      ${view.close === null ? 'Cancel' : view.close.text}
    </button>
    ${
      view.submit &&
      html`<button
        type="submit"
        class=${sending ? 'button button-primary is-pending' : 'button button-primary'}
        aria-busy=${sending ? 'true' : undefined}
      >
        ${view.submit.text}
      </button>`
    }
  </footer>`;
}

/** One view of a modal: title, blocks, and the buttons to close or submit it. @param {ViewFormProps} props */
export function ViewForm({ view, errors, trouble, onTop, stacked, onClose }) {
  const { values, failure, sending, submit } = useSubmission(view);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useFocus(form, onTop, errors);
  const title = useId();
  const blocks = pageBlocks(view.blocks);
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void submit();
  };
  const problem = sending ? undefined : (failure ?? trouble);
  return html`<form
    class="view"
    ref=${form}
    hidden=${!onTop}
    novalidate
    onSubmit=${send}
    aria-labelledby=${title}
    data-view=${view.id}
  >
    <header class="view-head">
      ${stacked && html`<button type="button" class="button button-icon" aria-label="Back" onClick=${() => onClose(false)}>‹</button>`}
      <h2 id=${title}>
        ${view.title === null ? 'Bellhop' : plainWords({ type: 'plain_text', text: view.title.text })}
      </h2>
      <button type="button" class="button button-icon" aria-label="Close" onClick=${() => onClose(true)}>
        ×
      </button>
    </header>
    <div class="view-body">
      ${
        problem !== undefined &&
        html`<div class="block-alert alert-error" role="alert">
          <span class="alert-mark" aria-hidden="true">✕</span>
          <b>${problem}</b>
        </div>`
      }
      <${Surface}
        container=${{ type: 'view', view_id: view.id }}
        blocks=${blocks}
        errors=${errors}
        onValues=${(/** @type {StateValues} */ entered) => {
          values.current = entered;
        }}
      >
        <${BlockList} blocks=${blocks} />
      <//>
    </div>
    <${Foot} view=${view} sending=${sending} onClose=${() => onClose(false)} />
  </form>`;
}
