import { isObject } from '../../text/exact.ts';
import { maskedInHook } from '../../bellhop/own-hook.ts';
import { type Cell, fact, type Fact, type ReportParts, report, tone } from '../../model/values/report.ts';
import { type NamedPart, namedPart } from '../../text/parts.ts';
import { clip, withoutColours } from '../../text/words.ts';

/** These limits keep an answer from filling a message, a row or the memory. Lengths are in UTF-16 units. */
const most = {
  title: 300,
  text: 3000,
  facts: 50,
  tables: 10,
  columns: 20,
  rows: 1000,
  cell: 500,
  charts: 5,
  points: 2000,
  notes: 20,
  next: 5,
  document: 200_000,
  csvRows: 100_000,
  csvColumns: 1000,
  /** For all cells of a CSV file together, with their separators. */
  csv: 20_000_000,
  cells: 400_000,
} as const;

export class WrongShape extends Error {}

export function boundText(value: unknown, longest: number): string {
  if (value === undefined || value === null) return '';
  const whole = typeof value === 'string' ? value : textOf(value);
  const plain = withoutColours(whole);
  return clip(plain.length > longest ? maskedInHook(plain) : plain, longest);
}

/** Objects are unreadable as text, except dates and addresses. */
function textOf(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof URL) return value.href;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return `[${typeof value}]`;
}

/** @throws WrongShape, because a promise or an iterator would be shown as nothing */
function list(value: unknown, longest: number, from = 0): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.slice(from, from + longest);
  throw new WrongShape(`a list must be an array, not ${textOf(value)}`);
}

/** @throws WrongShape, because text in place of the object would be dropped silently */
function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new WrongShape('an item of a list must be an object, such as { label, value }');
}

const optional = (value: unknown, longest: number): string | undefined =>
  value === undefined || value === null ? undefined : boundText(value, longest);

/** @throws WrongShape if the value is not a list */
export function boundFacts(value: unknown): Fact[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new WrongShape('preview must return a list of { label, value }');
  const whole = value.length <= most.facts;
  const all = whole ? list(value, most.facts) : [...list(value, most.facts - 1), moreFacts(value.length)];
  return all.map((one) => Object.assign(factOf(one), dataOf(objectIn(one))));
}

const moreFacts = (all: number) => ({ label: 'Not shown', value: `${all - most.facts + 1} more lines` });

/** @throws WrongShape for data that would have to be cut, because it would never match the current state */
function dataOf({ isCall, data }: Readonly<Record<string, unknown>>): Pick<Fact, 'isCall' | 'data'> {
  if (data !== undefined && (typeof data !== 'string' || data.length > most.text))
    throw new WrongShape(`the data of a fact must be text of at most ${most.text} characters`);
  return { ...(isCall === true && { isCall }), ...(data !== undefined && { data }) };
}

function factOf(value: unknown): Fact {
  const { label, value: content } = objectIn(value);
  const said = { label: boundText(label, most.title), value: boundText(content, most.text) };
  // A list of parts may contain people, channels and times.
  const whole = fact.safeParse(value);
  const parts = whole.success ? whole.data.parts?.slice(0, most.facts) : undefined;
  return { ...said, ...(parts && { parts }) };
}

/** Notes what was cut. @throws WrongShape if the value is not an answer */
export function boundReport(value: unknown): ReportParts {
  if (!isObject(value)) throw new WrongShape('report must return { title }');
  const title = boundText(value['title'], most.title);
  if (title.trim() === '') throw new WrongShape('report must return { title }');
  let room: number = most.cells;
  const left: string[] = [];
  const kept = keeping(left);
  const cellOf = (cell: unknown): Cell => {
    if (typeof cell === 'number') return Number.isFinite(cell) ? cell : 'too large';
    const part = partOf(cell);
    if (part) return part;
    const said = boundText(cell, most.cell);
    room -= said.length;
    return said;
  };
  const rowsOf = (rows: unknown): Cell[][] => {
    const found: Cell[][] = [];
    for (const row of list(rows, most.rows)) {
      if (room <= 0) break;
      found.push(list(row, most.columns).map(cellOf));
    }
    const all = Array.isArray(rows) ? rows.length : 0;
    if (all > found.length) left.push(`Only the first ${found.length} of ${all} rows are shown.`);
    return found;
  };
  const tableOf = (table: Readonly<Record<string, unknown>>) => ({
    caption: boundText(table['caption'], most.title),
    columns: kept('Columns', table['columns'], most.columns).map(columnOf),
    rows: rowsOf(table['rows']),
    lines: table['lines'] === true || table['lines'] === 'sentences' ? table['lines'] : undefined,
  });
  const parts = {
    title,
    tone: shownTone.parse(value['tone']),
    headline: optional(value['headline'], most.text),
    facts: kept('Facts', value['facts'], most.facts).map(factOf),
    tables: kept('Tables', value['tables'], most.tables).map(objectIn).map(tableOf),
    charts: kept('Charts', value['charts'], most.charts)
      .map(objectIn)
      .map((chart) => chartOf(chart, kept)),
    next: kept('Follow-up commands', value['next'], most.next).map(objectIn).map(nextOf),
    notes: kept('Notes', value['notes'], most.notes).map((note) => boundText(note, most.text)),
    document: documentOf(value['document'], left),
    csv: csvOf(value['csv'], left),
  };
  return report.parse({ ...parts, notes: [...parts.notes, ...new Set(left)] });
}

