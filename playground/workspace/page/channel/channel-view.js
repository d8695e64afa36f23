import { html } from 'htm/preact';
import { useMemo, useState } from 'preact/hooks';
import { Composer } from './composer.js';
import { MessageList } from './message-list.js';
import { useDraft } from './use-draft.js';

/**
 * @typedef {import('../../protocol.ts').Channel} Channel
 * @typedef {import('../../protocol.ts').Command} Command
 */

const firstCommand = '/cloud reboot web-1';

/** The top of a channel. @param {{ channel: Channel, harmless: boolean, onTry: (command: string) => void }} props */
function Beginning({ channel, harmless, onTry }) {
  const empty = channel.messages.length === 0;
  return html`<div class="beginning">
    <h2>${channel.kind === 'channel' ? `# ${channel.name}` : channel.name}</h2>
    <p>
      ${
        channel.kind === 'im'
          ? html`This is between you and ${channel.name}.`
          : html`This is the beginning of <b>#${channel.name}</b>. ${channel.topic}`
      }
    </p>
    ${
      empty &&
      channel.name === 'ops' &&
      html`<div class="try-this">
        <span>New here? Try this:</span>
        <button type="button" class="try-command" onClick=${() => onTry(firstCommand)}>
          ${firstCommand}
        </button>
        <span class="quiet">then press Enter.${harmless && ' No real machine will notice.'}</span>
      </div>`
    }
  </div>`;
}

/**
 * A channel or direct message: its messages and the field for a new one.
 * @param {object} props
 * @param {Channel} props.channel
 * @param {readonly Command[]} props.commands
 * @param {boolean} props.harmless the service behind the app is a local one too
 * @param {(ts: string) => void} props.onThread
 */
export function ChannelView({ channel, commands, harmless, onThread }) {
  const [draft, setDraft] = useDraft(channel.id);
  const [sent, setSent] = useState(0);
  const place = channel.kind === 'channel' ? `#${channel.name}` : channel.name;
  const shown = useMemo(
    () =>
      channel.messages.filter(
        ({ ts, thread_ts: thread, broadcast }) => thread === undefined || thread === ts || broadcast,
      ),
    [channel.messages],
  );
  const typeFor = (/** @type {string} */ command) => {
    setDraft(command);
    const field = document.querySelector('.composer textarea');
    if (field instanceof HTMLElement) field.focus();
  };
  return html`<div class="channel" data-channel-view=${channel.id}>
    <${MessageList} messages=${shown} name=${place} sent=${sent} onThread=${onThread}>
      <${Beginning} channel=${channel} harmless=${harmless} onTry=${typeFor} />
    <//>
    <${Composer}
      channel=${channel.id}
      place=${place}
      commands=${commands}
      draft=${draft}
      onDraft=${setDraft}
      onSent=${() => setSent((count) => count + 1)}
    />
  </div>`;
}
