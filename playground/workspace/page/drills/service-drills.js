import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { faultPresets, faultRows, faultWords } from './drill-facts.js';

/**
 * @typedef {import('../../protocol.ts').Drills} Drills
 * @typedef {import('../../protocol.ts').ServiceFault} ServiceFault
 * @typedef {import('./drill-facts.js').FaultRow} FaultRow
 */

/** @param {{ faults: Drills['service']['faults'], onClear: (row: FaultRow) => void }} props */
function FaultList({ faults, onClear }) {
  const on = faultRows.filter(({ row }) => faults[row] !== undefined);
  if (on.length === 0) return html`<p class="quiet">The service is well.</p>`;
  return html`<ul class="faults">
    ${on.map(
      ({ row, name }) =>
        html`<li key=${row}>
          <span><b>${name}</b> ${faultWords(faults[row] ?? {})}</span>
          <button
            type="button"
            class="button button-small"
            aria-label=${`Turn off: ${name}`}
            onClick=${() => onClear(row)}
          >
            Turn off
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Faults of the local service. @param {{ service: Drills['service'] }} props */
export function ServiceDrills({ service }) {
  const { session, say } = useShell();
  const [row, setRow] = useState(/** @type {FaultRow} */ ('all'));
  const [once, setOnce] = useState(false);
  const put = async (/** @type {FaultRow} */ which, /** @type {ServiceFault | null} */ fault) => {
    const outcome = await session.gesture('service-fault', { row: which, fault });
    if (!outcome.ok) say(outcome.message);
  };
  const pick = (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => {
    const chosen = faultRows.find((each) => each.row === event.currentTarget.value);
    if (chosen !== undefined) setRow(chosen.row);
  };
  if (!service.available) {
    return html`<section aria-label="Break the service">
      <h3>Break the service</h3>
      <p class="quiet">
        No local service was named at the start, so its faults cannot be switched from here.
      </p>
    </section>`;
  }
  return html`<section aria-label="Break the service">
    <h3>Break the service</h3>
    <label class="drill-field"
      >On
      <select class="text-input" value=${row} onChange=${pick}>
        ${faultRows.map((each) => html`<option key=${each.row} value=${each.row}>${each.name}</option>`)}
      </select></label
    >
    <label class="tick"
      ><input
        type="checkbox"
        checked=${once}
        onChange=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => setOnce(event.currentTarget.checked)}
      />
      <span>only the next call</span></label
    >
    <div class="presets">
      ${faultPresets.map(
        ({ name, effect, fault }) =>
          html`<button
            type="button"
            class="preset"
            key=${name}
            onClick=${() => void put(row, once ? { ...fault, times: 1 } : fault)}
          >
            <b>${name}</b> <span class="quiet">${effect}</span>
          </button>`,
      )}
    </div>
    <${FaultList}
      faults=${service.faults}
      onClear=${(/** @type {FaultRow} */ which) => void put(which, null)}
    />
  </section>`;
}
