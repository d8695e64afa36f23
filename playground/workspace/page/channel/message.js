import { html } from 'htm/preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pageBlocks } from '../blocks/block-types.js';
import { BlockList } from '../blocks/block-view.js';
import { useDirectory } from '../contexts.js';
import { Icon } from '../shell/icons.js';
import { Surface } from '../surface.js';
import { MrkdwnView } from '../text/mrkdwn-view.js';
import { clockTime, momentOf } from '../text/slack-date.js';
import { Attachments } from './attachments.js';
import { Author, authorName, Avatar } from './author.js';
import { EditMessage } from './edit-message.js';
import { MessageTools } from './message-tools.js';
import { Reactions } from './reactions.js';

/** @typedef {import('../../protocol.ts').Message} Message */

const kibibyte = 1024;

/** @param {{ files: Message['files'] }} props */
function Files({ files }) {
  return html`<div class="files">
    ${files.map((file) =>
      file.mimetype.startsWith('image/')
        ? html`<a href=${file.url} target="_blank" rel="noopener noreferrer"
            ><img class="picture" src=${file.url} alt=${file.title} loading="lazy"
          /></a>`
        : html`<a class="file-card" href=${file.url} download=${file.name}
            ><${Icon} name="file" /> ${file.title}
            <span class="quiet">${Math.ceil(file.size / kibibyte)} KB</span></a
          >`,
    )}
  </div>`;
}

/** @param {{ message: Message }} props */
function Body({ message }) {
  const { attachments } = message;
  const hasBlocks = message.blocks.length > 0;
  if (!hasBlocks && attachments.length === 0) return html`<${MrkdwnView} text=${message.text} />`;
  const own = pageBlocks(message.blocks);
  const blocks = [...own, ...attachments.flatMap((attachment) => pageBlocks(attachment.blocks ?? []))];
  const container = { type: /** @type {const} */ ('message'), channel: message.channel, ts: message.ts };
  return html`<${Surface} container=${container} blocks=${blocks}>
    ${hasBlocks ? html`<${BlockList} blocks=${own} />` : html`<${MrkdwnView} text=${message.text} />`}
    <${Attachments} attachments=${attachments} />
  <//>`;
}

/** @param {{ message: Message, onThread: (ts: string) => void }} props */
function Thread({ message, onThread }) {
  const count = message.reply_count;
  const words = `${String(count)} ${count === 1 ? 'reply' : 'replies'}`;
  const last = clockTime(momentOf(message.latest_reply));
  return html`<button type="button" class="thread-link" onClick=${() => onThread(message.ts)}>
    ${words} <span class="quiet">Last reply ${last}</span>
  </button>`;
}

/**
 * Keeps the focus at the message when the clicked button goes away, not at the top of the page.
 * @param {Message} message
 */
function useFocusRecovery(message) {
  const article = useRef(/** @type {HTMLElement | null} */ (null));
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body || article.current === null) return;
    article.current.tabIndex = -1;
    article.current.focus({ preventScroll: true });
  }, [message]);
  return {
    ref: article,
    onFocusIn: () => {
      hadFocus.current = true;
    },
    // Otherwise the focus would be lost with its button.
    onFocusOut: (/** @type {FocusEvent} */ { relatedTarget }) => {
      hadFocus.current = relatedTarget === null;
    },
  };
}

/**
 * One message: its author, time, content and actions.
 * @param {object} props
 * @param {Message} props.message
 * @param {boolean} [props.continued] whether the previous message has the same author, so that the name is not repeated
 * @param {(ts: string) => void} [props.onThread] absent if the message is shown in a thread
 */
function MessageView({ message, continued = false, onThread }) {
  const directory = useDirectory();
  const focusRecovery = useFocusRecovery(message);
  const [editing, setEditing] = useState(false);
  const moment = momentOf(message.ts);
  const look = [
    'message',
    continued && 'is-continued',
    message.ephemeral && 'is-ephemeral',
    message.tombstone && 'is-tombstone',
  ]
    .filter(Boolean)
    .join(' ');
  const time = html`<time
    class="message-time"
    datetime=${moment.toISOString()}
    title=${moment.toLocaleString()}
    >${clockTime(moment)}</time
  >`;
  return html`<article
    ...${focusRecovery}
    class=${look}
    data-ts=${message.ts}
    aria-label=${`${authorName(directory, message.user)} at ${clockTime(moment)}`}
  >
    <div class="message-side">${continued ? time : html`<${Avatar} id=${message.user} />`}</div>
    <div class="message-main">
      ${message.ephemeral && html`<div class="ephemeral-note"><${Icon} name="eye" /> Only visible to you</div>`}
      ${!continued && html`<div class="message-head"><${Author} id=${message.user} /> ${time}</div>`}
      <div class="message-body">
        ${editing ? html`<${EditMessage} message=${message} onDone=${() => setEditing(false)} />` : html`<${Body} message=${message} />`}
        ${message.edited && !editing && html`<span class="edited">(edited)</span>`}
      </div>
      ${message.files.length > 0 && html`<${Files} files=${message.files} />`}
      ${message.reactions.length > 0 && html`<${Reactions} message=${message} />`}
      ${onThread && message.reply_count > 0 && html`<${Thread} message=${message} onThread=${onThread} />`}
    </div>
    ${
      !message.ephemeral &&
      !message.tombstone &&
      !editing &&
      html`<${MessageTools} message=${message} onThread=${onThread} onEdit=${() => setEditing(true)} />`
    }
  </article>`;
}

/**
 * A message that is redrawn only when it changes, so that a long channel stays fast.
 * @param {{ message: Message, continued?: boolean, onThread?: ((ts: string) => void) | undefined }} props
 */
export function MessageArticle({ message, continued, onThread }) {
  return useMemo(
    () => html`<${MessageView} message=${message} continued=${continued} onThread=${onThread} />`,
    [message, continued, onThread],
  );
}
