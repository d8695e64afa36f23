import { html } from 'htm/preact';
import { useDirectory } from '../contexts.js';

/**
 * What an author is called.
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
