import { type RawBuilder, sql } from 'kysely';

import type { Database, Queries } from './database.ts';

/** Depends on a deciding statement, as the entries of a step depend on the update that takes the step. */
export interface Arm {
  /** @param applies false if the deciding statement returned no row */
  readonly statement: (applies: RawBuilder<boolean>) => RawBuilder<unknown>;
  /** How many rows the statement has to write. Undefined if it may write none. */
  readonly rows?: number;
}

type On = Pick<Database, 'dialect'>;

const always = sql<boolean>`true`;
const ifDecided = sql<boolean>`exists (select from decided)`;

/**
 * Runs a deciding statement and, if that returns a row, the arms. On PostgreSQL, they are one statement, which needs no transaction: each
 * part sees the rows as they were before, and all take effect or none. On the embedded database, they run in order in the caller's
 * transaction.
 */
export async function together<Row extends object>(
  queries: Queries,
  { dialect }: On,
  decides: RawBuilder<Row>,
  arms: readonly Arm[],
): Promise<Row | undefined> {
  if (dialect === 'sqlite') {
    const [decided] = (await decides.execute(queries)).rows;
    if (decided) await inOrder(queries, arms);
    return decided;
  }
  const { rows } = await sql<Row>`with decided as (${decides})${withArms(arms, ifDecided)}
select decided.* from decided where ${allWritten(arms)}`.execute(queries);
  return rows[0];
}

/** On the embedded store, all or none is up to the caller's transaction. */
export async function allOf(queries: Queries, { dialect }: On, arms: readonly Arm[]): Promise<void> {
  if (dialect === 'sqlite' || arms.length === 0) return inOrder(queries, arms);
  await sql`with decided as (select 1 as one)${withArms(arms, always)}
select one from decided where ${allWritten(arms)}`.execute(queries);
}

async function inOrder(queries: Queries, arms: readonly Arm[]): Promise<void> {
  for (const { statement, rows } of arms) {
    const { numAffectedRows } = await statement(always).execute(queries);
    if (rows !== undefined && numAffectedRows !== BigInt(rows))
      throw new Error(`${numAffectedRows} of ${rows} rows were written`);
  }
}

const nameOf = (index: number) => sql.ref(`arm_${index + 1}`);

const withArms = (arms: readonly Arm[], applies: RawBuilder<boolean>) =>
  sql.join(
    arms.map(
      ({ statement }, index) => sql`,
${nameOf(index)} as (${statement(applies)} returning 1)`,
    ),
    sql``,
  );

/**
 * Divides by zero, and so rolls everything back, if an arm has not written its rows. If the deciding statement returned no row, no arm may
 * write any.
 */
const allWritten = (arms: readonly Arm[]) => {
  const counts = arms.flatMap(({ rows }, index) =>
    rows === undefined
      ? []
      : [sql`(select count(*) from ${nameOf(index)}) = ${rows} * (select count(*) from decided)`],
  );
  return counts.length === 0
    ? always
    : sql<boolean>`1 / (case when ${sql.join(counts, sql` and `)} then 1 else 0 end) = 1`;
};

/** A table `given`: `key` is the position, `value` the row as JSON. */
export const givenRows = ({ dialect }: On, rows: readonly object[]): RawBuilder<unknown> =>
  dialect === 'postgres'
    ? sql`json_array_elements(${JSON.stringify(rows)}::json) with ordinality as given (value, key)`
    : sql`json_each(${JSON.stringify(rows)}) as given`;

export const textMember = (member: string) => sql<string | null>`given.value ->> ${sql.lit(member)}`;

export const numberMember = (member: string) =>
  sql<number | null>`cast(given.value ->> ${sql.lit(member)} as bigint)`;
