import { type Guess, guessText } from '../../text/nearest.ts';
import { plainPart, type TextPart } from '../../text/parts.ts';

/** Each surface has one exhaustive table of the next action for each code. The log shows the code itself. */
export const errorCodes = [
  'bad-input',
  'unknown-command',
  'unknown-target',
  'denied',
  'not-sent',
  'rejected',
  'unknown-outcome',
  'store-unavailable',
  'busy',
  'configuration',
  'slack',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Of changes that ended before anything was sent. */
const unsentCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'bad-input',
  'unknown-target',
  'configuration',
  'not-sent',
]);

export const neverLeft = (code: string): boolean => unsentCodes.has(code);

/** For example `ECONNREFUSED`, from the error or its cause. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : errorCode(error.cause);
}

interface ErrorOptions {
  readonly cause?: unknown;
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean | undefined;
  /** When the obstacle ends by itself, in epoch milliseconds. */
  readonly until?: number | undefined;
  /** For a misspelt word. Surfaces that know the typed line offer to run the corrected line. */
  readonly guess?: Guess | undefined;
}

/**
 * The base of all errors that Bellhop raises. `message` names the reader's next action. In `parts`, surfaces show people, channels and
 * times by name.
 */
export class BellhopError extends Error {
  override readonly name: string = 'BellhopError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly until: number | undefined;
  readonly parts: readonly TextPart[];
  readonly guess: Guess | undefined;

  constructor(code: ErrorCode, message: string | readonly TextPart[], options: ErrorOptions = {}) {
    const parts = typeof message === 'string' ? [message] : message;
    super(parts.map(plainPart).join(''), options.cause === undefined ? undefined : { cause: options.cause });
    this.parts = parts;
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.until = options.until;
    this.guess = options.guess;
  }
}

export const badConfiguration = (text: string, options?: ErrorOptions): BellhopError =>
  new BellhopError('configuration', text, options);

export const badInput = (text: string, options?: ErrorOptions): BellhopError =>
  new BellhopError('bad-input', text, options);

/** The message ends with the guess, or else with `otherwise`. */
export const misspelt = (code: ErrorCode, text: string, guess: Guess, otherwise = ''): BellhopError =>
  new BellhopError(code, text + (guessText(guess.words) || otherwise), { guess });

/** For `catch` of a promise. Any other error is a bug and is rethrown. */
export const rescued =
  <F>(otherwise: (error: BellhopError) => F) =>
  (error: unknown): F => {
    if (!(error instanceof BellhopError)) throw error;
    return otherwise(error);
  };

/** The result of `otherwise`, or undefined, if `work` throws a BellhopError. Any other error is a bug and is rethrown. */
export function rescue<T, F = undefined>(work: () => T, otherwise?: (error: BellhopError) => F): T | F {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without `otherwise`, F is undefined
    return otherwise?.(error) as F;
  }
}

/** Only `not-sent` and `rejected` prove that nothing happened. */
export type CallOutcome = 'not-sent' | 'rejected' | 'unknown-outcome';

export interface ServiceErrorDetails {
  readonly method: string;
  readonly path: string;
  /** A sentence without the address, for a card. Default: the message. */
  readonly summary?: string | undefined;
  readonly status?: number | undefined;
  /** `why` is a clause such as `the connection was refused`. */
  readonly noAnswer?: { readonly why: string; readonly todo?: string | undefined } | undefined;
  /** From the body of an error of the cloud area. */
  readonly serviceRequestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
  readonly retryable?: boolean | undefined;
}

/**
 * A call without a readable success: `not-sent` (refused connection, open breaker), `rejected` (a 4xx, with the service's reason) or
 * `unknown-outcome` (timeout, reset, 5xx or an unreadable 2xx after bytes were sent). Source: docs/interface.md#errors.
 */
export class ServiceError extends BellhopError {
  override readonly name = 'ServiceError';
  readonly outcome: CallOutcome;
  readonly method: string;
  readonly path: string;
  readonly summary: string | undefined;
  readonly status: number | undefined;
  readonly noAnswer: ServiceErrorDetails['noAnswer'];
  readonly serviceRequestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(outcome: CallOutcome, message: string, details: ServiceErrorDetails) {
    super(outcome, message, details);
    this.outcome = outcome;
    this.method = details.method;
    this.path = details.path;
    this.summary = details.summary;
    this.status = details.status;
    this.noAnswer = details.noAnswer;
    this.serviceRequestId = details.serviceRequestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

export const storedTables = ['requests', 'audit', 'deliveries', 'due', 'alert_groups', 'sign_ins'] as const;
export type StoredTable = (typeof storedTables)[number];

/** Written by a newer version, or edited by hand. */
export class UnreadableRow extends BellhopError {
  readonly table: StoredTable;
  readonly row: string | number;
  readonly field: string;
  readonly why: string;

  constructor(table: StoredTable, id: string | number, field: string, why: string) {
    super(
      'store-unavailable',
      `The row ${id} of the table “${table}” cannot be read: ${field}: ${why}. ` +
        'A newer version of Bellhop wrote it, or it was edited by hand. Run the newer version on every replica. If ' +
        'there was no newer version, restore the row from a backup.',
    );
    this.table = table;
    this.row = id;
    this.field = field;
    this.why = `${field}: ${why}`;
  }
}

interface CertificateProblem {
  readonly wrong: string;
  /** Undefined for an untrusted authority, because each surface names its own setting for that. */
  readonly todo?: string | undefined;
}

const otherHost = { wrong: 'is for another host', todo: 'Use the host name that is in its certificate' };

/** By Node's error code. Source: nodejs.org/api/tls.html#x509-certificate-error-codes */
const known: Readonly<Record<string, CertificateProblem>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: otherHost,
  HOSTNAME_MISMATCH: otherHost,
  CERT_HAS_EXPIRED: { wrong: 'has expired', todo: 'Renew it, or set the clock of this machine' },
  CERT_NOT_YET_VALID: { wrong: 'is not valid yet', todo: 'Set the clock of this machine' },
};

/** Undefined for codes that are not about a certificate. */
export function certificateProblem(code: string): CertificateProblem | undefined {
  if (known[code]) return known[code];
  return /CERT|ISSUER|SIGNATURE|INVALID_CA|INVALID_PURPOSE/u.test(code)
    ? { wrong: 'is not trusted' }
    : undefined;
}
