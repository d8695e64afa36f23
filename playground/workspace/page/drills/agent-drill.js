import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { Choice } from './alert-drill.js';

/** @typedef {import('../../drill-protocol.ts').AgentDrill} Agent */

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/**
 * An agent reads, suggests a reboot to people, and follows its state.
 * @param {{ agent: Agent, instances: readonly string[] }} props
 */
export function AgentDrill({ agent, instances }) {
  const { session, say } = useShell();
  const [instance, setInstance] = useState(instances[0] ?? '');
  const [busy, setBusy] = useState(false);
  const suggest = async () => {
    setBusy(true);
    const outcome = await session.gesture('agent', { instance });
    setBusy(false);
    if (!outcome.ok) say(outcome.message);
  };
  if (!agent.available)
    return html`<section aria-label="Agent">
      <h3>Agent</h3>
      <p class="quiet">This workspace was started without an agent.</p>
    </section>`;
  return html`<section aria-label="Agent">
    <h3>Agent</h3>
    <${Choice} label="Instance" value=${instance} options=${instances} onPick=${setInstance} />
    <div class="presets">
      <button type="button" class="preset" disabled=${busy} onClick=${() => void suggest()}>
        <b>An agent suggests…</b> <span class="quiet">rebooting ${instance} after an alert</span>
      </button>
    </div>
    ${
      agent.steps.length > 0 &&
      html`<ol class="faults agent-steps" aria-label="What the agent does">
        ${agent.steps.map(
          ({ at, text }) =>
            html`<li key=${`${String(at)} ${text}`}>
              <span><span class="quiet">${clockTime.format(at)}</span> ${text}</span>
            </li>`,
        )}
      </ol>`
    }
  </section>`;
}
