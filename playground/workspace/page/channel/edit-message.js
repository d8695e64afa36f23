import { html } from 'htm/preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDirectory, useShell } from '../contexts.js';
import { parseReference, unescapeEntities } from '../text/reference.js';
import { authorName } from './author.js';

/**
 * @typedef {import('../../protocol.ts').Message} Message
 * @typedef {import('../contexts.js').Directory} Directory
 * @typedef {Event & { currentTarget: HTMLTextAreaElement }} Typing
 */

/** A message as its author would type it: names instead of ids. @param {string} text @param {Directory} directory */
function asTyped(text, directory) {
  const named = text.replaceAll(/<([^<>]+)>/g, (written, inner) => {
    const reference = parseReference(String(inner));
    switch (reference?.kind) {
      case 'user':
        return `@${authorName(directory, reference.id)}`;
      case 'channel':
        return `#${directory.channels.find(({ id }) => id === reference.id)?.name ?? reference.label ?? reference.id}`;
      case 'group':
        return `@${directory.usergroups.find(({ id }) => id === reference.id)?.handle ?? reference.id}`;
      case 'everyone':
        return `@${reference.range}`;
      case 'link':
        return reference.label;
      case 'date':
      case 'text':
      case undefined:
        return written;
    }
  });
  return unescapeEntities(named);
}

/** A person's own message while they edit it. @param {{ message: Message, onDone: () => void }} props */
export function EditMessage({ message, onDone }) {
  const { session, say } = useShell();
  const directory = useDirectory();
  const [draft, setDraft] = useState(() => asTyped(message.text, directory));
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useLayoutEffect(() => field.current?.focus(), []);
  const save = async () => {
    const { channel, ts } = message;
    const outcome = await session.gesture('edit', { channel, ts, text: draft });
    if (outcome.ok) onDone();
    else say(outcome.message);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing || (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey))) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onDone();
    else void save();
  };
  return html`<div class="edit-message">
    <textarea
      ref=${field}
      class="text-input"
      rows="1"
      aria-label="Edit message"
      value=${draft}
      onInput=${(/** @type {Typing} */ { currentTarget }) => setDraft(currentTarget.value)}
      onKeyDown=${key}
    ></textarea>
    <button type="button" class="button button-small" onClick=${onDone}>Cancel</button>
    <button
      type="button"
      class="button button-small button-primary"
      disabled=${draft.trim() === ''}
      onClick=${() => void save()}
    >
      Save
    </button>
  </div>`;
}