type Kept = ReturnType<typeof keeping>;

/** Keeps the first items of a list, or the newest points of a chart. */
const keeping =
  (left: string[]) =>
  (what: string, all: unknown, longest: number, from = 0): readonly unknown[] => {
    const count = Array.isArray(all) ? all.length : 0;
    if (count > longest)
      left.push(`${what}: only the ${from === 0 ? 'first' : 'newest'} ${longest} of ${count} are shown.`);
    return list(all, longest, from);
  };

/** The schema of reports rejects an unknown kind. The points of a line or area are in the order of time. */
function chartOf(
  { kind, title, unit, merge, labels, series }: Readonly<Record<string, unknown>>,
  kept: Kept,
) {
  const count = Array.isArray(labels) ? labels.length : 0;
  const from = kind === 'line' || kind === 'area' ? Math.max(0, count - most.points) : 0;
  return {
    kind,
    title: boundText(title, most.title),
    unit: boundText(unit, 40),
    merge,
    labels: kept('Points', labels, most.points, from).map((label) => boundText(label, 60)),
    series: kept('Series', series, most.columns)
      .map(objectIn)
      .map(({ name, values }) => ({
        name: boundText(name, 60),
        values: list(values, most.points, from).map((point) =>
          typeof point === 'number' || typeof point === 'bigint' ? Number(point) : null,
        ),
      })),
  };
}

function partOf(cell: unknown): NamedPart | undefined {
  const part = isObject(cell) ? namedPart.safeParse(cell).data : undefined;
  return part && Object.values(part).every((id) => String(id).length <= 100) ? part : undefined;
}

const columnOf = (column: unknown) =>
  isObject(column)
    ? { label: boundText(column['label'], most.title), ...(column['numeric'] === true && { numeric: true }) }
    : { label: boundText(column, most.title) };

const shownTone = tone.catch('neutral');

const nextOf = ({ text: label, words, severity }: Readonly<Record<string, unknown>>) => ({
  text: boundText(label, 75),
  words: boundText(words, most.title),
  severity: severity === 'change' ? ('change' as const) : ('destructive' as const),
});

function documentOf(value: unknown, left: string[]) {
  if (!isObject(value)) return undefined;
  const { fileName, text } = value;
  const cut = boundText(text, most.document);
  if (typeof text === 'string' && text.length > most.document)
    left.push(`Document: only the first ${cut.length} of ${text.length} characters are shown.`);
  return { fileName: boundText(fileName, 100), text: cut };
}

/** People expect a file to be complete, so cells are not shortened, and a note counts omitted rows. */
function csvOf(value: unknown, left: string[]) {
  if (!isObject(value)) return undefined;
  const { fileName, columns, rows: given } = value;
  let room: number = most.csv;
  const rows: (string | number)[][] = [];
  for (const row of list(given, most.csvRows)) {
    const cells = list(row, most.csvColumns).map((cell) =>
      typeof cell === 'number' ? cell : boundText(cell, most.csv),
    );
    room -= cells.reduce<number>((sum, cell) => sum + String(cell).length + 1, 0);
    if (room < 0) break;
    rows.push(cells);
  }
  const all = Array.isArray(given) ? given.length : 0;
  if (all > rows.length) left.push(`The CSV file has only the first ${rows.length} of ${all} rows.`);
  return {
    fileName: boundText(fileName, 100),
    columns: list(columns, most.csvColumns).map((column) => boundText(column, most.title)),
    rows,
  };
}
