import { html } from 'htm/preact';

/** @typedef {import('../../protocol.ts').Command} Command */

/**
 * The commands that fit what is typed, while the command itself is being typed.
 * @param {readonly Command[]} commands
 * @param {string} draft
 */
export function fittingCommands(commands, draft) {
  return /^\/\S*$/.test(draft) ? commands.filter(({ command }) => command.startsWith(draft)) : [];
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
 * @param {readonly Command[]} props.commands
 * @param {number} props.active
 * @param {string} props.id
 * @param {(command: Command) => void} props.onPick
 */
export function CommandMenu({ commands, active, id, onPick }) {
  return html`<div class="command-menu" role="listbox" id=${id} aria-label="Commands">
    ${commands.map(
      (entry, index) =>
        html`<div
          key=${entry.command}
          id=${`${id}-${String(index)}`}
          role="option"
          class=${index === active ? 'choice command is-active' : 'choice command'}
          aria-selected=${index === active ? 'true' : 'false'}
          onMouseDown=${(/** @type {MouseEvent} */ event) => event.preventDefault()}
          onClick=${() => onPick(entry)}
        >
          <span class="command-line"
            ><b>${entry.command}</b> <span class="command-hint">${entry.usage_hint}</span></span
          >
          <span class="choice-detail">${entry.description}</span>
        </div>`,
    )}
  </div>`;
}
