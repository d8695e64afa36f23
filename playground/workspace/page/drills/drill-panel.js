import { html } from 'htm/preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useShell } from '../contexts.js';
import { useFocusReturn } from '../shell/keyboard.js';
import { drillsOn } from './drill-facts.js';
import { AgentDrill } from './agent-drill.js';
import { AlertDrill } from './alert-drill.js';
import { ScheduleDrill } from './schedule-drill.js';
import { ServiceDrills } from './service-drills.js';
import { StolenSessionDrill } from './stolen-session-drill.js';
import { SlackDrills } from './slack-drills.js';
import { TwoPeopleDrill } from './two-people-drill.js';
import { WireLog } from './wire-log.js';

/**
 * @typedef {import('../../drill-protocol.ts').Drills} Drills
 * @typedef {import('../../drill-protocol.ts').WireEntry} WireEntry
 */

/**
 * The panel for drills: a team breaks things on purpose and reads the wire log.
 * @param {{ drills: Drills, wire: readonly WireEntry[], onWire: (entries: WireEntry[]) => void, onBecome: (as: string) => void, onClose: () => void }} props
 */
export function DrillPanel({ drills, wire, onWire, onBecome, onClose }) {
  const { session, say } = useShell();
  useFocusReturn();
  const close = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => close.current?.focus(), []);
  const clear = async () => {
    const outcome = await session.gesture('clear-drills', {});
    if (!outcome.ok) say(outcome.message);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') onClose();
  };
  const on = drillsOn(drills);
  return html`<aside class="side-panel drills" aria-label="Drill panel" onKeyDown=${key}>
    <header class="panel-head">
      <h2>Drills</h2>
      <button type="button" class="button button-small" disabled=${on === 0} onClick=${clear}>
        Clear all drills
      </button>
      <button
        ref=${close}
        type="button"
        class="button button-icon"
        aria-label="Close drill panel"
        onClick=${onClose}
      >
        ×
      </button>
    </header>
    <div class="panel-body">
      <p class="quiet">Break things on purpose and see what the bot reports.</p>
      <${AlertDrill} alerts=${drills.alerts} />
      <${TwoPeopleDrill} alerts=${drills.alerts} onBecome=${onBecome} />
      <${AgentDrill} agent=${drills.agent} instances=${drills.alerts.instances} />
      <${StolenSessionDrill} drill=${drills.stolen} />
      <${ScheduleDrill} schedule=${drills.schedule} />
      <${ServiceDrills} service=${drills.service} />
      <${SlackDrills} slack=${drills.slack} />
      <${WireLog} entries=${wire} onLoad=${onWire} />
    </div>
  </aside>`;
}
