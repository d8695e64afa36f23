import { html } from 'htm/preact';
import { useMemo, useState } from 'preact/hooks';
import { useFocusReturn } from '../shell/keyboard.js';
import { Composer } from './composer.js';
import { MessageList } from './message-list.js';
import { useDraft } from './use-draft.js';

/** @typedef {import('../../protocol.ts').Channel} Channel */

/**
 * One thread, next to its channel.
 * @param {{ channel: Channel, ts: string, onClose: () => void }} props
 */
export function ThreadPanel({ channel, ts, onClose }) {
  useFocusReturn();
  const [draft, setDraft] = useDraft(`${channel.id}/${ts}`);
  const [sent, setSent] = useState(0);
  const [broadcast, setBroadcast] = useState(false);
  const place = channel.kind === 'channel' ? `#${channel.name}` : channel.name;
  const messages = useMemo(
    () => channel.messages.filter((message) => message.ts === ts || message.thread_ts === ts),
    [channel.messages, ts],
  );
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') onClose();
  };
  return html`<aside class="side-panel" aria-label="Thread" onKeyDown=${key}>
    <header class="panel-head">
      <h2>Thread <span class="quiet">${place}</span></h2>
      <button type="button" class="button button-icon" aria-label="Close thread" onClick=${onClose}>×</button>
    </header>
    <${MessageList} messages=${messages} name=${`thread in ${place}`} sent=${sent} />
    <${Composer}
      channel=${channel.id}
      place=${place}
      thread=${ts}
      commands=${[]}
      draft=${draft}
      onDraft=${setDraft}
      onSent=${() => setSent((count) => count + 1)}
      broadcast=${broadcast}
    />
    ${
      channel.kind === 'channel' &&
      html`<label class="tick broadcast"
        ><input
          type="checkbox"
          checked=${broadcast}
          onChange=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => setBroadcast(event.currentTarget.checked)}
        />
        <span>Also send to ${place}</span></label
      >`
    }
  </aside>`;
}
