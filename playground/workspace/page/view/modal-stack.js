import { html } from 'htm/preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { useEscape } from '../shell/keyboard.js';
import { ViewForm } from './view-form.js';

/**
 * @typedef {import('../workspace-state.js').Workspace} Workspace
 * @typedef {import('../../protocol.ts').DrawnView} DrawnView
 */

/** One object, so that a view without errors is not taken for changed. */
const noErrors = Object.freeze({});

/**
 * The stacked modals of this page. Only the top one is visible; the others keep their entered values.
 * @param {{ views: readonly DrawnView[], viewErrors: Workspace['viewErrors'], troubles: Workspace['troubles'] }} props
 */
export function ModalStack({ views, viewErrors, troubles }) {
  const { session, say } = useShell();
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const open = useCallback((/** @type {HTMLDialogElement | null} */ node) => {
    dialog.current = node;
    node?.showModal();
  }, []);
  useLayoutEffect(() => () => dialog.current?.close(), []);
  /** Views that are closing but still drawn, so that Esc after Cancel or a second click does nothing more. */
  const closing = useRef(new Set());
  const close = async (/** @type {DrawnView | undefined} */ view, /** @type {boolean} */ all) => {
    if (view === undefined || closing.current.has(view.id)) return;
    closing.current.add(view.id);
    const outcome = await session.gesture('close', { view_id: view.id, all });
    if (outcome.ok) return;
    closing.current.delete(view.id);
    say(outcome.message);
  };
  useEscape(() => void close(views.at(-1), false));
  const title = views.at(-1)?.title?.text ?? 'Bellhop';
  return html`<dialog
    ref=${open}
    class="modal"
    aria-label=${title}
    onCancel=${(/** @type {Event} */ event) => event.preventDefault()}
  >
    ${views.map(
      (view, index) =>
        html`<${ViewForm}
          key=${view.id}
          view=${view}
          errors=${viewErrors[view.id] ?? noErrors}
          trouble=${troubles[view.id]}
          onTop=${index === views.length - 1}
          stacked=${index > 0}
          onClose=${(/** @type {boolean} */ all) => void close(view, all)}
        />`,
    )}
  </dialog>`;
}
