import { html } from 'htm/preact';
import { useMemo } from 'preact/hooks';
import { InlineView } from '../text/inline-view.js';
import { parseMarkdown } from '../text/markdown.js';

/**
 * @typedef {import('../text/markdown.js').MarkdownPart} MarkdownPart
 * @typedef {import('../text/mrkdwn.js').Inline} Inline
 */

/** @param {Inline[][]} lines */
function linesView(lines) {
  return lines.map((nodes) => html`<div class="line"><${InlineView} nodes=${nodes} /></div>`);
}

/** @param {Inline[][][]} rows */
function tableView(rows) {
  const [head = [], ...body] = rows;
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${head.map((cell) => html`<th scope="col"><${InlineView} nodes=${cell} /></th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td><${InlineView} nodes=${cell} /></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {MarkdownPart} part */
function partView(part) {
  switch (part.kind) {
    case 'heading':
      return html`<div
        class=${`markdown-heading level-${String(part.level)}`}
        role="heading"
        aria-level=${Math.min(6, part.level + 2)}
      >
        <${InlineView} nodes=${part.children} />
      </div>`;
    case 'paragraph':
      return html`<div class="paragraph">${linesView(part.lines)}</div>`;
    case 'quote':
      return html`<blockquote>${linesView(part.lines)}</blockquote>`;
    case 'list': {
      const items = part.items.map((nodes) => html`<li><${InlineView} nodes=${nodes} /></li>`);
      return part.ordered
        ? html`<ol start=${part.start}>
            ${items}
          </ol>`
        : html`<ul>
            ${items}
          </ul>`;
    }
    case 'table':
      return tableView(part.rows);
    case 'pre':
      return html`<pre tabindex="0">${part.text}</pre>`;
    case 'rule':
      return html`<hr />`;
  }
}

/** @param {{ block: import('@slack/types').MarkdownBlock }} props */
export function MarkdownBlock({ block }) {
  const parts = useMemo(() => parseMarkdown(block.text), [block.text]);
  return html`<div class="markdown">${parts.map(partView)}</div>`;
}
