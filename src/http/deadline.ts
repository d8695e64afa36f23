export type DeadlineCause = 'deadline' | 'cancelled';

/**
 * The single time limit of a call; it also ends if the caller gives up. Disposed when the call ends. It has its own listeners and
 * creates a signal only on demand, because an AbortController per call costs more than reading a short reply.
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

  /** Why it ended; undefined while it lasts. */
  get cause(): DeadlineCause | undefined {
    return this.#cause;
  }

  remainingMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** Calls the listener once at the end, immediately if it has ended. */
  onEnd(listener: (cause: DeadlineCause) => void): void {
    if (this.#cause === undefined) this.#listeners.push(listener);
    else listener(this.#cause);
  }

  ended(): Promise<DeadlineCause> {
    return new Promise((resolve) => {
      this.onEnd(resolve);
    });
  }

  /** A new signal that is aborted at the end. */
  signal(): AbortSignal {
    const controller = new AbortController();
    this.onEnd(() => controller.abort());
    return controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }

  /** A timeout set by the caller counts like this limit: the service was too slow. */
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
