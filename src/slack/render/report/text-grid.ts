import { clip, plainLine } from '../escape.ts';

/** Characters that a cell of monospaced text takes at most. */
export const widestCell = 40;

/** Columns of monospaced text. Numbers stand right; cells wider than 40 characters end in `…`. */
export function textGrid(rows: readonly (readonly string[])[], rightAligned: readonly boolean[]): string {
  const cells = rows.map((row) => row.map((cell) => (cell === '' ? '' : plainLine(cell, widestCell))));
  const widths = rightAligned.map((_, column) =>
    cells.reduce((width, row) => Math.max(width, (row[column] ?? '').length), 0),
  );
  return cells
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = clip(row[column] ?? '', width);
          return rightAligned[column] ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** As people write it: `1,234,567.5`. */
export const numberText = (value: number): string => format.format(value);
