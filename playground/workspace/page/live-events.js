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
 * @param {string} path
 * @param {{ open: () => void, error: () => void, take: (message: MessageEvent<string>) => void }} listeners
 */
function listen(path, { open, error, take }) {
  const source = new EventSource(path);
  source.addEventListener('open', open);
  source.addEventListener('error', error);
  for (const type of eventTypes) source.addEventListener(type, take);
  return source;
}

/**
 * Follows the workspace for as long as the page is open: reads the state, then the events after it.
 * A broken stream is resumed; the server sends `reload` if it no longer has the missed
 * events. A page in a hidden tab disconnects and catches up later, because a browser has six connections for all tabs.
 * @param {Session} session
 * @param {Follower} follower
 * @returns {() => void} ends it
 */
export function followEvents(session, follower) {
  /** @type {EventSource | undefined} */
  let source;
  /** @type {string | undefined} */
  let after;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let pause = firstPauseMs;
  let attempt = 0;

  const stop = () => {
    attempt += 1;
    clearTimeout(timer);
    source?.close();
  };
  const again = () => {
    stop();
    follower.onLive(false);
    timer = setTimeout(() => void start(), pause);
    pause = Math.min(pause * 2, longestPauseMs);
  };
  const open = () => {
    pause = firstPauseMs;
    follower.onLive(true);
  };
  const take = (/** @type {MessageEvent<string>} */ message) => {
    /** @type {WorkspaceEvent} */
    const event = fromServer(JSON.parse(message.data));
    if (message.lastEventId !== '') after = message.lastEventId;
    if (event.type !== 'reload') return follower.onEvent(event);
    after = undefined;
    void start();
  };
  const start = async () => {
    stop();
    const own = attempt;
    try {
      const state = after === undefined ? await session.readState() : undefined;
      if (own !== attempt) return;
      if (state !== undefined) follower.onState(state);
      after ??= state?.event_id;
      source = listen(session.eventsPath(after ?? ''), { open, error: again, take });
    } catch {
      if (own === attempt) again();
    }
  };
  const see = () => (document.visibilityState === 'hidden' ? stop() : void start());

  // A stream that is open does not notice that the machine went offline.
  const leave = () => {
    stop();
    follower.onLive(false);
  };

  see();
  document.addEventListener('visibilitychange', see);
  addEventListener('offline', leave);
  addEventListener('online', see);
  return () => {
    document.removeEventListener('visibilitychange', see);
    removeEventListener('offline', leave);
    removeEventListener('online', see);
    stop();
  };
}
