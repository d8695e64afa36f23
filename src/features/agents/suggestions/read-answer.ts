import type { Cell, Fact, Report } from '../../../model/values/report.ts';
import { plainPart, type TextPart } from '../../../text/parts.ts';

const maxRows = 1_000;
const maxRowsInText = 10;

/** A report as data, without buttons. Times are in ISO 8601, and people and channels are given by id. */
export function reportData({ title, headline, facts, items, tables, charts, document, notes }: Report) {
  const cut = tables.filter(({ rows }) => rows.length > maxRows);
  return {
    title,
    ...(headline !== undefined && { headline }),
    facts: facts.map((fact) => ({ label: fact.label, value: factText(fact) })),
    ...(items.length > 0 && {
      items: items.map(({ title: of, state, id, by, at }) => ({
        title: of,
        state,
        id,
        ...(by && { by: by.user }),
        at: new Date(at).toISOString(),
      })),
    }),
    tables: tables.map(({ caption, columns, rows }) => ({
      caption,
      columns: columns.map(({ label }) => label),
      rows: rows.slice(0, maxRows).map((row) => row.map(cellValue)),
    })),
    charts: charts.map(({ title: of, unit, labels, series }) => ({
      title: of,
      unit,
      labels,
      series: series.map(({ name, values }) => ({ name, values })),
    })),
    ...(document && { document: document.text }),
    notes: [...notes, ...cut.map(({ caption, rows }) => `${caption}: ${maxRows} of ${rows.length} rows.`)],
  };
}

export function reportText(report: Report): string {
  const { title, headline, facts, tables } = reportData(report);
  return [
    title,
    ...(headline === undefined ? [] : [headline]),
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...tables.map(({ caption, columns, rows }) => {
      const shown =
        rows.length > maxRowsInText ? `${maxRowsInText} of ${rows.length} rows` : `${rows.length} rows`;
      const lines = [columns].concat(rows.slice(0, maxRowsInText).map((row) => row.map(String)));
      return `${caption} (${shown}):\n${lines.map((cells) => cells.join(' | ')).join('\n')}`;
    }),
  ].join('\n');
}

const factText = ({ value, parts }: Fact): string => (parts ? parts.map(partText).join('') : value);

const partText = (part: TextPart): string =>
  typeof part === 'object' && 'at' in part ? new Date(part.at).toISOString() : plainPart(part);

const cellValue = (cell: Cell): string | number => (typeof cell === 'number' ? cell : partText(cell));
