import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fromServer } from '../from-server.js';
import { plainWords } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';
import { useFloating } from './floating.js';
import { useElement } from './use-element.js';

/**
 * @typedef {import('@slack/types').Overflow} Overflow
 * @typedef {Overflow['options'][number]} Option
 */

/** @param {HTMLElement | null} menu @param {number} step */
function moveFocus(menu, step) {
  const items = [...(menu?.querySelectorAll('[role=menuitem]') ?? [])].filter(
    (node) => node instanceof HTMLElement,
  );
  const at = items.findIndex((node) => node === document.activeElement);
  items[(at + step + items.length) % items.length]?.focus();
}

/** @param {{ panel: import('preact').RefObject<HTMLDivElement | null>, id: string, options: Option[], onPick: (option: Option) => void, onClose: () => void }} props */
function Menu({ panel, id, options, onPick, onClose }) {
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
    aria-label="More actions"
    onKeyDown=${key}
  >
    ${options.map(
      (option) =>
        html`<button
          type="button"
          role="menuitem"
          class="choice"
          tabindex="-1"
          onClick=${() => onPick(option)}
        >
          ${plainWords(option.text)}
          ${option.description && html`<span class="choice-detail">${plainWords(option.description)}</span>`}
        </button>`,
    )}
  </div>`;
}

/** The three dots with more to do behind them. @param {import('./use-element.js').ElementProps<Overflow>} props */
export function OverflowMenu({ element, blockId }) {
  const { pending, send } = useElement({ element, blockId });
  const [open, setOpen] = useState(false);
  const id = useId();
  const trigger = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const panel = useRef(/** @type {HTMLDivElement | null} */ (null));
  useFloating(trigger, panel, open, element.options);
  useLayoutEffect(() => {
    if (open) moveFocus(panel.current, 1);
  }, [open]);
  const close = () => {
    setOpen(false);
    trigger.current?.focus();
  };
  const pick = (/** @type {Option} */ option) => {
    close();
    const url = safeUrl(option.url);
    if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
    void send({ type: 'overflow', selected_option: fromServer(option) });
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
      aria-label="More actions"
      aria-haspopup="menu"
      aria-expanded=${open ? 'true' : 'false'}
      aria-controls=${open ? id : undefined}
      onClick=${() => setOpen(!open)}
    >
      ⋯
    </button>
    ${open && html`<${Menu} panel=${panel} id=${id} options=${element.options} onPick=${pick} onClose=${close} />`}
  </span>`;
}
