import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { CellView } from './table-block.js';

/**
 * @typedef {import('@slack/types').DataTableBlock} DataTable
 * @typedef {DataTable['rows'][number]} Row
 * @typedef {Row[number]} Cell
 * @typedef {{ column: number, direction: 'ascending' | 'descending' }} Order
 */

const rowsOfAPage = 5;

/** @param {Cell | undefined} cell @returns {number | string} */
function sortKey(cell) {
  if (cell === undefined) return '';
  if (cell.type === 'raw_number') return cell.value;
  if (cell.type === 'raw_text') return cell.text;
  return JSON.stringify(cell.elements);
}

/** @param {Cell | undefined} one @param {Cell | undefined} other */
function compareCells(one, other) {
  const [left, right] = [sortKey(one), sortKey(other)];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left).localeCompare(String(right), 'en', { numeric: true });
}

/**
 * The rows in the order a person chose; unsorted, as they were sent.
 * @param {readonly Row[]} rows
 * @param {Order | undefined} order
 */
export function sortedRows(rows, order) {
  if (order === undefined) return [...rows];
  const sign = order.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compareCells(one[order.column], other[order.column]));
}

/** Ascending first, then descending, then as sent. @param {Order | undefined} order @param {number} column @returns {Order | undefined} */
function nextOrder(order, column) {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

/** @param {{ cell: Cell, order: Order | undefined, column: number, numeric: boolean, onSort: () => void }} props */
function HeadCell({ cell, order, column, numeric, onSort }) {
  const direction = order?.column === column ? order.direction : undefined;
  const mark = direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓';
  const side = numeric ? 'align-right' : 'align-left';
  return html`<th scope="col" class=${side} aria-sort=${direction ?? 'none'}>
    <button type="button" class="sort" onClick=${onSort}>
      <${CellView} cell=${cell} /><span class="sort-mark" aria-hidden="true">${mark}</span>
    </button>
  </th>`;
}

/** @param {{ page: number, pages: number, total: number, onPage: (page: number) => void }} props */
function Pager({ page, pages, total, onPage }) {
  return html`<div class="pager">
    <button
      type="button"
      class="button button-small"
      disabled=${page === 0}
      onClick=${() => onPage(page - 1)}
    >
      Previous
    </button>
    <span aria-live="polite">Page ${page + 1} of ${pages} · ${total} rows</span>
    <button
      type="button"
      class="button button-small"
      disabled=${page === pages - 1}
      onClick=${() => onPage(page + 1)}
    >
      Next
    </button>
  </div>`;
}

/** @param {{ block: DataTable }} props */
export function DataTableBlock({ block }) {
  const [order, setOrder] = useState(/** @type {Order | undefined} */ (undefined));
  const [wanted, setPage] = useState(0);
  const [head = [], ...body] = block.rows;
  const size = block.page_size ?? rowsOfAPage;
  const pages = Math.max(1, Math.ceil(body.length / size));
  const page = Math.min(wanted, pages - 1);
  const named = block.row_header_column_index ?? 0;
  const shown = sortedRows(body, order).slice(page * size, (page + 1) * size);
  const sort = (/** @type {number} */ column) => {
    setOrder(nextOrder(order, column));
    setPage(0);
  };
  return html`<div class="data-table">
    <div class="table-scroll" tabindex="0" role="group" aria-label=${block.caption}>
      <table>
        <caption>
          ${block.caption}
        </caption>
        <thead>
          <tr>
            ${head.map((cell, column) => html`<${HeadCell} cell=${cell} order=${order} column=${column} numeric=${body[0]?.[column]?.type === 'raw_number'} onSort=${() => sort(column)} />`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row) =>
              html`<tr>
                ${row.map((cell, column) => {
                  const side = cell.type === 'raw_number' ? 'align-right' : 'align-left';
                  return column === named
                    ? html`<th scope="row" class=${side}><${CellView} cell=${cell} /></th>`
                    : html`<td class=${side}><${CellView} cell=${cell} /></td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${pages > 1 && html`<${Pager} page=${page} pages=${pages} total=${body.length} onPage=${setPage} />`}
  </div>`;
}
