import { html } from 'htm/preact';

/**
 * @typedef {import('../../protocol.ts').Command} Command
 * @typedef {import('../contexts.js').Directory} Directory
 *
 * @typedef {object} Suggestion a completion of the typed text
 * @property {string} key
 * @property {string} title
 * @property {string} hint
 * @property {string} detail
 * @property {string} draft the text of the field after the suggestion is picked
 * @property {boolean} complete whether all of it is typed already
 *
 * @typedef {{ name: string, options: readonly Suggestion[] }} Suggestions
 */

const mostShown = 8;

/**
 * Suggestions for the typed text: commands while one is being typed, else people and groups after an `@`.
 * @param {readonly Command[]} commands
 * @param {Directory} directory
 * @param {string} draft
 * @param {number} caret the position of the cursor in the draft
 * @returns {Suggestions}
 */
export function suggestionsFor(commands, directory, draft, caret) {
  if (/^\/\S*$/.test(draft)) return { name: 'Commands', options: fittingCommands(commands, draft) };
  return { name: 'People and groups', options: fittingMentions(directory, draft, caret) };
}

/** @param {readonly Command[]} commands @param {string} draft @returns {Suggestion[]} */
function fittingCommands(commands, draft) {
  return commands
    .filter(({ command }) => command.startsWith(draft))
    .map(({ command, usage_hint: hint, description: detail }) => ({
      key: command,
      title: command,
      hint,
      detail,
      draft: `${command} `,
      complete: command === draft,
    }));
}

/** @param {Directory} directory @param {string} draft @param {number} caret @returns {Suggestion[]} */
function fittingMentions({ people, usergroups }, draft, caret) {
  const begun = /(?:^|[^\p{L}\d])@([\p{L}\d_ -]{0,40})$/u.exec(draft.slice(0, caret));
  if (begun === null) return [];
  const typed = (begun[1] ?? '').toLowerCase();
  const before = draft.slice(0, caret - typed.length);
  const named = [
    ...people.map(({ real_name: name, name: handle, title }) => ({ name, handle, detail: title })),
    ...usergroups.map(({ handle, name }) => ({ name: handle, handle, detail: name })),
    { name: 'here', handle: 'here', detail: 'everyone who is active in this channel' },
    { name: 'channel', handle: 'channel', detail: 'everyone in this channel' },
  ];
  return named
    .filter(({ name, handle }) => [name, handle].some((each) => each.toLowerCase().startsWith(typed)))
    .slice(0, mostShown)
    .map(({ name, handle, detail }) => ({
      key: `@${name}`,
      title: `@${name}`,
      hint: '',
      detail,
      draft: `${before}${name} ${draft.slice(caret)}`,
      complete: [name, handle].some((each) => each.toLowerCase() === typed),
    }));
}

/**
 * The command whose words are being typed.
 * @param {readonly Command[]} commands
 * @param {string} draft
 */
export function startedCommand(commands, draft) {
  return commands.find(({ command }) => draft.startsWith(`${command} `));
}

/**
 * @param {object} props
 * @param {Suggestions} props.suggestions
 * @param {number} props.active
 * @param {string} props.id
 * @param {(suggestion: Suggestion) => void} props.onPick
 */
export function SuggestionMenu({ suggestions, active, id, onPick }) {
  return html`<div class="command-menu" role="listbox" id=${id} aria-label=${suggestions.name}>
    ${suggestions.options.map(
      (entry, index) =>
        html`<div
          key=${entry.key}
          id=${`${id}-${String(index)}`}
          role="option"
          class=${index === active ? 'choice command is-active' : 'choice command'}
          aria-selected=${index === active ? 'true' : 'false'}
          onMouseDown=${(/** @type {MouseEvent} */ event) => event.preventDefault()}
          onClick=${() => onPick(entry)}
        >
          <span class="command-line"
            ><b>${entry.title}</b> <span class="command-hint">${entry.hint}</span></span
          >
          <span class="choice-detail">${entry.detail}</span>
        </div>`,
    )}
  </div>`;
}
