import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useEscape } from '../shell/keyboard.js';
import { TextView } from '../text/mrkdwn-view.js';

/**
 * The question of a confirm object. Esc is no.
 * @param {{ question: import('../contexts.js').Question, onAnswer: (yes: boolean) => void }} props
 */
export function ConfirmDialog({ question, onAnswer }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  useEscape(() => onAnswer(false));
  const look = question.danger ? 'button button-danger' : 'button button-primary';
  return html`<dialog
    ref=${dialog}
    class="confirm"
    role="alertdialog"
    aria-labelledby=${`${id}-title`}
    aria-describedby=${`${id}-text`}
    onCancel=${(/** @type {Event} */ event) => event.preventDefault()}
  >
    <h2 id=${`${id}-title`}>${question.title}</h2>
    <div id=${`${id}-text`}><${TextView} text=${question.text} /></div>
    <div class="confirm-answers">
      <button type="button" class="button" autofocus=${question.danger} onClick=${() => onAnswer(false)}>
        ${question.deny}
      </button>
      <button type="button" class=${look} autofocus=${!question.danger} onClick=${() => onAnswer(true)}>
        ${question.confirm}
      </button>
    </div>
  </dialog>`;
}
