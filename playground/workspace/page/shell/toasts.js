import { html } from 'htm/preact';
import { useEffect } from 'preact/hooks';

/** @typedef {import('../workspace-state.js').Toast} Toast */

const shownMs = 12_000;

/** @param {{ toast: Toast, onDismiss: () => void }} props */
function ToastView({ toast, onDismiss }) {
  useEffect(() => {
    const timer = setTimeout(onDismiss, shownMs);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class="toast">
    <span aria-hidden="true">⚠</span>
    <span class="toast-words">${toast.text}</span>
    <button type="button" class="button button-icon" aria-label="Dismiss" onClick=${onDismiss}>×</button>
  </div>`;
}

/** Shows each problem once. @param {{ toasts: readonly Toast[], onDismiss: (id: number) => void }} props */
export function Toasts({ toasts, onDismiss }) {
  return html`<div class="toasts" role="alert" aria-label="Notices">
    ${toasts.map((toast) => html`<${ToastView} key=${toast.id} toast=${toast} onDismiss=${() => onDismiss(toast.id)} />`)}
  </div>`;
}
