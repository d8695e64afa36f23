import { html } from 'htm/preact';
import { RichText } from './rich-text.js';

/**
 * @typedef {import('@slack/types').TableBlock} Table
 * @typedef {Table['rows'][number][number]} Cell
 */

/** @param {{ cell: Cell }} props */
export function CellView({ cell }) {
  return cell.type === 'rich_text' ? html`<${RichText} block=${cell} />` : html`${cell.text}`;
}

/** @param {Table['column_settings']} settings @param {Cell} cell @param {number} column */
function columnClass(settings, cell, column) {
  const { align, is_wrapped: wrapped } = settings?.[column] ?? {};
  const side = align ?? (cell.type === 'raw_number' ? 'right' : 'left');
  return `align-${side} ${wrapped === true ? 'is-wrapped' : 'is-single-line'}`;
}

/** @param {{ block: Table }} props */
export function TableBlock({ block }) {
  const [head = [], ...body] = block.rows;
  const settings = block.column_settings;
  const cells = (/** @type {'th' | 'td'} */ tag, /** @type {Cell[]} */ row) =>
    row.map(
      (cell, column) =>
        html`<${tag} scope=${tag === 'th' ? 'col' : undefined} class=${columnClass(settings, cell, column)}>
          <${CellView} cell=${cell} />
        <//>`,
    );
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${cells('th', head)}
        </tr>
      </thead>
      <tbody>
        ${body.map(
          (row) =>
            html`<tr>
              ${cells('td', row)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
