import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { faultPresets, faultTargets, faultWords } from './drill-facts.js';

/**
 * @typedef {import('../../drill-protocol.ts').Drills} Drills
 * @typedef {import('../../drill-protocol.ts').ServiceFault} ServiceFault
 */

/** @param {{ faults: Drills['service']['faults'], onClear: (endpoint: string) => void }} props */
function FaultList({ faults, onClear }) {
  const on = faultTargets.filter(({ endpoint }) => faults[endpoint] !== undefined);
  if (on.length === 0) return html`<p class="quiet">No faults active.</p>`;
  return html`<ul class="faults">
    ${on.map(
      ({ endpoint, label }) =>
        html`<li key=${endpoint}>
          <span><b>${label}</b> ${faultWords(faults[endpoint] ?? {})}</span>
          <button
            type="button"
            class="button button-small"
            aria-label=${`Turn off: ${label}`}
            onClick=${() => onClear(endpoint)}
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
  const [chosen, choose] = useState('all');
  const [once, setOnce] = useState(false);
  const put = async (/** @type {string} */ endpoint, /** @type {ServiceFault | null} */ fault) => {
    const outcome = await session.gesture('service-fault', { endpoint, fault });
    if (!outcome.ok) say(outcome.message);
  };
  const pick = (/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) =>
    choose(event.currentTarget.value);
  if (!service.available) {
    return html`<section aria-label="Break the service">
      <h3>Break the service</h3>
      <p class="quiet">
        This workspace was started without a local service, so there are no faults to switch on.
      </p>
    </section>`;
  }
  return html`<section aria-label="Break the service">
    <h3>Break the service</h3>
    <label class="drill-field"
      >On
      <select class="text-input" value=${chosen} onChange=${pick}>
        ${faultTargets.map(({ endpoint, label }) => html`<option key=${endpoint} value=${endpoint}>${label}</option>`)}
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
            onClick=${() => void put(chosen, once ? { ...fault, times: 1 } : fault)}
          >
            <b>${name}</b> <span class="quiet">${effect}</span>
          </button>`,
      )}
    </div>
    <${FaultList}
      faults=${service.faults}
      onClear=${(/** @type {string} */ endpoint) => void put(endpoint, null)}
    />
  </section>`;
}
