import { fromServer } from './from-server.js';

/**
 * @typedef {import('../protocol.ts').WorkspaceEvent} WorkspaceEvent
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./session.js').State} State
 *
 * @typedef {object} Follower
 * @property {(state: State) => void} onState the whole state, at first and whenever a gap could not be filled
 * @property {(event: WorkspaceEvent) => void} onEvent
 * @property {(live: boolean) => void} onLive false while the workspace is out of reach
 */

/** @type {readonly WorkspaceEvent['type'][]} */
const eventTypes = [
  'message',
  'message-changed',
  'message-deleted',
  'ephemeral',
  'channel',
  'view-opened',
  'view-pushed',
  'view-updated',
  'view-closed',
  'view-errors',
  'home',
  'toast',
  'drills',
  'wire',
  'reload',
];
const firstPauseMs = 300;
const longestPauseMs = 3000;

/**
 * Follows the workspace for as long as the page is open: reads the state, then the events after it. What
 * breaks is opened again where it broke off; the server says `reload` where it can no longer tell what was missed.
 * @param {Session} session
 * @param {Follower} follower
 * @returns {() => void} ends it
 */
export function followEvents(session, follower) {
  /** @type {EventSource | undefined} */
  let source;
  /** @type {string | undefined} */
  let after;
  let pause = firstPauseMs;
  let ended = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const again = () => {
    source?.close();
    if (ended) return;
    follower.onLive(false);
    timer = setTimeout(() => void start(), pause);
    pause = Math.min(pause * 2, longestPauseMs);
  };

  const take = (/** @type {MessageEvent<string>} */ message) => {
    /** @type {WorkspaceEvent} */
    const event = fromServer(JSON.parse(message.data));
    if (message.lastEventId !== '') after = message.lastEventId;
    if (event.type !== 'reload') return follower.onEvent(event);
    source?.close();
    after = undefined;
    void start();
  };

  const start = async () => {
    try {
      if (after === undefined) {
        const state = await session.readState();
        if (ended) return;
        after = state.event_id;
        follower.onState(state);
      }
    } catch {
      again();
      return;
    }
    source = new EventSource(session.eventsPath(after));
    source.addEventListener('open', () => {
      pause = firstPauseMs;
      follower.onLive(true);
    });
    source.addEventListener('error', again);
    for (const type of eventTypes) source.addEventListener(type, take);
  };

  void start();
  return () => {
    ended = true;
    clearTimeout(timer);
    source?.close();
  };
}
