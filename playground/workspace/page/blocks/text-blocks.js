import { html } from 'htm/preact';
import { BlockElement } from '../elements/block-element.js';
import { TextView, plainWords } from '../text/mrkdwn-view.js';
import { Picture } from './image-block.js';

/** @param {{ block: import('@slack/types').HeaderBlock }} props */
export function HeaderBlock({ block }) {
  return html`<div class="block-header" role="heading" aria-level="3">${plainWords(block.text)}</div>`;
}

/** @param {{ block: import('@slack/types').SectionBlock & { block_id: string } }} props */
export function SectionBlock({ block }) {
  const { text, fields, accessory } = block;
  const image = accessory?.type === 'image';
  return html`<div class="block-section">
    <div class="section-words">
      ${text && html`<${TextView} text=${text} />`}
      ${
        fields &&
        html`<div class="section-fields">
          ${fields.map((field) => html`<div class="section-field"><${TextView} text=${field} /></div>`)}
        </div>`
      }
    </div>
    ${
      accessory &&
      html`<div class=${image ? 'section-picture' : 'section-accessory'}>
        <${BlockElement}
          element=${accessory}
          blockId=${block.block_id}
          name=${text ? nameFrom(text) : undefined}
        />
      </div>`
    }
  </div>`;
}

/**
 * The label of a select next to a section: the section's first line. @param {import('@slack/types').TextObject} text
 */
function nameFrom(text) {
  return text.text
    .split('\n', 1)[0]
    ?.replaceAll(/[*_~`]/g, '')
    .slice(0, 80);
}

/** @param {{ block: import('@slack/types').ContextBlock }} props */
export function ContextBlock({ block }) {
  return html`<div class="block-context">
    ${block.elements.map((element) =>
      element.type === 'image'
        ? html`<${Picture} image=${element} small=${true} />`
        : html`<${TextView} text=${element} />`,
    )}
  </div>`;
}

/** @param {{ block: import('@slack/types').ActionsBlock & { block_id: string } }} props */
export function ActionsBlock({ block }) {
  return html`<div class="block-actions">
    ${block.elements.map((element) => html`<${BlockElement} element=${element} blockId=${block.block_id} />`)}
  </div>`;
}

/** @param {{ block: import('@slack/types').ContextActionsBlock & { block_id: string } }} props */
export function ContextActionsBlock({ block }) {
  return html`<div class="block-actions context-actions">
    ${block.elements.map((element) => html`<${BlockElement} element=${element} blockId=${block.block_id} />`)}
  </div>`;
}

const alertLevels = /** @type {const} */ ({
  default: { mark: '•', word: 'Note' },
  info: { mark: 'ℹ', word: 'Information' },
  warning: { mark: '⚠', word: 'Warning' },
  error: { mark: '✕', word: 'Error' },
  success: { mark: '✓', word: 'Success' },
});

/** @param {{ block: import('@slack/types').AlertBlock }} props */
export function AlertBlock({ block }) {
  const level = block.level ?? 'default';
  const { mark, word } = alertLevels[level];
  return html`<div class=${`block-alert alert-${level}`} role="note" aria-label=${word}>
    <span class="alert-mark" aria-hidden="true">${mark}</span>
    <${TextView} text=${block.text} />
  </div>`;
}
