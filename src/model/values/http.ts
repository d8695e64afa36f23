import type { z } from 'zod';

/** Calls to one address. None is repeated unless that is safe. Each @throws ServiceError, or BellhopError `not-sent` */
export interface Http {
  /** A query, repeated if it got no answer. Resolves to the body as the schema reads it, or to its JSON. */
  get(path: string): Promise<unknown>;
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  /** A change, never repeated once bytes may have left. */
  send(method: ChangeMethod, path: string, body?: HttpBody): Promise<unknown>;
  send<S extends z.ZodType>(
    method: ChangeMethod,
    path: string,
    body: HttpBody & { readonly schema: S },
  ): Promise<z.output<S>>;
}

export type ChangeMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface HttpBody {
  /** Sent as JSON; default: no body. */
  readonly json?: unknown;
}

/** The address, `https://lb.example.com/api`, and the headers of every call to it. @throws BellhopError `not-sent` */
export type ConnectHttp = (
  base: string,
  options?: { readonly headers?: Readonly<Record<string, string>> },
) => Http;

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
