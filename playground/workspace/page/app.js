import { html } from 'htm/preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ThreadPanel } from './channel/thread-panel.js';
import { DirectoryContext, ShellContext } from './contexts.js';
import { openSession } from './session.js';
import { MainPane } from './shell/main-pane.js';
import { Sidebar } from './shell/sidebar.js';
import { useTheme } from './shell/theme.js';
import { tabStorage } from './storage.js';
import { Toasts } from './shell/toasts.js';
import { usePlace } from './shell/use-place.js';
import { useWorkspace } from './shell/use-workspace.js';
import { ConfirmDialog } from './view/confirm-dialog.js';
import { ModalStack } from './view/modal-stack.js';

/**
 * @typedef {import('./contexts.js').Question} Question
 * @typedef {import('./contexts.js').Shell} Shell
 * @typedef {ReturnType<typeof useWorkspace>} Following
 * @typedef {{ question: Question, answer: (yes: boolean) => void }} OpenQuestion
 */

/** Questions to the person, one at a time. */
function useQuestions() {
  const [openQuestion, setOpenQuestion] = useState(/** @type {OpenQuestion | undefined} */ (undefined));
  const ask = (/** @type {Question} */ question) =>
    new Promise((/** @type {(yes: boolean) => void} */ resolve) => {
      const answer = (/** @type {boolean} */ yes) => {
        setOpenQuestion(undefined);
        resolve(yes);
      };
      setOpenQuestion({ question, answer });
    });
  return { openQuestion, ask };
}

/** Toasts, modals and the open question, above the page. @param {{ following: Following, openQuestion: OpenQuestion | undefined }} props */
function Overlays({ following, openQuestion }) {
  const { workspace, dismiss } = following;
  if (workspace === undefined) return null;
  const { modals } = workspace.state;
  return html`<${Toasts} toasts=${workspace.toasts} onDismiss=${dismiss} />
    ${modals.length > 0 && html`<${ModalStack} views=${modals} viewErrors=${workspace.viewErrors} troubles=${workspace.troubles} />`}
    ${openQuestion && html`<${ConfirmDialog} question=${openQuestion.question} onAnswer=${openQuestion.answer} />`}`;
}

/** @param {{ live: boolean }} props */
function Waiting({ live }) {
  return html`<main class="waiting" role="status">
    ${live ? 'Opening the workspace…' : 'Looking for the workspace…'}
  </main>`;
}

/** Whether the drill panel is open in this tab. It stays open for a drill in which a person is several people. */
function useDrilling() {
  const key = 'bellhop-drilling';
  const [drilling, setDrilling] = useState(() => tabStorage.getItem(key) !== null);
  const keep = (/** @type {boolean} */ open) => {
    setDrilling(open);
    if (open) tabStorage.setItem(key, 'yes');
    else tabStorage.removeItem(key);
  };
  return /** @type {const} */ ([drilling, keep]);
}

/** The person's own state of an open workspace: their place, and which panels are open. @param {import('./workspace-state.js').Workspace} workspace @param {(place: string) => void} read */
function useWhereabouts({ state, unread }, read) {
  const { place: wanted, thread: linked } = usePlace();
  const [thread, setThread] = useState(linked);
  const [drilling, setDrilling] = useDrilling();
  const [menu, setMenu] = useState(false);
  const known = wanted === 'home' || state.channels.some(({ id }) => id === wanted);
  const place = known ? wanted : (state.channels[0]?.id ?? 'home');
  const channel = state.channels.find(({ id }) => id === place);
  const arrivals = unread[place] ?? 0;
  useEffect(() => {
    setThread(linked);
    if (linked !== undefined) setDrilling(false);
  }, [place, linked]);
  useEffect(() => {
    if (arrivals > 0) read(place);
  }, [place, arrivals]);
  useEffect(() => {
    document.title =
      channel?.kind === 'channel' ? `#${channel.name} · Bellhop workspace` : 'Bellhop workspace';
  }, [channel?.name]);
  return { place, channel, thread, setThread, drilling, setDrilling, menu, setMenu };
}

