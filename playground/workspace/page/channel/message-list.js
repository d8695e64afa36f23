import { html } from 'htm/preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dayName, momentOf } from '../text/slack-date.js';
import { MessageArticle } from './message.js';

/**
 * @typedef {import('../../protocol.ts').Message} Message
 * @typedef {import('preact').RefObject<HTMLDivElement | null>} Box
 */

const togetherSeconds = 300;
const nearBottom = 60;

/** Whether a message continues the one before it. @param {Message} message @param {Message | undefined} before */
export function continues(message, before) {
  if (before === undefined || before.user !== message.user) return false;
  if (before.ephemeral || message.ephemeral || before.reply_count > 0) return false;
  return Number(message.ts) - Number(before.ts) < togetherSeconds;
}

/**
 * Keeps the newest message visible while the person is at the bottom, and scrolls there when they post.
 * @param {Box} box @param {readonly Message[]} messages @param {number} sent
 */
function useFollowing(box, messages, sent) {
  const following = useRef(true);
  const height = useRef(0);
  const [missed, setMissed] = useState(false);
  const toBottom = () => {
    const scroller = box.current;
    if (scroller !== null) {
      scroller.scrollTop = scroller.scrollHeight;
      height.current = scroller.scrollHeight;
    }
    following.current = true;
    setMissed(false);
  };
  useLayoutEffect(toBottom, [sent]);
  useLayoutEffect(() => {
    if (following.current) toBottom();
    else setMissed(true);
  }, [messages.length, messages.at(-1)?.ts]);
  useEffect(() => {
    const content = box.current?.firstElementChild;
    const watcher = new ResizeObserver(() => following.current && toBottom());
    if (box.current) watcher.observe(box.current);
    if (content) watcher.observe(content);
    return () => watcher.disconnect();
  }, []);
  const onScroll = () => {
    const scroller = box.current;
    if (scroller === null) return;
    // The person did not scroll: a panel opened, or the window changed, and the lines were laid out again.
    if (following.current && scroller.scrollHeight !== height.current) return toBottom();
    following.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearBottom;
    if (following.current) setMissed(false);
  };
  return { missed, toBottom, onScroll };
}

/**
 * The messages of a channel or thread, oldest first, with a line between days.
 * @param {object} props
 * @param {readonly Message[]} props.messages
 * @param {string} props.name of the place, for screen readers
 * @param {number} props.sent the number of messages that the person sent here
 * @param {(ts: string) => void} [props.onThread]
 * @param {import('preact').ComponentChildren} [props.children] shown above the first one
 */
export function MessageList({ messages, name, sent, onThread, children }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { missed, toBottom, onScroll } = useFollowing(box, messages, sent);
  const now = new Date();
  const rows = messages.flatMap((message, index) => {
    const before = messages[index - 1];
    const day = dayName(momentOf(message.ts), now);
    const newDay = before === undefined || dayName(momentOf(before.ts), now) !== day;
    const article = html`<${MessageArticle}
      key=${message.ts}
      message=${message}
      continued=${!newDay && continues(message, before)}
      onThread=${onThread}
    />`;
    return newDay
      ? [
          html`<div class="day" role="separator" aria-label=${day} key=${day}><span>${day}</span></div>`,
          article,
        ]
      : [article];
  });
  return html`<div class="messages-frame">
    <div
      ref=${box}
      class="messages"
      role="log"
      aria-label=${`Messages in ${name}`}
      aria-live="polite"
      aria-relevant="additions"
      tabindex="0"
      onScroll=${onScroll}
    >
      <div class="messages-inner">${children}${rows}</div>
    </div>
    ${missed && html`<button type="button" class="button new-messages" onClick=${toBottom}>New messages ↓</button>`}
  </div>`;
}
