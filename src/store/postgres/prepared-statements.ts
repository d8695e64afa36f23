import { hash } from 'node:crypto';

import { DatabaseError } from 'pg';

/** A connection keeps about 30 KB for each. More than the store needs. */
const mostStatements = 250;

/** More than any statement without a list. A statement with a list differs for each length and rarely recurs. */
const mostValues = 60;

/** The others, such as `begin`, have no plan. */
const planned = /^\s*(?:select|with|insert|update|delete)\b/u;

/** Names statements, so that the server parses and plans each of them once per connection. For all connections of a process. */
export interface PreparedStatements {
  /** Undefined if it is not worth it. A name never has two texts, even if a pooler mixes up the connections of processes. */
  nameOf(text: string, values: readonly unknown[]): string | undefined;
  /** Whether a statement failed only because it was prepared. Then it had no effect, and succeeds if repeated. */
  isOutdated(error: unknown): boolean;
}

export function preparedStatements(): PreparedStatements {
  const names = new Map<string, string>();
  let [generation, refused] = [1, false];
  return {
    nameOf(text, { length }) {
      if (refused || length > mostValues || !planned.test(text)) return undefined;
      const known = names.get(text);
      if (known !== undefined || names.size >= mostStatements) return known;
      const name = `${generation}-${hash('sha256', text, 'base64url')}`;
      names.set(text, name);
      return name;
    },
    isOutdated(error) {
      if (!(error instanceof DatabaseError)) return false;
      // invalid_sql_statement_name, duplicate_prepared_statement: a pooler mixes up connections. So no more names.
      if (error.code === '26000' || error.code === '42P05') return (refused = true);
      if (error.routine !== 'RevalidateCachedQuery') return false;
      // A newer version added a column. All connections prepare the statements again, under new names.
      generation += 1;
      names.clear();
      return true;
    },
  };
}
