import { z } from 'zod';
import { type Purpose, StoreUnavailableError } from '../database.ts';

const coded = z.object({ code: z.string() });

/** SQLSTATEs, or their first two characters, that are no fault of the query. Source: PostgreSQL, appendix A */
const reasons: Readonly<Record<string, string>> = {
  '08': 'The database server cannot be reached',
  '25006': 'The database server takes no changes (it is read-only)',
  '25P03': 'The database server ended the connection',
  '28': 'The database server refused the login of DATABASE_URL',
  '3D': 'The database that DATABASE_URL names does not exist',
  '40': 'The database server is too busy',
  '53100': 'The disk of the database server is full',
  '53': 'The database server has no room for another connection',
  '55P03': 'The database server is too busy',
  '57014': 'The database server did not answer in time',
  '57P': 'The database server is going down or starting',
  '58': 'The database server fails',
  XX: 'The database server fails',
};

/** What pg says without a code. */
const lost = /timeout|terminated|connection|not queryable/iu;
const closed = /already been destroyed|after calling end/u;

/** Rolled back by the server to let another go on; the same transaction may succeed now. */
export const isConflict = (error: unknown): boolean => {
  const { data } = coded.safeParse(error);
  return data?.code === '40P01' || data?.code === '40001';
};

/** The error as people read it where the server is at fault; any other is given back as it is. */
export function postgresProblem(error: unknown, purpose: Purpose): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : new StoreUnavailableError(reason, purpose, error);
}

function reasonOf(error: unknown): string | undefined {
  const { data } = coded.safeParse(error);
  if (data === undefined) {
    return error instanceof Error ? reasonWithoutCode(error) : undefined;
  }
  const { code } = data;
  if (/^E[A-Z]+$/u.test(code)) return 'The database server cannot be reached';
  return reasons[code] ?? reasons[code.slice(0, 3)] ?? reasons[code.slice(0, 2)];
}

function reasonWithoutCode({ name, message }: Error): string | undefined {
  if (name !== 'Error') return undefined;
  if (closed.test(message)) return 'The connection to the database is closed';
  return lost.test(message) ? 'The database server cannot be reached' : undefined;
}
