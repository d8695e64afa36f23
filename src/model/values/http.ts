import type { Context, Http } from 'bellhop';

/** Defined in `src/bellhop/surface.d.ts`. Each call @throws ServiceError, or BellhopError `not-sent`. */
export type { Http };

/** Connects to an address, with what is sent in every call to that address. @throws BellhopError `not-sent` */
export type ConnectHttp = Context['http'];

export interface HttpCaller {
  readonly operation: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  /** Called right before the first byte of a change. */
  readonly maySend?: (() => boolean) | undefined;
  readonly timeoutMs: number;
}

export type HttpFor = (caller: HttpCaller) => ConnectHttp;
