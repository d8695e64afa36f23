import { sql } from 'kysely';
import { z } from 'zod';

import { openDatabase, type StoreLocation } from '../../src/store/open-store.ts';
import type { Schema } from '../../src/store/database/schema.ts';

/** Why a table has rows, and how many it may have beyond those of the month. With more, it grows although it should not. */
interface Growth {
  readonly why: string;
  /** Undefined for a table that is meant to grow. */
  readonly most?: number;
}

export const growth: Readonly<Record<keyof Schema, Growth>> = {
  audit: { why: 'each entry, permanently' },
  requests: { why: 'each change, for `requests.keep`, 90 days unless set' },
  audit_reasons: { why: 'what a person typed, until it is removed' },
  audit_checkpoints: { why: 'each round of sealing, permanently; here about a hundred entries' },
  audit_nodes: { why: 'one per 256 entries, permanently' },
  alert_groups: { why: 'each group of alerts, until 7 days of inactivity' },
  alert_messages: { why: 'a message each, or one per storm, as long as its groups' },
  deliveries: { why: 'each payload of Slack, for 15 minutes', most: 2_000 },
  audit_cosignatures: {
    why: 'each cosignature of a witness, at most one a minute, permanently',
    most: 0,
  },
  alert_hooks: { why: 'a hook', most: 1 },
  audit_head: { why: 'always one', most: 1 },
  audit_staged: { why: 'entries waiting to be sealed, for a second', most: 100 },
  due: { why: 'due work', most: 200 },
  sign_ins: { why: 'a sign-in link, for an hour', most: 0 },
  store_home: { why: 'always one', most: 1 },
  schema_version: { why: 'a migration', most: 100 },
};

const names = Object.keys(growth);

export interface TableSize {
  readonly name: string;
  readonly rows: number;
  /** With its indexes. */
  readonly bytes: number;
}

export interface Sizes {
  /** Largest first. */
  readonly tables: readonly TableSize[];
  /** The size of the whole store on disk. */
  readonly bytes: number;
}

const count = z.object({ rows: z.coerce.number(), bytes: z.coerce.number() });

/** Sizes of a store. An embedded one must not be open in a bot. */
export async function tableSizes(location: StoreLocation): Promise<Sizes> {
  const database = await openDatabase(location);
  const ask = async (statement: ReturnType<typeof sql>) => {
    const { rows } = await database.read((queries) => statement.execute(queries));
    return count.parse(rows[0]);
  };
  const sqlite = database.dialect === 'sqlite';
  try {
    const tables: TableSize[] = [];
    for (const name of names) {
      const bytes = sqlite
        ? sql`(select coalesce(sum(pgsize), 0) from dbstat where name in (select name from sqlite_schema where tbl_name = ${name}))`
        : sql`pg_total_relation_size(${name}::regclass)`;
      tables.push({
        name,
        ...(await ask(sql`select count(*) as rows, ${bytes} as bytes from ${sql.table(name)}`)),
      });
    }
    const whole = sqlite
      ? sql`select 0 as rows, sum(pgsize) as bytes from dbstat`
      : sql`select 0 as rows, pg_database_size(current_database()) as bytes`;
    const { bytes } = await ask(whole);
    return { tables: tables.toSorted((one, other) => other.bytes - one.bytes), bytes };
  } finally {
    await database.close();
  }
}

/** Tables that have more rows than they should, a sentence each. */
export const overgrown = ({ tables }: Sizes): readonly string[] =>
  tables.flatMap(({ name, rows }) => {
    const { why, most } = Object.entries(growth).find(([table]) => table === name)?.[1] ?? {};
    return most !== undefined && rows > most
      ? [`${name} has ${rows} rows, but should hold only: ${why}.`]
      : [];
  });
