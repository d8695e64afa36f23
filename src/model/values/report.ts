import { z } from 'zod';

import { namedPart, textPart } from '../../text/parts.ts';
import { actor } from './actor.ts';

export const fact = z.object({
  label: z.string(),
  value: z.string(),
  /** For surfaces that can render them. `value` is the plain-text fallback. */
  parts: z.array(textPart).optional(),
  /** The operation's own sentence about its effect. Every other fact of a preview is part of what is sent. */
  isEffect: z.literal(true).optional(),
  /** The request itself, such as `PUT /servers/web-1`. */
  isCall: z.literal(true).optional(),
  /** `run` compares it with the current state. Never shown. */
  data: z.string().optional(),
});
export type Fact = Readonly<z.output<typeof fact>>;

/** Sums of huge numbers can be infinite. JSON has no infinite numbers, so reports have none either. */
const notFinite = z.custom<number>((value) => typeof value === 'number' && !Number.isFinite(value));

const cell = z.union([z.string(), z.number(), notFinite.transform(() => 'too large'), namedPart]);
export type Cell = Readonly<z.output<typeof cell>>;

const column = z.object({
  label: z.string(),
  /** Aligned right and sorted as numbers. */
  numeric: z.boolean().optional(),
});

const table = z.object({
  caption: z.string(),
  columns: z.array(column),
  /** Each row is a line of text, with the most important cell first. With `sentences`, its cells make a sentence. */
  lines: z.union([z.boolean(), z.literal('sentences')]).optional(),
  /** All rows. Surfaces page them and say how many are not shown. */
  rows: z.array(z.array(cell)),
});
export type Table = Readonly<z.output<typeof table>>;

/** Validated as a whole, because one day of minutes in a dozen groups is thousands of values. */
const chartValues = z
  .custom<(number | null)[]>(
    (values) => Array.isArray(values) && values.every((value) => value === null || typeof value === 'number'),
  )
  .transform((values) => values.map((value) => (Number.isFinite(value) ? value : null)));

const chart = z.object({
  kind: z.enum(['line', 'bar', 'area', 'pie']),
  title: z.string(),
  unit: z.string(),
  /** Of the horizontal axis, such as `Time in Europe/Berlin`. */
  axis: z.string().optional(),
  /** How neighboring points are merged if there is no room for all. Counts add up. Default: average. */
  merge: z.enum(['sum', 'average']).optional(),
  labels: z.array(z.string()),
  /** One value per label, or null if missing. */
  series: z.array(
    z.object({
      name: z.string(),
      values: chartValues,
      /** The same line one period earlier. Drawn thin, and omitted if it has gaps or there is no room. */
      earlier: z.boolean().optional(),
    }),
  ),
});
export type Chart = Readonly<z.output<typeof chart>>;

/** Runs nothing, because a list does not show a whole request. */
const itemButton = z.object({
  action: z.string(),
  text: z.string(),
  value: z.string(),
});
export type ItemButton = Readonly<z.output<typeof itemButton>>;

const item = z.object({
  title: z.string(),
  state: z.string(),
  /** A clause after the state about what an unknown outcome most likely is. */
  likely: z.string().optional(),
  /** An emoji before the title. Default: that of the state. */
  sign: z.string().optional(),
  id: z.string(),
  by: actor.optional(),
  /** Epoch milliseconds. */
  at: z.number(),
  why: z.string().optional(),
  /** Why the request was refused, or cancelled by someone else, and by whom, unless by the rules. */
  refusal: z.object({ by: actor.optional(), note: z.string() }).optional(),
  /** When the request expires, in epoch milliseconds. */
  until: z.number().optional(),
  /** Of the request's card, to which `link` leads. */
  channel: z.string().optional(),
  link: z.string().optional(),
  buttons: z.array(itemButton),
});
export type Item = Readonly<z.output<typeof item>>;

/** The button runs the words as if typed. */
const nextCommand = z.object({
  text: z.string(),
  words: z.string(),
  severity: z.enum(['change', 'destructive']),
});
export type NextCommand = Readonly<z.output<typeof nextCommand>>;

/** Surfaces show it as an emoji or a color next to the words. */
export const tone = z.enum(['neutral', 'good', 'warning', 'bad', 'unsure']);
export type Tone = z.output<typeof tone>;

/** All rows of an answer. A getter may make `rows` only when they are read. */
export interface Csv {
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The answer of an operation, without Slack. All text is plain, and surfaces escape it. */
export const report = z.object({
  title: z.string(),
  tone: tone.default('neutral'),
  headline: z.string().optional(),
  facts: z.array(fact).default([]),
  items: z.array(item).default([]),
  /** For the reader of a private answer. */
  next: z.array(nextCommand).max(5).optional(),
  charts: z.array(chart).default([]),
  tables: z.array(table).default([]),
  notes: z.array(z.string()).default([]),
  /** The rows are oldest first, so surfaces begin with the last page. */
  newestLast: z.literal(true).optional(),
  /** Markdown, offered as a file. `plain` is for copying, cut off where there is no room. */
  document: z.object({ fileName: z.string(), text: z.string(), plain: z.string().optional() }).optional(),
  /** Not validated, because few readers ask for the file. */
  csv: z.custom<Csv>((value) => typeof value === 'object' && value !== null && 'rows' in value).optional(),
});

export type Report = Readonly<z.output<typeof report>>;
export type ReportParts = z.input<typeof report>;

export type CsvCell = string | number | undefined;

/**
 * Text that a spreadsheet would read as a formula, including full-width forms, wherever a cell may start: some programs also separate cells
 * at semicolons or tabs.
 */
const formula = /([;\t\r\n]|^)(?=[^\S\t\r\n]*"*[=+\-@＝＋－＠])/gu;

/** RFC 4180, without the line break. Foreign text that a spreadsheet would run gets an apostrophe. */
export const csvLine = (cells: readonly CsvCell[]): string => cells.map(cellText).join(',');

/** With a byte order mark, so that spreadsheets read UTF-8. */
export const csvText = (columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\uFEFF${[columns, ...rows].map((cells) => `${csvLine(cells)}\r\n`).join('')}`;

function cellText(value: CsvCell): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const guarded = value.replaceAll(formula, "$1'");
  const harmless = /^[\t\r\n]/u.test(guarded) ? `'${guarded}` : guarded;
  return /[",;\t\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
