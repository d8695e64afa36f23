import { z } from 'zod';

import { certificateProblem, errorCode } from '../../model/values/errors.ts';
import { type Purpose, StoreUnavailableError } from '../database/database.ts';
import { DriverError, stateOf } from './connections.ts';

interface Reason {
  readonly reason: string;
  readonly advice?: string | undefined;
  /** The problem ends without a change of the settings. */
  readonly passes?: boolean;
}

/** SQLSTATEs, or their first characters. Source: appendix A of PostgreSQL. */
const states: Readonly<Record<string, string>> = {
  '08': 'The database server cannot be reached',
  '25006': 'The database server is read-only',
  '25P03': 'The database server ended the connection',
  '28': 'The database server refused the login of DATABASE_URL',
  '3D': 'The database in DATABASE_URL does not exist',
  '40': 'The database server is too busy',
  '53100': 'The disk of the database server is full',
  '53': 'The database server has no free connections',
  '55P03': 'The database server is too busy',
  '57014': 'The database server did not answer in time',
  '57P': 'The database server is starting or shutting down',
  '58': 'The database server failed',
  XX: 'The database server failed',
};

/** The server is starting, stopping, full or busy. */
const passing = /^(?:08|25006|25P03|40|53|55P03|57)/u;

/** A refused value or an exceeded limit, so a retry would fail, too. */
const ofTheValue = /^(?:22|23|54)/u;

/** A mistake in Bellhop's own code is returned unchanged. */
export function postgresProblem(error: unknown, purpose: Purpose): unknown {
  if (!(error instanceof DriverError)) return isClosed(error) ? closedProblem(purpose, error) : error;
  const { cause } = error;
  if (isClosed(cause)) return closedProblem(purpose, cause);
  const state = stateOf(cause);
  const { reason, ...rest } = state === undefined ? reasonOfConnection(cause) : reasonOfState(state, cause);
  const retryable = state === undefined || !ofTheValue.test(state);
  return new StoreUnavailableError(reason, purpose, { cause, retryable, ...rest });
}

const reasonOfState = (state: string, cause: unknown): Reason => ({
  reason:
    states[state] ??
    states[state.slice(0, 3)] ??
    states[state.slice(0, 2)] ??
    `The database server rejected a statement (SQLSTATE ${state})`,
  advice: said(cause),
  passes: passing.test(state),
});

const said = (cause: unknown): string | undefined =>
  cause instanceof Error && cause.message !== '' ? `It says: ${cause.message}` : undefined;

const notTrusted =
  'Set its certificate authority in DATABASE_URL: sslrootcert=/path/to/ca.pem, or in NODE_EXTRA_CA_CERTS';

const openedFile = z.object({ syscall: z.literal('open'), path: z.string() });

/** For problems before or instead of a server's answer. */
function reasonOfConnection(error: unknown): Reason {
  const code = errorCode(error) ?? '';
  const text = error instanceof Error ? error.message : '';
  const file = openedFile.safeParse(error);
  if (file.success) {
    return {
      reason: `A certificate file in DATABASE_URL can't be read (${code})`,
      advice: `Put it at ${file.data.path}, or change sslrootcert, sslcert or sslkey in DATABASE_URL`,
    };
  }
  const certificate = certificateProblem(code);
  if (certificate) {
    const { wrong, todo = notTrusted } = certificate;
    return { reason: `The TLS certificate of the database server ${wrong} (${code})`, advice: todo };
  }
  if (text.includes('does not support SSL')) {
    return {
      reason: 'The database server accepts no TLS connections',
      advice: 'Enable TLS there (ssl = on), or connect through a proxy that uses TLS',
    };
  }
  if (/^ERR_SSL|^EPROTO$/u.test(code) || /SSL connection/u.test(text)) {
    return {
      reason: `TLS to the database server fails${code && ` (${code})`}`,
      advice: 'Check host and port of DATABASE_URL: another program may answer there',
    };
  }
  if (text.startsWith('SASL')) return { reason: states['28'] ?? '', advice: said(error) };
  return { reason: 'The database server cannot be reached', advice: said(error), passes: true };
}

/** Kysely and pg have no code for this. */
const isClosed = (error: unknown): boolean =>
  error instanceof Error && /already been destroyed|after calling end/u.test(error.message);

export const closedProblem = (purpose: Purpose, cause?: unknown): StoreUnavailableError =>
  new StoreUnavailableError('The connection to the database is closed', purpose, { cause });
