import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useShell } from '../contexts.js';

/**
 * @typedef {import('../../drill-protocol.ts').WireEntry} WireEntryData
 * @typedef {import('../../drill-protocol.ts').WireDetail} WireDetail
 */

const shownEntries = 100;
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** A payload with its lines broken, if it is JSON. @param {string} payload */
function pretty(payload) {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}

/** @param {{ title: string, payload: string }} props */
function Payload({ title, payload }) {
  return html`<h4>${title}</h4>
    <pre tabindex="0" aria-label=${title}>${payload === '' ? '(empty)' : pretty(payload)}</pre>`;
}

/** @param {{ entry: WireEntryData }} props */
function WireEntry({ entry }) {
  const { session } = useShell();
  const [open, setOpen] = useState(false);
  const [detail, setDetail] = useState(/** @type {WireDetail | 'gone' | undefined} */ (undefined));
  const toBot = entry.direction === 'to-bot';
  const failed = entry.status === 0 || entry.status >= 400 || entry.error !== '';
  const toggle = () => {
    setOpen(!open);
    if (detail === undefined) session.readWireDetail(entry.id).then(setDetail, () => setDetail('gone'));
  };
  return html`<li class=${failed ? 'wire has-failed' : 'wire'}>
    <button type="button" class="wire-line" aria-expanded=${open ? 'true' : 'false'} onClick=${toggle}>
      <span class="wire-way" role="img" aria-label=${toBot ? 'to the bot' : 'from the bot'}
        >${toBot ? '→' : '←'}</span
      >
      <span class="wire-name"
        >${entry.name}${entry.retry > 0 && html` <span class="badge">retry ${entry.retry}</span>`}</span
      >
      <span class="wire-status">${entry.status === 0 ? 'no answer' : entry.status}</span>
      <span class="wire-time">${Math.round(entry.duration_ms)} ms</span>
      <time class="wire-time">${clock.format(entry.at)}</time>
      ${entry.error !== '' && html`<span class="wire-error">${entry.error}</span>`}
    </button>
    ${
      open &&
      html`<div class="wire-detail">
        ${detail === undefined && html`<p class="quiet">Loading…</p>`}
        ${detail === 'gone' && html`<p class="quiet">This entry is no longer kept.</p>`}
        ${typeof detail === 'object' && html`<${Payload} title="Request" payload=${detail.request} /><${Payload} title="Response" payload=${detail.response} />`}
      </div>`
    }
  </li>`;
}

/**
 * The HTTP calls between Slack, the bot and the service, newest first.
 * @param {{ entries: readonly WireEntryData[], onLoad: (entries: WireEntryData[]) => void }} props
 */
export function WireLog({ entries, onLoad }) {
  const { session, say } = useShell();
  const [filter, setFilter] = useState('');
  useEffect(() => {
    session.readWire().then(onLoad, () => say('The wire log could not be read.'));
  }, [session]);
  const clear = async () => {
    const outcome = await session.gesture('clear-wire', {});
    if (outcome.ok) onLoad([]);
    else say(outcome.message);
  };
  const wanted = filter.trim().toLowerCase();
  const shown = entries
    .filter(({ name, error }) => `${name} ${error}`.toLowerCase().includes(wanted))
    .slice(-shownEntries);
  return html`<section aria-label="Wire log">
    <h3>Wire log</h3>
    <div class="wire-tools">
      <input
        class="text-input"
        type="search"
        aria-label="Filter the wire log"
        placeholder="Filter by name or error"
        value=${filter}
        onInput=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => setFilter(event.currentTarget.value)}
      />
      <button type="button" class="button button-small" onClick=${clear}>Clear log</button>
    </div>
    ${shown.length === 0 && html`<p class="quiet">Nothing yet: type a command, press a button.</p>`}
    <ol class="wires" reversed>
      ${shown.toReversed().map((entry) => html`<${WireEntry} key=${entry.id} entry=${entry} />`)}
    </ol>
  </section>`;
}
