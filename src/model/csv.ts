export type CsvCell = string | number | undefined;

/**
 * What a spreadsheet takes for a formula, full-width forms included, wherever one of them may begin a cell: some
 * separate cells by semicolons or tabs, whatever the file says.
 */
const formula = /([;\t\r\n]|^)(?=[^\S\t\r\n]*"*[=+\-@＝＋－＠])/gu;

/**
 * Cells as a line of RFC 4180, without its end. They come from outside: an apostrophe goes before whatever a spreadsheet
 * would run.
 */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map((cell) => cellText(cell)).join(',');

/** A whole file, with a byte order mark so that spreadsheets read UTF-8. */
export const csvText = (columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${[columns, ...rows].map((cells) => `${csvLine(cells)}\r\n`).join('')}`;

function cellText(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const guarded = cell.replaceAll(formula, "$1'");
  const harmless = /^[\t\r\n]/u.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\t\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
