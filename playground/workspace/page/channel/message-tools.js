import { html } from 'htm/preact';
import { useDirectory, useShell } from '../contexts.js';
import { MenuButton } from '../elements/menu-button.js';
import { emojiGlyph } from '../text/emoji.js';

/** @typedef {import('../../protocol.ts').Message} Message */

/** Emoji that are one click away. */
const quick = ['eyes', 'white_check_mark', '+1', 'raising_hand', 'hourglass', 'warning', 'x', 'tada'];

/**
 * The actions on a message: react, reply in its thread, and a menu.
 * @param {object} props
 * @param {Message} props.message
 * @param {((ts: string) => void) | undefined} props.onThread absent if the message is shown in a thread
 * @param {() => void} props.onEdit
 */
export function MessageTools({ message, onThread, onEdit }) {
  const { session, say, ask } = useShell();
  const { shortcuts, as } = useDirectory();
  const { channel, ts } = message;
  /** @param {Promise<import('../session.js').Outcome>} gesture */
  const perform = async (gesture) => {
    const outcome = await gesture;
    if (!outcome.ok) say(outcome.message);
  };
  const remove = async () => {
    const sure = await ask({
      title: 'Delete message',
      text: { type: 'plain_text', text: 'It will be deleted for everyone. Replies will stay.' },
      confirm: 'Delete',
      deny: 'Cancel',
      danger: true,
    });
    if (sure) await perform(session.gesture('delete', { channel, ts }));
  };
  const reactions = quick.map((name) => ({
    key: name,
    text: `${emojiGlyph(name) ?? ''} ${name.replaceAll('_', ' ')}`,
    onPick: () => void perform(session.gesture('react', { channel, ts, name })),
  }));
  const ofApp = shortcuts
    .filter(({ type }) => type === 'message')
    .map(({ callback_id: id, name, description }) => ({
      key: id,
      text: name,
      detail: description,
      onPick: () => void session.gesture('shortcut', { callback_id: id, message: { channel, ts } }),
    }));
  const own = [
    { key: ' edit', text: 'Edit message', onPick: onEdit },
    { key: ' delete', text: 'Delete message…', danger: true, onPick: () => void remove() },
  ];
  const items = message.user === as ? [...ofApp, ...own] : ofApp;
  return html`<div class="message-tools" role="group" aria-label="Message tools">
    <${MenuButton} label="Add reaction" items=${reactions}><span aria-hidden="true">☺</span><//>
    ${
      onThread &&
      html`<button type="button" class="button button-small" onClick=${() => onThread(ts)}>
        Reply in thread
      </button>`
    }
    ${items.length > 0 && html`<${MenuButton} label="Message actions" items=${items}><span aria-hidden="true">⋮</span><//>`}
  </div>`;
}
