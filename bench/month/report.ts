import type { Measured } from './measure-team.ts';
import { growth } from './table-sizes.ts';

const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const sizeOf = ({ sizes }: Measured, table: string) => {
  const size = sizes.tables.find(({ name }) => name === table);
  return { rows: (size?.rows ?? 0).toLocaleString('en'), megabytes: digits((size?.bytes ?? 0) / 1e6) };
};

/**
 * What a month costs, and which tables it fills, in Markdown.
 * @param measured embedded new, embedded month, PostgreSQL new, PostgreSQL month
 */
export function monthTables(measured: readonly Measured[]): string {
  const [, embedded, , server] = measured;
  if (!embedded || !server) throw new Error('a store was not measured');
  const figuresOf = (what: string): readonly string[] =>
    measured.map(({ figures }) => digits(figures.get(what) ?? Number.NaN));
  return [
    lineOf(['', 'embedded, new', 'embedded, a month', 'PostgreSQL, new', 'PostgreSQL, a month']),
    '|---|---|---|---|---|',
    ...[...embedded.figures.keys()].map((what) => lineOf([what].concat(figuresOf(what)))),
    '',
    '| table after the month | rows | embedded, MB | PostgreSQL, MB | has a row for |',
    '|---|---|---|---|---|',
    ...Object.entries(growth).map(([table, { why }]) => {
      const { rows, megabytes } = sizeOf(embedded, table);
      return lineOf([`\`${table}\``, rows, megabytes, sizeOf(server, table).megabytes, why]);
    }),
  ].join('\n');
}
