import { html } from 'htm/preact';
import { useId, useRef } from 'preact/hooks';
import { useFloating } from './floating.js';
import { useComboboxState } from './combobox-state.js';

/**
 * @typedef {import('./combobox-state.js').Item} Item
 * @typedef {import('./combobox-state.js').ComboboxProps} ComboboxProps
 * @typedef {ReturnType<typeof useComboboxState>} ComboboxState
 */

/** @param {{ item: Item, id: string, active: boolean, chosen: boolean, onPick: () => void }} props */
function Choice({ item, id, active, chosen, onPick }) {
  const reveal = (/** @type {HTMLElement | null} */ node) => {
    if (active) node?.scrollIntoView({ block: 'nearest' });
  };
  return html`<div
    ref=${reveal}
    id=${id}
    role="option"
    class=${active ? 'choice is-active' : 'choice'}
    aria-selected=${chosen ? 'true' : 'false'}
    onMouseDown=${(/** @type {MouseEvent} */ event) => event.preventDefault()}
    onClick=${(/** @type {MouseEvent} */ event) => {
      event.stopPropagation();
      onPick();
    }}
  >
    <span>${item.words}</span>
    ${item.detail && html`<span class="choice-detail">${item.detail}</span>`}
    ${chosen && html`<span class="choice-mark" aria-hidden="true">✓</span>`}
  </div>`;
}

/** @param {{ state: ComboboxState, id: string }} props */
function Choices({ state, id }) {
  const { groups, items, active, chosenKeys, status, pick } = state;
  if (items.length === 0) return html`<div class="choice-note" role="status">${status}</div>`;
  return groups.map(
    (group, index) =>
      html`<div role="group" aria-label=${group.label ?? 'Options'} key=${index}>
        ${group.label && html`<div class="choice-group" aria-hidden="true">${group.label}</div>`}
        ${group.items.map(
          (item) =>
            html`<${Choice}
              key=${item.key}
              item=${item}
              id=${`${id}-${String(items.indexOf(item))}`}
              active=${items[active] === item}
              chosen=${chosenKeys.has(item.key)}
              onPick=${() => pick(item)}
            />`,
        )}
      </div>`,
  );
}

/** @param {{ chosen: readonly Item[], onRemove: (item: Item) => void }} props */
function Chips({ chosen, onRemove }) {
  return chosen.map(
    (item) =>
      html`<span class="chip" key=${item.key}>
        ${item.words}
        <button
          type="button"
          class="chip-remove"
          aria-label=${`Remove ${item.words}`}
          onClick=${() => onRemove(item)}
        >
          ×
        </button>
      </span>`,
  );
}

/**
 * A select with typing: one value or several, from a given list or one that is requested.
 * @param {ComboboxProps} props
 */
export function Combobox(props) {
  const { multi, chosen, placeholder, attributes, pending, clearable = false } = props;
  const state = useComboboxState(props);
  const id = useId();
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const panel = useRef(/** @type {HTMLDivElement | null} */ (null));
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useFloating(box, panel, state.open, state.items);
  const single = multi ? undefined : chosen[0]?.words;
  return html`<div
    class=${['combobox', pending && 'is-pending', attributes['aria-invalid'] && 'is-invalid'].filter(Boolean).join(' ')}
    ref=${box}
    onClick=${() => {
      input.current?.focus();
      state.show();
    }}
  >
    ${multi && html`<${Chips} chosen=${chosen} onRemove=${state.remove} />`}
    <input
      ref=${input}
      role="combobox"
      type="text"
      autocomplete="off"
      ...${attributes}
      aria-expanded=${state.open ? 'true' : 'false'}
      aria-controls=${`${id}-list`}
      aria-autocomplete="list"
      aria-busy=${pending ? 'true' : undefined}
      aria-activedescendant=${state.open && state.items.length > 0 ? `${id}-${String(state.active)}` : undefined}
      placeholder=${state.open ? (single ?? placeholder) : placeholder}
      value=${state.open ? state.query : (single ?? '')}
      onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => state.type(event.currentTarget.value)}
      onKeyDown=${state.key}
      onBlur=${state.hide}
    />
    ${
      clearable &&
      single !== undefined &&
      html`<button type="button" class="chip-remove" aria-label="Clear the choice" onClick=${state.clear}>
        ×
      </button>`
    }
    <span class="combobox-arrow" aria-hidden="true">⌄</span>
    ${
      state.open &&
      html`<div
        ref=${panel}
        popover="manual"
        class="panel"
        id=${`${id}-list`}
        role="listbox"
        aria-label="Options"
        aria-multiselectable=${multi ? 'true' : undefined}
      >
        <${Choices} state=${state} id=${id} />
      </div>`
    }
  </div>`;
}
