import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useFloating } from './floating.js';

/**
 * @typedef {object} MenuItem
 * @property {string} key
 * @property {string} text
 * @property {string} [detail]
 * @property {boolean} [danger]
 * @property {() => void} onPick
 */

/** @param {HTMLElement | null} menu @param {number} step */
function moveFocus(menu, step) {
  const items = [...(menu?.querySelectorAll('[role=menuitem]') ?? [])].filter(
    (node) => node instanceof HTMLElement,
  );
  const at = items.findIndex((node) => node === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
}

/** @param {{ panel: import('preact').RefObject<HTMLDivElement | null>, id: string, label: string, items: readonly MenuItem[], onPick: (item: MenuItem) => void, onClose: () => void }} props */
function Menu({ panel, id, label, items, onPick, onClose }) {
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'ArrowDown') moveFocus(panel.current, 1);
    else if (event.key === 'ArrowUp') moveFocus(panel.current, -1);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div
    ref=${panel}
    popover="manual"
    class="panel"
    id=${id}
    role="menu"
    aria-label=${label}
    onKeyDown=${key}
  >
    ${items.map(
      (item) =>
        html`<button
          type="button"
          role="menuitem"
          class=${item.danger ? 'choice is-danger' : 'choice'}
          key=${item.key}
          tabindex="-1"
          onClick=${() => onPick(item)}
        >
          ${item.text} ${item.detail && html`<span class="choice-detail">${item.detail}</span>`}
        </button>`,
    )}
  </div>`;
}

/**
 * A button with a menu behind it.
 * @param {object} props
 * @param {string} props.label
 * @param {readonly MenuItem[]} props.items
 * @param {boolean} [props.pending]
 * @param {import('preact').ComponentChildren} props.children what the button shows
 */
export function MenuButton({ label, items, pending = false, children }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const trigger = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const panel = useRef(/** @type {HTMLDivElement | null} */ (null));
  useFloating(trigger, panel, open, items.length);
  useLayoutEffect(() => {
    if (open) moveFocus(panel.current, 1);
  }, [open]);
  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
  const pick = (/** @type {MenuItem} */ item) => {
    close();
    item.onPick();
  };
  const left = (/** @type {FocusEvent} */ event) => {
    const { relatedTarget: to } = event;
    if (!(to instanceof Node) || panel.current?.contains(to) !== true) setOpen(false);
  };
  return html`<span class="overflow" onFocusOut=${left}>
    <button
      ref=${trigger}
      type="button"
      class=${pending ? 'button button-icon is-pending' : 'button button-icon'}
      aria-label=${label}
      aria-haspopup="menu"
      aria-expanded=${open ? 'true' : 'false'}
      aria-controls=${open ? id : undefined}
      onClick=${() => setOpen(!open)}
    >
      ${children}
    </button>
    ${open && html`<${Menu} panel=${panel} id=${id} label=${label} items=${items} onPick=${pick} onClose=${close} />`}
  </span>`;
}
