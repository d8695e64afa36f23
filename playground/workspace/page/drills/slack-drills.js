import { html } from 'htm/preact';
import { useShell } from '../contexts.js';

/** @typedef {import('../../drill-protocol.ts').SlackDrills} SlackDrillsState */

/** @param {{ label: string, unit: string, value: number, most: number, step?: number, onSet: (value: number) => void }} props */
function Amount({ label, unit, value, most, step = 1, onSet }) {
  const set = (/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => {
    const next = Number(event.currentTarget.value);
    if (Number.isInteger(next) && next >= 0 && next <= most) onSet(next);
  };
  return html`<label class=${value > 0 ? 'drill-field is-on' : 'drill-field'}>
    <span>${label}</span>
    <input class="text-input" type="number" min="0" max=${most} step=${step} value=${value} onChange=${set} />
    <span class="quiet">${unit}</span>
  </label>`;
}

/** @param {{ label: string, on: boolean, onSet: (on: boolean) => void }} props */
export function Switch({ label, on, onSet }) {
  return html`<button
    type="button"
    class=${on ? 'switch is-on' : 'switch'}
    role="switch"
    aria-checked=${on ? 'true' : 'false'}
    onClick=${() => onSet(!on)}
  >
    <span>${label}</span><span class="switch-state" aria-hidden="true">${on ? 'on' : 'off'}</span>
  </button>`;
}

const optionalScopes = ['app_mentions:read', 'files:write', 'im:history', 'usergroups:read'];

/** Faults of Slack. @param {{ slack: SlackDrillsState }} props */
export function SlackDrills({ slack }) {
  const { session, say } = useShell();
  const set = async (/** @type {Partial<SlackDrillsState>} */ drills) => {
    const outcome = await session.gesture('slack-drills', { drills });
    if (!outcome.ok) say(outcome.message);
  };
  return html`<section aria-label="Make Slack misbehave">
    <h3>Make Slack misbehave</h3>
    <${Amount}
      label="Deliver the next payload again"
      unit="times"
      value=${slack.redeliver}
      most=${10}
      onSet=${(/** @type {number} */ redeliver) => void set({ redeliver })}
    />
    <${Amount}
      label="Lose the next acks"
      unit="acks"
      value=${slack.lose_ack}
      most=${10}
      onSet=${(/** @type {number} */ lose) => void set({ lose_ack: lose })}
    />
    <${Amount}
      label="Delay every payload"
      unit="ms"
      value=${slack.dispatch_delay_ms}
      most=${10_000}
      step=${500}
      onSet=${(/** @type {number} */ delay) => void set({ dispatch_delay_ms: delay })}
    />
    <${Switch}
      label="Rate-limit the Web API (429)"
      on=${slack.rate_limit.length > 0}
      onSet=${(/** @type {boolean} */ on) => void set({ rate_limit: on ? ['*'] : [] })}
    />
    <${Switch}
      label="Web API down (503)"
      on=${slack.web_api_down}
      onSet=${(/** @type {boolean} */ on) => void set({ web_api_down: on })}
    />
    <${Switch}
      label="Withhold the app's optional scopes"
      on=${slack.withheld.length > 0}
      onSet=${(/** @type {boolean} */ on) => void set({ withheld: on ? optionalScopes : [] })}
    />
  </section>`;
}
