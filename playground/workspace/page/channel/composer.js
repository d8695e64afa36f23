import { html } from 'htm/preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDirectory, useShell } from '../contexts.js';
import { PickedFiles, useUploads } from '../elements/file-input.js';
import { MenuButton } from '../elements/menu-button.js';
import { Icon } from '../shell/icons.js';
import { startedCommand, SuggestionMenu, suggestionsFor } from './suggestions.js';
import { tabStorage } from '../storage.js';

/**
 * @typedef {import('../../protocol.ts').Command} Command
 * @typedef {import('../../protocol.ts').WorkspaceFile} WorkspaceFile
 * @typedef {Event & { currentTarget: HTMLTextAreaElement }} Typing
 *
 * @typedef {object} ComposerProps
 * @property {string} channel
 * @property {string} place the name of the field: `#ops`
 * @property {string} [thread] ts of the thread to reply in
 * @property {readonly Command[]} commands none in a thread: Slack runs none there
 * @property {string} draft
 * @property {(draft: string) => void} onDraft
 * @property {() => void} onSent
 * @property {boolean} [broadcast] whether a reply is also shown in the channel
 */

/** Errors of a command that Slackbot reports in the channel. */
const toldElsewhere = new Set(['operation_timeout', 'dispatch_failed', 'invalid_command_response']);

/** How many sent lines are remembered. */
const mostRemembered = 50;

/** @param {string} as */
function storageKey(as) {
  return `bellhop-sent-${as}`;
}

/**
 * The messages that a person sent from this tab, newest last.
 * @param {string} as
 * @returns {string[]}
 */
function sentLines(as) {
  const stored = tabStorage.getItem(storageKey(as));
  /** @type {unknown} */
  const lines = stored === null ? [] : JSON.parse(stored);
  return Array.isArray(lines) ? lines.map(String) : [];
}

/** @param {string} as @param {string} line */
function rememberSent(as, line) {
  const lines = [...sentLines(as).filter((each) => each !== line), line].slice(-mostRemembered);
  tabStorage.setItem(storageKey(as), JSON.stringify(lines));
}

/** Goes back and forth through what was sent. @param {string} as @param {string} draft @param {(draft: string) => void} onDraft */
function useHistory(as, draft, onDraft) {
  const [back, setBack] = useState(0);
  const lines = sentLines(as);
  const browsing = back > 0 && draft === lines.at(-back);
  return {
    reset: () => setBack(0),
    /** @param {number} step @returns {boolean} false at either end of the history */
    go: (step) => {
      const next = (browsing ? back : 0) + step;
      if ((draft !== '' && !browsing) || next < 0 || next > lines.length) return false;
      setBack(next);
      onDraft(next === 0 ? '' : (lines.at(-next) ?? ''));
      return true;
    },
  };
}

/** @param {ComposerProps} props */
function useSending({ channel, thread, broadcast = false, draft, onDraft, onSent }) {
  const { session, say } = useShell();
  const [files, setFiles] = useState(/** @type {WorkspaceFile[]} */ ([]));
  const send = async () => {
    const text = draft.trim();
    if (text === '' && files.length === 0) return;
    onDraft('');
    setFiles([]);
    onSent();
    if (text !== '') rememberSent(session.as, text);
    const place = thread === undefined ? { channel } : { channel, thread_ts: thread, broadcast };
    const outcome = await session.gesture('send', { ...place, text, files: files.map(({ id }) => id) });
    if (outcome.ok || toldElsewhere.has(outcome.error)) return;
    say(outcome.message);
    onDraft(text);
    setFiles(files);
  };
  return { files, setFiles, send };
}

