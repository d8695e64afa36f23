import { fromServer } from './from-server.js';
import { tabStorage } from './storage.js';

/**
 * @typedef {import('../protocol.ts').State} State
 * @typedef {import('../drill-protocol.ts').WireEntry} WireEntry
 * @typedef {import('../drill-protocol.ts').WireDetail} WireDetail
 * @typedef {import('../gestures/gestures.ts').Outcome} Outcome
 * @typedef {import('../gestures/gestures.ts').GestureName} GestureName
 */

/**
 * @template {GestureName} Name
 * @typedef {Omit<import('../gestures/gestures.ts').GestureInput<Name>, 'as' | 'session'>} GestureBody
 */

/**
 * @typedef {object} Session one open page of one person
 * @property {string} as
 * @property {string} id
 * @property {() => Promise<State>} readState throws if the workspace does not answer
 * @property {() => Promise<WireEntry[]>} readWire
 * @property {(id: number) => Promise<WireDetail>} readWireDetail
 * @property {(after: string) => string} eventsPath
 * @property {<Name extends GestureName>(name: Name, body: GestureBody<Name>) => Promise<Outcome>} gesture
 *   never rejects: a workspace that does not answer is the outcome `unreachable`
 */

/** The id of this tab, kept while it reloads: modals stay with it. @param {string} as @returns {string} */
function sessionId(as) {
  const key = `bellhop-session-${as}`;
  const kept = tabStorage.getItem(key);
  const id = kept ?? crypto.randomUUID();
  if (kept === null) tabStorage.setItem(key, id);
  return id;
}

/**
 * Reads JSON from the server. The server has checked it against its own schemas, so it is not parsed again.
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
async function read(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${String(response.status)}.`);
  return fromServer(await response.json());
}

/**
 * @param {string} name
 * @param {object} body
 * @returns {Promise<Outcome>}
 */
async function post(name, body) {
  try {
    const response = await fetch(`/_workspace/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return fromServer(await response.json());
    /** @type {{ message: string }} */
    const { message } = fromServer(await response.json());
    return { ok: false, error: 'refused', message };
  } catch {
    return {
      ok: false,
      error: 'unreachable',
      message: 'The workspace is not responding. Is it still running?',
    };
  }
}

/**
 * @param {string} as the person who sits here, `U0ALICE`
 * @returns {Session}
 */
export function openSession(as) {
  const id = sessionId(as);
  const who = new URLSearchParams({ as, session: id });
  return {
    as,
    id,
    readState: () => read(`/_workspace/state?${who.toString()}`),
    readWire: () => read('/_workspace/wire'),
    readWireDetail: (entry) => read(`/_workspace/wire/${String(entry)}`),
    eventsPath: (after) => `/_workspace/events?${who.toString()}&after=${encodeURIComponent(after)}`,
    gesture: (name, body) => post(name, { ...body, as, session: id }),
  };
}
