/**
 * @typedef {import('../protocol.ts').State} State
 * @typedef {import('../protocol.ts').Message} Message
 * @typedef {import('../protocol.ts').Channel} Channel
 * @typedef {import('../drill-protocol.ts').WireEntry} WireEntry
 * @typedef {import('../protocol.ts').WorkspaceEvent} WorkspaceEvent
 *
 * @typedef {object} Toast
 * @property {number} id
 * @property {string} text
 *
 * @typedef {object} Workspace the page's state, except for this window's own
 * @property {State} state
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} viewErrors by view id, then block id
 * @property {Readonly<Record<string, string>>} troubles views whose submission got no answer
 * @property {readonly Toast[]} toasts
 * @property {readonly WireEntry[]} wire oldest first
 * @property {Readonly<Record<string, number>>} unread new messages by channel
 */

export const wireKept = 500;

/** @param {State} state @returns {Workspace} */
export function workspaceOf(state) {
  return { state, viewErrors: {}, troubles: {}, toasts: [], wire: [], unread: {} };
}

/** @param {Workspace} workspace @param {Partial<State>} change @returns {Workspace} */
function withState(workspace, change) {
  return { ...workspace, state: { ...workspace.state, ...change } };
}

/**
 * @param {Workspace} workspace
 * @param {string} id
 * @param {(messages: Message[]) => Message[]} change
 */
function withMessages(workspace, id, change) {
  const channels = workspace.state.channels.map((channel) =>
    channel.id === id ? { ...channel, messages: change(channel.messages) } : channel,
  );
  return withState(workspace, { channels });
}

/** Puts a message where its ts says, in place of an older version of itself. @param {Message[]} messages @param {Message} message */
function placed(messages, message) {
  const others = messages.filter(({ ts }) => ts !== message.ts);
  const later = others.findIndex(({ ts }) => Number(ts) > Number(message.ts));
  return later === -1 ? [...others, message] : others.toSpliced(later, 0, message);
}

/** @param {Workspace} workspace @param {Message} message */
function arrived(workspace, message) {
  const count = (workspace.unread[message.channel] ?? 0) + 1;
  const unread =
    message.user === workspace.state.as
      ? workspace.unread
      : { ...workspace.unread, [message.channel]: count };
  return withMessages({ ...workspace, unread }, message.channel, (messages) => placed(messages, message));
}

/**
 * Adds words for the person to read, unless they are on the screen already.
 * @param {Workspace} workspace
 * @param {string} text
 * @returns {Workspace}
 */
export function withToast(workspace, text) {
  if (workspace.toasts.some((toast) => toast.text === text)) return workspace;
  const id = (workspace.toasts.at(-1)?.id ?? 0) + 1;
  return { ...workspace, toasts: [...workspace.toasts, { id, text }].slice(-4) };
}

/** @param {Workspace} workspace @param {Extract<WorkspaceEvent, { type: `view-${string}` }>} event @returns {Workspace} */
function viewEvent(workspace, event) {
  const { modals } = workspace.state;
  if (event.type === 'view-errors') {
    const { [event.view_id]: _answered, ...troubles } = workspace.troubles;
    return { ...workspace, troubles, viewErrors: { ...workspace.viewErrors, [event.view_id]: event.errors } };
  }
  if (event.type === 'view-closed') {
    return withState(workspace, { modals: modals.filter(({ id }) => !event.view_ids.includes(id)) });
  }
  const { view } = event;
  const { [view.id]: _settled, ...troubles } = workspace.troubles;
  const fresh = {
    ...workspace,
    viewErrors: { ...workspace.viewErrors, [view.id]: {} },
    troubles,
  };
  const known = modals.some(({ id }) => id === view.id);
  const next = known ? modals.map((modal) => (modal.id === view.id ? view : modal)) : [...modals, view];
  if (event.type === 'view-updated' && !known) return workspace;
  return withState(fresh, { modals: next });
}

/**
 * Applies an event to the state of the page.
 * @param {Workspace} workspace
 * @param {WorkspaceEvent} event
 * @returns {Workspace}
 */
export function applyEvent(workspace, event) {
  switch (event.type) {
    case 'message':
    case 'ephemeral':
      return arrived(workspace, event.message);
    case 'message-changed':
      return withMessages(workspace, event.message.channel, (messages) => placed(messages, event.message));
    case 'message-deleted':
      return withMessages(workspace, event.channel, (messages) =>
        messages.filter(({ ts }) => ts !== event.ts),
      );
    case 'channel': {
      const { channels } = workspace.state;
      const known = channels.find(({ id }) => id === event.channel.id);
      const channel = { ...event.channel, messages: known?.messages ?? [] };
      const rest = channels.map((each) => (each.id === channel.id ? channel : each));
      return withState(workspace, { channels: known === undefined ? [...channels, channel] : rest });
    }
    case 'view-opened':
    case 'view-pushed':
    case 'view-updated':
    case 'view-closed':
    case 'view-errors':
      return viewEvent(workspace, event);
    case 'home':
      return withState(workspace, { home: event.view });
    case 'toast':
      if (event.view_id === undefined) return withToast(workspace, event.text);
      return { ...workspace, troubles: { ...workspace.troubles, [event.view_id]: event.text } };
    case 'drills':
      return withState(workspace, { drills: event.drills });
    case 'wire':
      return { ...workspace, wire: [...workspace.wire, event.entry].slice(-wireKept) };
    case 'reload':
      return workspace;
  }
}
