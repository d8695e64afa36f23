import { z } from 'zod';

import { namedPart, textPart } from '../../text/parts.ts';
import { actor } from './actor.ts';

export const fact = z.object({
  label: z.string(),
  value: z.string(),
  /** The value in parts that a surface can render. `value` is the plain-text fallback. */
  parts: z.array(textPart).optional(),
  /** The operation's own sentence about what it does; every other fact of a preview is part of what is sent. */
  isEffect: z.literal(true).optional(),
});
export type Fact = Readonly<z.output<typeof fact>>;

/** Sums of huge numbers can be infinite. JSON can't represent that, so reports don't either. */
const notFinite = z.custom<number>((value) => typeof value === 'number' && !Number.isFinite(value));

const cell = z.union([z.string(), z.number(), notFinite.transform(() => 'too large'), namedPart]);
export type Cell = Readonly<z.output<typeof cell>>;

const column = z.object({
  label: z.string(),
  /** Numbers align right and sort as numbers. */
  numeric: z.boolean().optional(),
});

const table = z.object({
  /** Read by screen readers and shown above the rows. */
  caption: z.string(),
  columns: z.array(column),
  /** Each row is a line of text, most important first. `sentences`: the cells of a row make a sentence. */
  lines: z.union([z.boolean(), z.literal('sentences')]).optional(),
  /** All rows. Surfaces page them and say how many are not shown. */
  rows: z.array(z.array(cell)),
});
export type Table = Readonly<z.output<typeof table>>;

/** Validated as a whole, because a day by minute in a dozen groups has thousands. */
const chartValues = z
  .custom<(number | null)[]>(
    (values) => Array.isArray(values) && values.every((value) => value === null || typeof value === 'number'),
  )
  .transform((values) => values.map((value) => (Number.isFinite(value) ? value : null)));

const chart = z.object({
  kind: z.enum(['line', 'bar', 'area', 'pie']),
  title: z.string(),
  /** Unit of the values, for the axis: `Gbit/s`, `requests`. */
  unit: z.string(),
  /** How a surface merges neighbouring points if it can't draw them all; counts add up. Default: average. */
  merge: z.enum(['sum', 'average']).optional(),
  labels: z.array(z.string()),
  /** One value per label; null if missing. */
  series: z.array(
    z.object({
      name: z.string(),
      values: chartValues,
      /**
       * Marks the same line one period earlier, which is drawn thin, and omitted if it has gaps or there is no room.
       */
      earlier: z.boolean().optional(),
    }),
  ),
});
export type Chart = Readonly<z.output<typeof chart>>;

/**
 * The actions of an item's buttons, on the request in `value`. None of them runs anything, because a list does not show
 * a whole request.
 */
const itemActions = ['inspect', 'check', 'settle', 'review'] as const;

const itemButton = z.object({
  action: z.enum(itemActions),
  text: z.string(),
  value: z.string(),
});
export type ItemButton = Readonly<z.output<typeof itemButton>>;

/** A request in a list, with the buttons that the reader may use. */
const item = z.object({
  /** `Reboot web-1` */
  title: z.string(),
  /** A request's state, or `review open`. */
  state: z.string(),
  id: z.string(),
  by: actor,
  /** Epoch milliseconds. */
  at: z.number(),
  why: z.string().optional(),
  /** When it expires, in epoch milliseconds. */
  until: z.number().optional(),
  /** The channel of its card, and a link to it. */
  channel: z.string().optional(),
  link: z.string().optional(),
  buttons: z.array(itemButton),
});
export type Item = Readonly<z.output<typeof item>>;

/** A follow-up command: its button runs the words as if the person had typed them. */
const nextCommand = z.object({
  text: z.string(),
  /** `/cloud reboot web-1` */
  words: z.string(),
  severity: z.enum(['change', 'destructive']),
});
export type NextCommand = Readonly<z.output<typeof nextCommand>>;

/** The tone of an answer, which surfaces show as an emoji or a colour next to the words. */
const tone = z.enum(['neutral', 'good', 'bad', 'unsure']);
export type Tone = z.output<typeof tone>;

/** Everything as rows, offered as a CSV file. `rows` may be made only when they are read. */
export interface Csv {
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The answer of an operation, as data. Independent of Slack; all text is plain, and surfaces escape it. */
export const report = z.object({
  title: z.string(),
  tone: tone.default('neutral'),
  /** The one line that matters. */
  headline: z.string().optional(),
  facts: z.array(fact).default([]),
  items: z.array(item).default([]),
  /** At most five, for the reader of a private answer. */
  next: z.array(nextCommand).max(5).optional(),
  charts: z.array(chart).default([]),
  tables: z.array(table).default([]),
  /** Small print: omissions, approximations, unreadable fields. */
  notes: z.array(z.string()).default([]),
  /** Markdown, shown as far as there is room, and offered as a file. */
  document: z.object({ fileName: z.string(), text: z.string() }).optional(),
  /** Not validated, because few readers ask for the file. */
  csv: z.custom<Csv>((value) => typeof value === 'object' && value !== null && 'rows' in value).optional(),
});

export type Report = Readonly<z.output<typeof report>>;
export type ReportParts = z.input<typeof report>;

export type CsvCell = string | number | undefined;

/**
 * Text that a spreadsheet would read as a formula, including full-width forms, at any place where a cell may start: some
 * programs also separate cells at semicolons or tabs.
 */
const formula = /([;\t\r\n]|^)(?=[^\S\t\r\n]*"*[=+\-@＝＋－＠])/gu;

/**
 * Cells as a line of RFC 4180, without the line break. Foreign text that a spreadsheet would run gets an apostrophe in front.
 */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(cellText).join(',');

/** A whole file, with a byte order mark so that spreadsheets read UTF-8. */
export const csvText = (columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${[columns, ...rows].map((cells) => `${csvLine(cells)}\r\n`).join('')}`;

function cellText(value: CsvCell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const guarded = value.replaceAll(formula, "$1'");
  const harmless = /^[\t\r\n]/u.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\t\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
