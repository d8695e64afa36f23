import { html } from 'htm/preact';
import { useDirectory, useShell } from '../contexts.js';
import { emojiGlyph } from '../text/emoji.js';
import { authorName } from './author.js';

/** @typedef {import('../../protocol.ts').Message} Message */

/** The emoji below a message, each a switch for the reader. @param {{ message: Message }} props */
export function Reactions({ message }) {
  const { session, say } = useShell();
  const directory = useDirectory();
  const { channel, ts } = message;
  const react = async (/** @type {string} */ name) => {
    const outcome = await session.gesture('react', { channel, ts, name });
    if (!outcome.ok) say(outcome.message);
  };
  return html`<div class="reactions">
    ${message.reactions.map(({ name, users }) => {
      const names = users.map((id) => authorName(directory, id)).join(', ');
      const words = `${name.replaceAll('_', ' ')}: ${names}`;
      return html`<button
        type="button"
        class="reaction"
        key=${name}
        title=${words}
        aria-pressed=${users.includes(directory.as) ? 'true' : 'false'}
        onClick=${() => void react(name)}
      >
        <span aria-hidden="true">${emojiGlyph(name.replace(/::.*/, '')) ?? name} ${users.length}</span
        ><span class="sr-only">${words}</span>
      </button>`;
    })}
  </div>`;
}
