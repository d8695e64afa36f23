import type { Figures, Measured } from './measure-team.ts';
import { growth } from './table-sizes.ts';

const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const sizeOf = ({ sizes }: Measured, table: string) => {
  const size = sizes.tables.find(({ name }) => name === table);
  return { rows: (size?.rows ?? 0).toLocaleString('en'), megabytes: digits((size?.bytes ?? 0) / 1e6) };
};

const storesOf = (measured: readonly Measured[]) => {
  const [, embedded, , server] = measured;
  if (!embedded || !server) throw new Error('a store was not measured');
  return { embedded, server };
};

function storesBeside(all: readonly Figures[]): string {
  const [first = new Map<string, number>()] = all;
  return [
    lineOf(['', 'embedded, new', 'embedded, a month', 'PostgreSQL, new', 'PostgreSQL, a month']),
    '|---|---|---|---|---|',
    ...[...first.keys()].map((what) =>
      lineOf([what, ...all.map((figures) => digits(figures.get(what) ?? Number.NaN))]),
    ),
  ].join('\n');
}

/**
 * The costs of a month, in Markdown.
 * @param measured embedded new, embedded month, PostgreSQL new, PostgreSQL month
 */
export const monthTable = (measured: readonly Measured[]): string =>
  storesBeside(measured.map(({ figures }) => figures));

/** The costs of the jobs of each second, and the tables that a month fills, in Markdown; `measured` as above. */
export function behindTheMonth(measured: readonly Measured[]): string {
  const { embedded, server } = storesOf(measured);
  return [
    storesBeside(measured.map(({ sweeps }) => sweeps)),
    '',
    '| table after the month | rows | embedded, MB | PostgreSQL, MB | has a row for |',
    '|---|---|---|---|---|',
    ...Object.entries(growth).map(([table, { why }]) => {
      const { rows, megabytes } = sizeOf(embedded, table);
      return lineOf([`\`${table}\``, rows, megabytes, sizeOf(server, table).megabytes, why]);
    }),
  ].join('\n');
}
