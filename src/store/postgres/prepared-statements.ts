import { hash } from 'node:crypto';

import { DatabaseError } from 'pg';

/** More than the store needs. Each takes about 30 KB per connection. */
const maxStatements = 250;

/** Statements with more values have a list. They differ for each length and rarely recur. */
const maxValues = 60;

/** Other statements, such as `begin`, have no plan. */
const planned = /^\s*(?:select|with|insert|update|delete)\b/u;

/** Named, so that the server parses and plans each statement once per connection. */
export interface PreparedStatements {
  /** Undefined if a name is not worthwhile. A name never has two texts, even if a pooler mixes up the connections of processes. */
  nameOf(text: string, values: readonly unknown[]): string | undefined;
  /** Whether a statement failed only because it was prepared. It had no effect, and succeeds if repeated. */
  isOutdated(error: unknown): boolean;
}

export function preparedStatements(): PreparedStatements {
  const names = new Map<string, string>();
  let [generation, refused] = [1, false];
  return {
    nameOf(text, { length }) {
      if (refused || length > maxValues || !planned.test(text)) return undefined;
      const known = names.get(text);
      if (known !== undefined || names.size >= maxStatements) return known;
      const name = `${generation}-${hash('sha256', text, 'base64url')}`;
      names.set(text, name);
      return name;
    },
    isOutdated(error) {
      if (!(error instanceof DatabaseError)) return false;
      // Invalid_sql_statement_name, duplicate_prepared_statement: a pooler mixes up connections, so no more names are given.
      if (error.code === '26000' || error.code === '42P05') return (refused = true);
      if (error.routine !== 'RevalidateCachedQuery') return false;
      // A newer version added a column. All connections prepare the statements again, under new names.
      generation += 1;
      names.clear();
      return true;
    },
  };
}
