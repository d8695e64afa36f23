import { useCallback, useEffect, useReducer, useState } from 'preact/hooks';
import { followEvents } from '../live-events.js';
import { applyEvent, withToast, workspaceOf } from '../workspace-state.js';

/**
 * @typedef {import('../session.js').Session} Session
 * @typedef {import('../workspace-state.js').Workspace} Workspace
 * @typedef {import('../../protocol.ts').State} State
 * @typedef {import('../../drill-protocol.ts').WireEntry} WireEntry
 * @typedef {import('../../protocol.ts').WorkspaceEvent} WorkspaceEvent
 *
 * @typedef {| { kind: 'state', state: State }
 *   | { kind: 'event', event: WorkspaceEvent }
 *   | { kind: 'say', text: string }
 *   | { kind: 'dismiss', id: number }
 *   | { kind: 'read', place: string }
 *   | { kind: 'wire', entries: WireEntry[] }} Step
 */

/**
 * The newest message when this page was loaded, by its ts; undefined until then.
 * @type {number | undefined}
 */
let newestAtLoad;

/** Slack shows ephemeral messages until the person's page is reloaded. @param {State} state @returns {State} */
function withoutForgotten(state) {
  const messages = state.channels.flatMap((channel) => channel.messages);
  newestAtLoad ??= messages.reduce((newest, { ts }) => Math.max(newest, Number(ts)), 0);
  const loaded = newestAtLoad;
  const stays = (/** @type {import('../../protocol.ts').Message} */ { ephemeral, ts }) =>
    !ephemeral || Number(ts) > loaded;
  return {
    ...state,
    channels: state.channels.map((channel) => ({ ...channel, messages: channel.messages.filter(stays) })),
  };
}

/** @param {Workspace | undefined} workspace @param {Step} step @returns {Workspace | undefined} */
function nextWorkspace(workspace, step) {
  if (step.kind === 'state') {
    const fresh = workspaceOf(withoutForgotten(step.state));
    return workspace === undefined
      ? fresh
      : { ...fresh, toasts: workspace.toasts, wire: workspace.wire, unread: workspace.unread };
  }
  if (workspace === undefined) return undefined;
  switch (step.kind) {
    case 'event':
      return applyEvent(workspace, step.event);
    case 'say':
      return withToast(workspace, step.text);
    case 'dismiss':
      return { ...workspace, toasts: workspace.toasts.filter(({ id }) => id !== step.id) };
    case 'read':
      return { ...workspace, unread: { ...workspace.unread, [step.place]: 0 } };
    case 'wire':
      return { ...workspace, wire: step.entries };
  }
}

/**
 * The workspace as this person sees it, followed for as long as the page is open.
 * @param {Session} session
 */
export function useWorkspace(session) {
  const [workspace, dispatch] = useReducer(nextWorkspace, /** @type {Workspace | undefined} */ (undefined));
  const [live, setLive] = useState(false);
  useEffect(
    () =>
      followEvents(session, {
        onState: (state) => dispatch({ kind: 'state', state }),
        onEvent: (event) => dispatch({ kind: 'event', event }),
        onLive: setLive,
      }),
    [session],
  );
  const say = useCallback((/** @type {string} */ text) => dispatch({ kind: 'say', text }), []);
  const dismiss = useCallback((/** @type {number} */ id) => dispatch({ kind: 'dismiss', id }), []);
  const read = useCallback((/** @type {string} */ place) => dispatch({ kind: 'read', place }), []);
  const keepWire = useCallback(
    (/** @type {WireEntry[]} */ entries) => dispatch({ kind: 'wire', entries }),
    [],
  );
  return { workspace, live, say, dismiss, read, keepWire };
}
