import { Agent, type Dispatcher } from 'undici';
import { errorCode } from '../../model/errors.ts';
import type { CallKind, Endpoint } from '../schemas/endpoints.ts';
import type { Attempt, NoResponseReason, ResponseHeaders } from '../errors/attempt.ts';
import type { Deadline, DeadlineCause } from './deadline.ts';
import type { Timings } from './timings.ts';

export interface OutgoingRequest {
  readonly origin: string;
  /** Already encoded, prefix included. */
  readonly path: string;
  readonly method: Endpoint['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * One HTTP exchange, never repeated and never redirected. Resolves always, at the latest when the deadline ends.
 * `firstByteMs` 0: until the deadline. `maySend` is asked when a connection stands, right before the first byte.
 */
export function exchange(
  agent: Agent,
  request: OutgoingRequest,
  deadline: Deadline,
  firstByteMs: number,
  maySend: () => boolean,
): Promise<Attempt> {
  return new Promise((resolve) => {
    const handler = new ExchangeHandler(deadline, maySend, resolve);
    const { origin, path, method, headers, body } = request;
    agent.dispatch(
      { origin, path, method, headers, body: body ?? null, headersTimeout: firstByteMs, bodyTimeout: 0 },
      handler,
    );
  });
}

/**
 * Agent.dispatch instead of `request` on top of it: only `onRequestStart` tells that a connection stands and the
 * next step writes to it. Whatever fails before has provably sent nothing; error codes cannot prove that.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #maySend: () => boolean;
  readonly #resolve: (attempt: Attempt) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #headers: ResponseHeaders = {};
  #settled = false;

  constructor(deadline: Deadline, maySend: () => boolean, resolve: (attempt: Attempt) => void) {
    this.#maySend = maySend;
    this.#resolve = resolve;
    deadline.onEnd((cause) => this.#abandon(cause));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#settled && !this.#maySend()) this.#fallSilent('lease-lost', undefined);
    if (this.#settled) controller.abort(new Error('given up before anything was sent'));
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#settled) this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#status === undefined) return this.#fallSilent('not-http', undefined);
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const code = errorCode(error);
    this.#fallSilent(silenceReason(code), code);
  }

  #abandon(cause: DeadlineCause): void {
    if (this.#settled) return;
    this.#fallSilent(cause, undefined);
    this.#controller?.abort(new Error('given up'));
  }

  #fallSilent(reason: NoResponseReason, code: string | undefined): void {
    this.#settle({
      kind: 'no-response',
      sent: this.#controller !== undefined,
      reason,
      status: this.#status,
      code,
    });
  }

  #settle(attempt: Attempt): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(attempt);
  }
}

function silenceReason(code: string | undefined): NoResponseReason {
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'first-byte-timeout';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large';
  if (code === 'UND_ERR_INVALID_ARG') return 'invalid';
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'closed';
  if (code?.startsWith('HPE_') === true) return 'not-http';
  return 'connection';
}

/**
 * Queries reuse connections: one that the service closed meanwhile costs a retry. Changes take a fresh connection
 * each: on a stale one a reset would leave the outcome unknown for nothing, and they are rare enough to pay for it.
 * HTTP/1.1 only, because undici repeats HTTP/2 streams by itself after a GOAWAY.
 */
export function createAgents(timings: Timings): Record<CallKind, Agent> {
  const limits = {
    allowH2: false,
    connect: { timeout: timings.connectMs },
    maxResponseSize: timings.maxBodyBytes,
  };
  return {
    query: new Agent({ ...limits, pipelining: 1, keepAliveMaxTimeout: 60_000 }),
    change: new Agent({ ...limits, pipelining: 0 }),
  };
}
