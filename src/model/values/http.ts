import type { Context, Http } from 'bellhop';

/** Defined in `src/bellhop/surface.d.ts`. Each call @throws ServiceError, or BellhopError `not-sent`. */
export type { Http };

/** The address, and what goes with every call to it. @throws BellhopError `not-sent` */
export type ConnectHttp = Context['http'];

/** The caller, and its time limits. */
export interface HttpCaller {
  /** Its name, for the log and the metrics. */
  readonly operation: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  /** Called right before the first byte of a change. */
  readonly maySend?: (() => boolean) | undefined;
  /** The deadline of one call, in milliseconds. */
  readonly timeoutMs: number;
}

/** Calls to any HTTP service. */
export type HttpFor = (caller: HttpCaller) => ConnectHttp;