/** @param {ComposerProps} props */
function useComposer(props) {
  const { commands, draft, onDraft } = props;
  const { session } = useShell();
  const [chosen, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const history = useHistory(session.as, draft, onDraft);
  const { files, setFiles, send } = useSending(props);
  const directory = useDirectory();
  const [caret, setCaret] = useState(0);
  const suggestions = suggestionsFor(commands, directory, draft, Math.min(caret, draft.length));
  const fitting = dismissed ? [] : suggestions.options;
  const active = Math.min(chosen, Math.max(0, fitting.length - 1));
  useLayoutEffect(() => setActive(0), [draft]);
  const pick = (/** @type {import('./suggestions.js').Suggestion} */ suggestion) => onDraft(suggestion.draft);
  const submit = () => {
    history.reset();
    void send();
  };
  const menuKey = (/** @type {string} */ key) => {
    const entry = fitting[active];
    if (entry === undefined) return false;
    if (key === 'ArrowDown') setActive((active + 1) % fitting.length);
    else if (key === 'ArrowUp') setActive((active - 1 + fitting.length) % fitting.length);
    else if (key === 'Escape') setDismissed(true);
    else if (key === 'Tab' || (key === 'Enter' && !entry.complete)) pick(entry);
    else return false;
    return true;
  };
  const key = (/** @type {KeyboardEvent & Typing} */ event) => {
    if (event.isComposing) return;
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const enter = event.key === 'Enter' && !event.shiftKey && !event.altKey;
    const done =
      (plain && menuKey(event.key)) ||
      (plain && event.key === 'ArrowUp' && history.go(1)) ||
      (plain && event.key === 'ArrowDown' && history.go(-1));
    if (!done && enter) submit();
    if (done || enter) event.preventDefault();
  };
  const type = (/** @type {Typing} */ event) => {
    setDismissed(false);
    setCaret(event.currentTarget.selectionStart);
    onDraft(event.currentTarget.value);
  };
  const hint = startedCommand(commands, draft);
  return { suggestions, fitting, active, pick, key, type, submit, hint, files, setFiles };
}

/** The app's global shortcuts, if it has any. */
function Shortcuts() {
  const { session } = useShell();
  const { shortcuts } = useDirectory();
  const items = shortcuts
    .filter(({ type }) => type === 'global')
    .map(({ callback_id: id, name, description: detail }) => ({
      key: id,
      text: name,
      detail,
      onPick: () => void session.gesture('shortcut', { callback_id: id }),
    }));
  if (items.length === 0) return null;
  return html`<span class="shortcuts"
    ><${MenuButton} label="Shortcuts" items=${items}><span aria-hidden="true">⚡</span><//></span
  >`;
}

/** Chooses files that go with the message. @param {{ files: WorkspaceFile[], onFiles: (files: WorkspaceFile[]) => void }} props */
function Attach({ files, onFiles }) {
  const { busy, add } = useUploads(files, onFiles);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  return html`<span class="shortcuts">
    <button
      type="button"
      class=${busy ? 'button button-icon is-pending' : 'button button-icon'}
      aria-label="Attach files"
      onClick=${() => input.current?.click()}
    >
      <${Icon} name="file" />
    </button>
    <input ref=${input} type="file" multiple hidden onChange=${add} />
  </span>`;
}

/** The field for writing a message, or a command after `/`. @param {ComposerProps} props */
export function Composer(props) {
  const { place, draft, channel, thread } = props;
  const { suggestions, fitting, active, pick, key, type, submit, hint, files, setFiles } = useComposer(props);
  const id = useId();
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useLayoutEffect(() => {
    if (matchMedia('(pointer: fine)').matches || thread !== undefined) field.current?.focus();
  }, [channel, thread]);
  return html`<div class="composer">
    ${fitting.length > 0 && html`<${SuggestionMenu} suggestions=${suggestions} active=${active} id=${`${id}-commands`} onPick=${pick} />`}
    ${hint && html`<div class="composer-hint" role="status"><b>${hint.command}</b> ${hint.usage_hint} <span class="quiet">${hint.description}</span></div>`}
    <div class="composer-box">
      <${Shortcuts} />
      <${Attach} files=${files} onFiles=${setFiles} />
      <textarea
        ref=${field}
        rows="1"
        role="combobox"
        aria-label=${thread === undefined ? `Message ${place}` : 'Reply in thread'}
        placeholder=${thread === undefined ? `Message ${place}, or / for commands` : 'Reply…'}
        aria-expanded=${fitting.length > 0 ? 'true' : 'false'}
        aria-controls=${`${id}-commands`}
        aria-autocomplete="list"
        aria-activedescendant=${fitting.length > 0 ? `${id}-commands-${String(active)}` : undefined}
        value=${draft}
        onInput=${type}
        onKeyDown=${key}
      ></textarea>
      <button
        type="button"
        class="send"
        aria-label="Send"
        disabled=${draft.trim() === '' && files.length === 0}
        onClick=${submit}
      >
        <span aria-hidden="true">➤</span>
      </button>
    </div>
    <${PickedFiles} files=${files} onFiles=${setFiles} />
    <div class="composer-keys quiet" aria-hidden="true">
      <b>Enter</b> to send · <b>Shift+Enter</b> for a new line · <b>↑</b> for what you sent
    </div>
  </div>`;
}
