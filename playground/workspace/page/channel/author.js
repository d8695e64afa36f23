import { html } from 'htm/preact';
import { useDirectory } from '../contexts.js';
import { Icon } from '../shell/icons.js';

/**
 * Returns the name of an author.
 * @param {import('../contexts.js').Directory} directory
 * @param {string} id
 */
export function authorName({ people, app }, id) {
  if (id === app.bot_user_id) return app.name;
  if (id === 'USLACKBOT') return 'Slackbot';
  return people.find((person) => person.id === id)?.real_name ?? id;
}

/** Name and standing of who wrote a message. @param {{ id: string }} props */
export function Author({ id }) {
  const directory = useDirectory();
  const person = directory.people.find((each) => each.id === id);
  const bot = id === directory.app.bot_user_id || id === 'USLACKBOT';
  return html`<span class="author">${authorName(directory, id)}</span>
    ${bot && html`<span class="badge badge-app">App</span>`}
    ${!bot && person?.title && html`<span class="badge">${person.title}</span>`}`;
}

const hues = 8;

/** The same colour for the same person on every page. @param {string} id */
function hueOf(id) {
  return (
    Array.from(id, (character) => character.codePointAt(0) ?? 0).reduce((sum, code) => sum + code, 0) % hues
  );
}

/** A person's picture: their letter, or the bell of the bot. @param {{ id: string }} props */
export function Avatar({ id }) {
  const { people, app } = useDirectory();
  if (id === app.bot_user_id)
    return html`<span class="avatar avatar-bot" aria-hidden="true"><${Icon} name="bell" /></span>`;
  const name = people.find((person) => person.id === id)?.real_name ?? '·';
  return html`<span class=${`avatar avatar-${String(hueOf(id))}`} aria-hidden="true"
    >${name.charAt(0)}</span
  >`;
}
