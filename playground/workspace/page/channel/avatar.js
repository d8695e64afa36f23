import { html } from 'htm/preact';
import { useDirectory } from '../contexts.js';
import { Icon } from '../shell/icons.js';

const hues = 8;

/** The same colour for the same person, whoever looks. @param {string} id */
function hueOf(id) {
  return (
    Array.from(id, (character) => character.codePointAt(0) ?? 0).reduce((sum, code) => sum + code, 0) % hues
  );
}

/** A picture of somebody: their letter, or the bell of the bot. @param {{ id: string }} props */
export function Avatar({ id }) {
  const { people, app } = useDirectory();
  if (id === app.bot_user_id)
    return html`<span class="avatar avatar-bot" aria-hidden="true"><${Icon} name="bell" /></span>`;
  const name = people.find((person) => person.id === id)?.real_name ?? '·';
  return html`<span class=${`avatar avatar-${String(hueOf(id))}`} aria-hidden="true"
    >${name.charAt(0)}</span
  >`;
}
