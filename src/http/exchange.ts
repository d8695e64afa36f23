import type { Dispatcher } from 'undici';

import { errorCode } from '../model/values/errors.ts';
import { decodedBody } from './body.ts';
import { forwardedTo407, type Obstacle, passageFailed, passages } from './obstacle.ts';

/** Names are in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

export type NoResponseReason =
  | 'connection'
  | 'first-byte-timeout'
  | 'deadline'
  | 'cancelled'
  | 'too-large'
  | 'not-http'
  | 'invalid'
  | 'closed'
  | 'lease-lost'
  | 'breaker-open'
  | 'busy';

export interface NoResponse {
  readonly kind: 'no-response';
  /** False only if it is certain that not one byte of the request left. */
  readonly sent: boolean;
  readonly reason: NoResponseReason;
  /** Of a response whose body was cut off. */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  /** A certificate or a proxy blocked the connection. */
  readonly obstacle?: Obstacle | undefined;
}

/** Follows “… did not answer”: the obstacle and the next action, or a code in brackets. */
export const reasonText = ({ obstacle, code, reason }: NoResponse): string =>
  obstacle ? `: ${obstacle.what}. ${obstacle.todo}` : ` (${(code ?? reason).slice(0, 40)})`;

export type Attempt = Answer | NoResponse;

export interface OutgoingRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

type DeadlineCause = 'deadline' | 'cancelled';

/**
 * The single time limit of a call, which also ends if the caller gives up. Dispose of it when the call ends. Signals are created only on
 * demand, because an AbortController per call costs more than reading a short reply.
 */
export class Deadline implements Disposable {
  readonly #end: number;
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #listeners: ((cause: DeadlineCause) => void)[] = [];
  #cause: DeadlineCause | undefined;

  constructor(milliseconds: number, caller: AbortSignal | undefined) {
    this.#end = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.#finish('deadline'), milliseconds);
    this.#caller = caller;
    if (caller?.aborted === true) this.#giveUp();
    else caller?.addEventListener('abort', this.#giveUp, { once: true });
  }

  get cause(): DeadlineCause | undefined {
    return this.#cause;
  }

  remainingMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** Calls the listener once: at the end, or immediately if that has passed. */
  onEnd(listener: (cause: DeadlineCause) => void): void {
    if (this.#cause === undefined) this.#listeners.push(listener);
    else listener(this.#cause);
  }

  ended(): Promise<DeadlineCause> {
    return new Promise((resolve) => {
      this.onEnd(resolve);
    });
  }

  signal(): AbortSignal {
    const controller = new AbortController();
    this.onEnd(() => controller.abort());
    return controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }

  /** A timeout set by the caller counts as this deadline, because in both cases the service was too slow. */
  readonly #giveUp = (): void => {
    const reason: unknown = this.#caller?.reason;
    const timeout = reason instanceof DOMException && reason.name === 'TimeoutError';
    this.#finish(timeout ? 'deadline' : 'cancelled');
  };

  #finish(cause: DeadlineCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    for (const listener of this.#listeners) listener(cause);
  }
}

interface ExchangeOptions {
  /** 0 or undefined means until the deadline. */
  readonly firstByteMs?: number | undefined;
  /** Called on an open connection, right before the first byte. If false, nothing is sent. Default: always true. */
  readonly maySend?: (() => boolean) | undefined;
  /** In bytes. The rest of a body is dropped. */
  readonly enough?: number | undefined;
  /** The maximum bytes of a decoded body. Default: {@link largestAnswer}. */
  readonly largest?: number | undefined;
}

/** In bytes. Limits answers from all hosts except the service, so that no answer fills the memory. */
export const largestAnswer = 8 * 1024 * 1024;

/**
 * One HTTP exchange, never repeated or redirected. Always resolves, at the latest when the deadline ends. The dispatcher limits the size of
 * the body.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  deadline: Deadline,
  options: ExchangeOptions = {},
): Promise<Attempt> {
  return new Promise((resolve) => {
    const { origin, path, method, headers, body } = request;
    const handler = new ExchangeHandler(origin, deadline, options, resolve);
    const headersTimeout = options.firstByteMs ?? 0;
    dispatcher.dispatch(
      {
        origin,
        path,
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        body: body ?? null,
        headersTimeout,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

/**
 * `dispatch` instead of `request`, because only `onRequestStart` shows that a connection is open and that the next step writes to it. A
 * failure before it has provably sent nothing. Error codes can't prove that.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #origin: string;
  readonly #options: ExchangeOptions;
  readonly #resolve: (attempt: Attempt) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #headers: ResponseHeaders = {};
  #size = 0;
  #settled = false;

  constructor(
    origin: string,
    deadline: Deadline,
    options: ExchangeOptions,
    resolve: (attempt: Attempt) => void,
  ) {
    this.#origin = origin;
    this.#options = options;
    this.#resolve = resolve;
    deadline.onEnd((cause) => this.#abandon(cause));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#settled && this.#options.maySend?.() === false) this.#fallSilent('lease-lost', undefined);
    if (this.#settled) controller.abort(new Error('given up before anything was sent'));
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#options.enough === undefined || this.#size < this.#options.enough) return;
    this.onResponseEnd();
    controller.abort(new Error('enough was read'));
  }

  onResponseEnd(): void {
    if (this.#status === undefined) return this.#settleSilent('not-http', undefined);
    const [first] = this.#chunks;
    const whole = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const { enough, largest = largestAnswer } = this.#options;
    const encodings = String(this.#headers['content-encoding'] ?? '');
    const body = enough === undefined ? decodedBody(whole, encodings, largest) : whole.subarray(0, enough);
    if (body === 'too-large') return this.#settleSilent('too-large', undefined);
    passages.emit('passage', { origin: this.#origin, obstacle: undefined });
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const given = errorCode(error);
    // Before a request begins, this error code of undici is about the request itself. Later, undici reports a 407
    // of a forwarding proxy by the same code.
    const code = given === invalid && this.#controller ? forwardedTo407 : given;
    this.#fallSilent(silenceReason(code), code);
  }

  #abandon(cause: DeadlineCause): void {
    if (this.#settled) return;
    this.#fallSilent(cause, undefined);
    this.#controller?.abort(new Error('given up'));
  }

  #fallSilent(reason: NoResponseReason, code: string | undefined): void {
    if (this.#status !== undefined && this.#options.enough !== undefined) this.onResponseEnd();
    else this.#settleSilent(reason, code);
  }

  #settleSilent(reason: NoResponseReason, code: string | undefined): void {
    this.#settle({
      kind: 'no-response',
      sent: this.#controller !== undefined,
      reason,
      status: this.#status,
      code,
      obstacle: passageFailed(this.#origin, code),
    });
  }

  #settle(attempt: Attempt): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(attempt);
  }
}

const invalid = 'UND_ERR_INVALID_ARG';

function silenceReason(code: string | undefined): NoResponseReason {
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'first-byte-timeout';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large';
  if (code === invalid) return 'invalid';
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return 'closed';
  if (code?.startsWith('HPE_') === true) return 'not-http';
  return 'connection';
}