/** The drill panel, loaded when it is first opened, because few people open it and it is large. @param {boolean} wanted */
function useDrillPanel(wanted) {
  const [loaded, setLoaded] = useState(
    /** @type {typeof import('./drills/drill-panel.js') | undefined} */ (undefined),
  );
  useEffect(() => {
    if (wanted && loaded === undefined) void import('./drills/drill-panel.js').then(setLoaded);
  }, [wanted]);
  return loaded?.DrillPanel;
}

/** @param {{ following: Following, workspace: import('./workspace-state.js').Workspace, onBecome: (as: string) => void, theme: 'light' | 'dark', onTheme: () => void }} props */
function Frame({ following, workspace, onBecome, theme, onTheme }) {
  const { live, read, keepWire } = following;
  const { state, unread, wire } = workspace;
  const where = useWhereabouts(workspace, read);
  const { place, channel, thread, setThread, drilling, setDrilling, menu, setMenu } = where;
  const leaveMenu = () => setMenu(false);
  // There is room for one panel.
  const openThread = (/** @type {string} */ ts) => {
    setDrilling(false);
    setThread(ts);
  };
  const DrillPanel = useDrillPanel(drilling);
  return html`<div class=${menu ? 'app has-menu' : 'app'}>
    <div class="notice" role="note">${state.notice}</div>
    <${Sidebar}
      state=${state}
      place=${place}
      unread=${unread}
      live=${live}
      onGo=${leaveMenu}
      onBecome=${onBecome}
    />
    <button
      type="button"
      class="menu-shade"
      aria-label="Close the channel list"
      hidden=${!menu}
      onClick=${leaveMenu}
    ></button>
    <${MainPane}
      state=${state}
      place=${place}
      theme=${theme}
      drilling=${drilling}
      menuOpen=${menu}
      onTheme=${onTheme}
      onMenu=${() => setMenu(!menu)}
      onDrills=${() => setDrilling(!drilling)}
      onThread=${openThread}
    />
    ${thread && channel && !drilling && html`<${ThreadPanel} key=${thread} channel=${channel} ts=${thread} onClose=${() => setThread(undefined)} />`}
    ${drilling && DrillPanel && html`<${DrillPanel} drills=${state.drills} wire=${wire} onWire=${keepWire} onBecome=${onBecome} onClose=${() => setDrilling(false)} />`}
  </div>`;
}

/** The names of people, channels and groups by id. The object changes only when a name does. @param {import('./workspace-state.js').Workspace | undefined} workspace */
function useNames(workspace) {
  const { people, channels, usergroups, as } = workspace?.state ?? {};
  const places = channels?.map(({ id, name }) => `${id} ${name}`).join();
  return useMemo(() => workspace?.state, [people, places, usergroups, as]);
}

/** The page of one person. @param {{ as: string, onBecome: (as: string) => void }} props */
export function App({ as, onBecome }) {
  const session = useMemo(() => openSession(as), [as]);
  const following = useWorkspace(session);
  const { workspace, live, say } = following;
  const [theme, turnTheme] = useTheme();
  const { openQuestion, ask } = useQuestions();
  const shell = useMemo(() => ({ session, say, ask, theme }), [session, theme]);
  const directory = useNames(workspace);
  if (workspace === undefined || directory === undefined) return html`<${Waiting} live=${live} />`;
  return html`
    <${ShellContext.Provider} value=${shell}>
      <${DirectoryContext.Provider} value=${directory}>
        <${Frame}
          following=${following}
          workspace=${workspace}
          onBecome=${onBecome}
          theme=${theme}
          onTheme=${turnTheme}
        />
        <${Overlays} following=${following} openQuestion=${openQuestion} />
      <//>
    <//>
  `;
}
