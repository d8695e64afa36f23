import { html } from 'htm/preact';
import { useDirectory, useShell } from '../contexts.js';
import { Switch } from './slack-drills.js';

/** @typedef {import('../../drill-protocol.ts').ScheduleDrill} Schedule */

/** Shows and changes who is on call in the calendar that a bot reads here. @param {{ schedule: Schedule }} props */
export function ScheduleDrill({ schedule }) {
  const { session, say } = useShell();
  const { people } = useDirectory();
  const set = async (/** @type {Partial<Schedule>} */ change) => {
    const outcome = await session.gesture('schedule', { schedule: { ...schedule, ...change } });
    if (!outcome.ok) say(outcome.message);
  };
  const pick = (/** @type {Event & { currentTarget: HTMLSelectElement }} */ { currentTarget }) =>
    void set({ on_call: currentTarget.value || null });
  const candidates = people.filter((person) => !person.is_bot && !person.is_stranger);
  return html`<section aria-label="Who is on call">
    <h3>Who is on call</h3>
    <label class="drill-field"
      >On call now
      <select class="text-input" value=${schedule.on_call ?? ''} onChange=${pick}>
        ${candidates.map(({ id, real_name: name }) => html`<option key=${id} value=${id}>${name}</option>`)}
        <option value="">No one</option>
      </select></label
    >
    <${Switch}
      label="Calendar down (503)"
      on=${schedule.down}
      onSet=${(/** @type {boolean} */ down) => void set({ down })}
    />
    <p class="quiet">
      Bellhop polls this calendar every minute: <a href="/schedule.ics">${location.origin}/schedule.ics</a>
    </p>
  </section>`;
}
