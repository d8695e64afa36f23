import { html } from 'htm/preact';
import { useShell } from '../contexts.js';

/** @typedef {import('../../drill-protocol.ts').StolenSessionDrill} Drill */

/** Clicks with a stolen session, which the person never made. @param {{ drill: Drill }} props */
export function StolenSessionDrill({ drill }) {
  const { session, say } = useShell();
  const run = async () => {
    const outcome = await session.gesture('stolen-session', {});
    if (!outcome.ok) say(outcome.message);
  };
  const { available, running, clicks, result } = drill;
  return html`<section aria-label="Stolen Slack session">
    <h3>Stolen Slack session</h3>
    ${
      available
        ? html`<div class="presets">
            <button type="button" class="preset" disabled=${running} onClick=${() => void run()}>
              <b>Steal Carol’s session</b>
              <span class="quiet"
                >Alice requests a reboot of db-1 in #general. Someone with Carol’s session presses Approve 50
                times</span
              >
            </button>
          </div>`
        : html`<p class="quiet">
            The rules in force require no sign-in, so the stolen session could approve.
          </p>`
    }
    ${
      (running || result !== '') &&
      html`<p role="status"><b>${String(clicks)} clicks as Carol.</b> ${running ? 'Pressing…' : result}</p>`
    }
  </section>`;
}
