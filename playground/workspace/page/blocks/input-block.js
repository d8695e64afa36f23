import { html } from 'htm/preact';
import { useId } from 'preact/hooks';
import { useSurface } from '../contexts.js';
import { BlockElement } from '../elements/block-element.js';
import { plainWords } from '../text/mrkdwn-view.js';

/** Elements that consist of several controls: their label is a legend. */
const grouped = new Set(['checkboxes', 'radio_buttons']);

/** @param {{ block: import('@slack/types').InputBlock & { block_id: string } }} props */
export function InputBlock({ block }) {
  const id = useId();
  const { errors } = useSurface();
  const error = errors[block.block_id];
  const label = plainWords(block.label);
  const described =
    [block.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const words = html`${label}${block.optional === true && html` <span class="quiet">(optional)</span>`}`;
  return html`<div class=${error === undefined ? 'block-input' : 'block-input has-error'}>
    ${
      grouped.has(block.element.type)
        ? html`<div class="input-label" id=${`${id}-label`}>${words}</div>`
        : html`<label class="input-label" for=${id}>${words}</label>`
    }
    <${BlockElement}
      element=${block.element}
      blockId=${block.block_id}
      name=${label}
      field=${{ id, described, invalid: error !== undefined, dispatches: block.dispatch_action === true, optional: block.optional === true }}
    />
    ${block.hint && html`<div class="input-hint" id=${`${id}-hint`}>${plainWords(block.hint)}</div>`}
    ${error && html`<div class="input-error" id=${`${id}-error`} role="alert">${error}</div>`}
  </div>`;
}
