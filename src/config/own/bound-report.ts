import { type Cell, fact, type Fact, type ReportParts, report } from '../../model/values/report.ts';
import { clip } from '../../text/words.ts';

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
  cells: 400_000,
} as const;

export class WrongShape extends Error {}

export function boundText(value: unknown, longest: number): string {
  if (value === undefined || value === null) return '';
  const whole = typeof value === 'string' ? value : textOf(value);
  return clip(whole, longest);
}

/** Objects are unreadable as text, except dates and addresses. */
function textOf(value: unknown): string {
  if (value instanceof Date || value instanceof URL) return value.toJSON();
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  return `[${typeof value}]`;
}

const list = (value: unknown, longest: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, longest) : [];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const optional = (value: unknown, longest: number): string | undefined =>
  value === undefined || value === null ? undefined : boundText(value, longest);

/** Bounds the lines shown before a change. @throws WrongShape if the value is not a list */
export function boundFacts(value: unknown): Fact[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new WrongShape('preview must return a list of { label, value }');
  return list(value, most.facts).flatMap((one) => {
    const [said] = factOf(one);
    return said && isObject(one) ? [{ ...said, ...dataOf(one) }] : [];
  });
}

/** @throws WrongShape for data that would have to be cut, because it would never match the current state */
function dataOf({ isCall, data }: Readonly<Record<string, unknown>>): Pick<Fact, 'isCall' | 'data'> {
  if (data !== undefined && (typeof data !== 'string' || data.length > most.text))
    throw new WrongShape(`the data of a fact must be text of at most ${most.text} characters`);
  return { ...(isCall === true && { isCall }), ...(data !== undefined && { data }) };
}

function factOf(value: unknown): Fact[] {
  if (!isObject(value)) return [];
  const said = { label: boundText(value['label'], most.title), value: boundText(value['value'], most.text) };
  // A list of parts may contain people, channels and times.
  const whole = fact.safeParse(value);
  const parts = whole.success ? whole.data.parts?.slice(0, most.facts) : undefined;
  return [{ ...said, ...(parts && { parts }) }];
}

/** Bounds an answer, and notes what was cut. @throws WrongShape if the value is not an answer */
export function boundReport(value: unknown): ReportParts {
  if (!isObject(value)) throw new WrongShape('report must return { title }');
  const title = boundText(value['title'], most.title);
  if (title.trim() === '') throw new WrongShape('report must return { title }');
  let room: number = most.cells;
  const left: string[] = [];
  const cellOf = (cell: unknown): Cell => {
    if (typeof cell === 'number') return Number.isFinite(cell) ? cell : 'too large';
    if (isMoment(cell)) return { at: cell.at };
    const said = boundText(cell, most.cell);
    room -= said.length;
    return said;
  };
  const rowsOf = (rows: unknown, longest: number): Cell[][] => {
    const found: Cell[][] = [];
    for (const row of list(rows, longest)) {
      if (room <= 0) break;
      found.push(list(row, most.columns).map(cellOf));
    }
    const all = Array.isArray(rows) ? rows.length : 0;
    if (all > found.length) left.push(`Only the first ${found.length} of ${all} rows are kept.`);
    return found;
  };
  const tableOf = (table: Readonly<Record<string, unknown>>) => ({
    caption: boundText(table['caption'], most.title),
    columns: list(table['columns'], most.columns).map(columnOf),
    rows: rowsOf(table['rows'], most.rows),
    lines: table['lines'] === true || undefined,
  });
  const tables = list(value['tables'], most.tables).filter(isObject).map(tableOf);
  const parts = {
    title,
    tone: toneOf(value['tone']),
    headline: optional(value['headline'], most.text),
    facts: list(value['facts'], most.facts).flatMap(factOf),
    tables,
    charts: list(value['charts'], most.charts).filter(isObject).map(chartOf),
    next: list(value['next'], most.next).filter(isObject).map(nextOf),
    notes: list(value['notes'], most.notes).map((note) => boundText(note, most.text)),
    document: documentOf(value['document']),
    csv: csvOf(value['csv']),
  };
  return report.parse({ ...parts, notes: [...parts.notes, ...left] });
}

const isMoment = (cell: unknown): cell is { readonly at: number } =>
  isObject(cell) && typeof cell['at'] === 'number' && Math.abs(cell['at']) <= 8.64e15;

const columnOf = (column: unknown) =>
  isObject(column)
    ? { label: boundText(column['label'], most.title), ...(column['numeric'] === true && { numeric: true }) }
    : { label: boundText(column, most.title) };

const toneOf = (tone: unknown) =>
  tone === 'good' || tone === 'bad' || tone === 'unsure' ? tone : ('neutral' as const);

/** The schema of reports rejects anything else. */
const chartOf = (chart: Readonly<Record<string, unknown>>) => ({
  kind: chart['kind'],
  title: boundText(chart['title'], most.title),
  unit: boundText(chart['unit'], 40),
  merge: chart['merge'],
  labels: list(chart['labels'], most.points).map((label) => boundText(label, 60)),
  series: list(chart['series'], most.columns)
    .filter(isObject)
    .map(({ name, values }) => ({
      name: boundText(name, 60),
      values: list(values, most.points).map((point) =>
        typeof point === 'number' || typeof point === 'bigint' ? Number(point) : null,
      ),
    })),
});

const nextOf = ({ text: label, words, severity }: Readonly<Record<string, unknown>>) => ({
  text: boundText(label, 75),
  words: boundText(words, most.title),
  severity: severity === 'change' ? ('change' as const) : ('destructive' as const),
});

const documentOf = (value: unknown) =>
  isObject(value)
    ? { fileName: boundText(value['fileName'], 100), text: boundText(value['text'], most.document) }
    : undefined;

const csvOf = (value: unknown) =>
  isObject(value)
    ? {
        fileName: boundText(value['fileName'], 100),
        columns: list(value['columns'], most.facts).map((column) => boundText(column, most.title)),
        rows: list(value['rows'], most.csvRows).map((row) =>
          list(row, most.facts).map((cell) => (typeof cell === 'number' ? cell : boundText(cell, most.cell))),
        ),
      }
    : undefined;
