import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { fromServer } from '../from-server.js';

/**
 * @typedef {import('../../drill-protocol.ts').AlertDrill} Alerts
 * @typedef {import('../../gestures/gestures.ts').GestureInput<'alert'>['alertname']} AlertName
 * @typedef {Event & { currentTarget: HTMLSelectElement }} Picking
 */

/** @param {{ label: string, value: string, options: readonly string[], onPick: (value: string) => void }} props */
export function Choice({ label, value, options, onPick }) {
  return html`<label class="drill-field"
    >${label}
    <select
      class="text-input"
      value=${value}
      onChange=${(/** @type {Picking} */ { currentTarget }) => onPick(currentTarget.value)}
    >
      ${options.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}
    </select></label
  >`;
}

/** @param {{ firing: Alerts['firing'], onResolve: (alert: Alerts['firing'][number]) => void }} props */
function Firing({ firing, onResolve }) {
  if (firing.length === 0) return html`<p class="quiet">No alerts firing.</p>`;
  return html`<ul class="faults">
    ${firing.map((alert) => {
      const { alertname: name, instance, problem } = alert;
      return html`<li key=${`${name} ${instance}`}>
        <span><b>${name}</b> ${instance}${problem !== '' && html`<br />${problem}`}</span>
        <button
          type="button"
          class="button button-small"
          aria-label=${`Resolve: ${name} ${instance}`}
          onClick=${() => onResolve(alert)}
        >
          Resolve
        </button>
      </li>`;
    })}
  </ul>`;
}

/** @param {Alerts['storm']} storm */
function stormWords({ total, waiting, refused }) {
  const told = `${String(total - waiting - refused)} of ${String(total)} alerts sent`;
  return refused === 0 ? told : `${told}, ${String(refused)} refused`;
}

/** Fires alerts at the bot, as Alertmanager does. @param {{ alerts: Alerts }} props */
export function AlertDrill({ alerts }) {
  const { session, say } = useShell();
  const [name, setName] = useState(alerts.names[0] ?? '');
  const [instance, setInstance] = useState(alerts.instances[0] ?? '');
  const [busy, setBusy] = useState(false);
  const tell = async (/** @type {'firing' | 'resolved'} */ status, alertname = name, about = instance) => {
    setBusy(true);
    /** @type {AlertName} */
    const known = fromServer(alertname);
    const outcome = await session.gesture('alert', { alertname: known, instance: about, status });
    setBusy(false);
    if (!outcome.ok) say(outcome.message);
  };
  const storm = async (/** @type {'firing' | 'resolved'} */ status) => {
    const outcome = await session.gesture('alert-storm', { status });
    if (!outcome.ok) say(outcome.message);
  };
  if (!alerts.available)
    return html`<section aria-label="Fire an alert">
      <h3>Fire an alert</h3>
      <p class="quiet">
        This workspace was started without a webhook of the bot, so no alert can be fired from here.
      </p>
    </section>`;
  return html`<section aria-label="Fire an alert">
    <h3>Fire an alert</h3>
    <${Choice} label="Alert" value=${name} options=${alerts.names} onPick=${setName} />
    <${Choice} label="About" value=${instance} options=${alerts.instances} onPick=${setInstance} />
    <div class="presets">
      <button type="button" class="preset" disabled=${busy} onClick=${() => void tell('firing')}>
        <b>Fire</b> <span class="quiet">${name} for ${instance}</span>
      </button>
      <button type="button" class="preset" onClick=${() => void storm('firing')}>
        <b>Storm</b> <span class="quiet">2,500 alerts at once</span>
      </button>
    </div>
    <${Firing}
      firing=${alerts.firing}
      onResolve=${(/** @type {Alerts['firing'][number]} */ alert) => void tell('resolved', alert.alertname, alert.instance)}
    />
    ${
      alerts.storm.total > 0 &&
      html`<ul class="faults">
        <li>
          <span><b>Storm</b> ${stormWords(alerts.storm)}</span>
          <button type="button" class="button button-small" onClick=${() => void storm('resolved')}>
            Resolve all
          </button>
        </li>
      </ul>`
    }
  </section>`;
}
