import { html } from 'htm/preact';
import { pageBlocks } from '../blocks/block-types.js';
import { BlockList } from '../blocks/block-view.js';
import { SafeLink } from '../text/inline-view.js';
import { MrkdwnView } from '../text/mrkdwn-view.js';
import { safeUrl } from '../text/safe-url.js';

/** @typedef {import('../../protocol.ts').Attachment} Attachment */

/** @type {Readonly<Record<string, string>>} */
const named = { good: 'var(--green)', warning: 'var(--amber-ink)', danger: 'var(--red)' };

/** The colour of the bar next to an attachment. @param {string | undefined} color */
function barColor(color = '') {
  const hex = /^#?([0-9a-f]{6})$/i.exec(color)?.[1];
  return hex === undefined ? (named[color] ?? 'var(--line-strong)') : `#${hex}`;
}

/** @param {{ attachment: Attachment }} props */
function AttachmentView({ attachment }) {
  const { author_name: author, title, title_link: link, text, fields, footer, blocks, fallback } = attachment;
  const url = safeUrl(link);
  const isEmpty = [title, text, blocks, fields].every((part) => part === undefined);
  return html`<div class="attachment">
    ${attachment.pretext && html`<${MrkdwnView} text=${attachment.pretext} />`}
    <div class="attachment-body" style=${{ borderColor: barColor(attachment.color) }}>
      ${author && html`<div class="card-subtitle">${author}</div>`}
      ${
        title &&
        html`<div class="card-title">
          ${url === undefined ? title : html`<${SafeLink} url=${url}>${title}<//>`}
        </div>`
      }
      ${text && html`<${MrkdwnView} text=${text} />`}
      ${isEmpty && fallback && html`<${MrkdwnView} text=${fallback} />`}
      ${
        fields &&
        html`<div class="section-fields">
          ${fields.map(
            (field) =>
              html`<div class="section-field">
                <div class="card-title">${field.title}</div>
                <${MrkdwnView} text=${field.value ?? ''} />
              </div>`,
          )}
        </div>`
      }
      ${blocks && html`<${BlockList} blocks=${pageBlocks(blocks)} />`}
      ${footer && html`<div class="card-subtitle">${footer}</div>`}
    </div>
  </div>`;
}

/** The attachments below the text of a message. @param {{ attachments: readonly Attachment[] }} props */
export function Attachments({ attachments }) {
  return attachments.map((attachment) => html`<${AttachmentView} attachment=${attachment} />`);
}
