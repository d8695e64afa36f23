import type { Attempt, NoResponse, NoResponseReason, Deadline } from '../../http/exchange.ts';

const notSent = (reason: NoResponseReason): NoResponse => ({ kind: 'no-response', sent: false, reason });

/**
 * Runs at most `slots` calls at a time and queues up to `queue` more. A waiting call leaves when its deadline ends,
 * while libraries would keep the call queued until its turn.
 */
export class Bulkhead {
  #free: number;
  readonly #queue: number;
  readonly #waiting = new Set<() => void>();

  constructor(slots: number, queue: number) {
    this.#free = slots;
    this.#queue = queue;
  }

  async run(deadline: Deadline, call: () => Promise<Attempt>): Promise<Attempt> {
    const rejected = await this.#enter(deadline);
    if (rejected !== undefined) return notSent(rejected);
    try {
      return deadline.cause === undefined ? await call() : notSent(deadline.cause);
    } finally {
      this.#leave();
    }
  }

  #enter(deadline: Deadline): Promise<NoResponseReason | undefined> | NoResponseReason | undefined {
    if (deadline.cause !== undefined) return deadline.cause;
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    if (this.#waiting.size >= this.#queue) return 'busy';
    return new Promise((resolve) => {
      const admit = (): void => resolve(undefined);
      this.#waiting.add(admit);
      deadline.onEnd((cause) => {
        if (this.#waiting.delete(admit)) resolve(cause);
      });
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}

/**
 * Opens after `failures` calls in a row, retries included, that the area did not answer, and rejects calls for
 * `openMs`. Then one call probes the area while the others wait for the probe's outcome.
 */
export class CircuitBreaker {
  readonly #limits: { readonly failures: number; readonly openMs: number };
  readonly #onChange: (open: boolean) => void;
  #failures = 0;
  /** Monotonic, because a wall clock set back by an hour would keep the breaker open for that hour. */
  #openUntil: number | undefined;
  #probe: Promise<void> | undefined;

  constructor(
    limits: { readonly failures: number; readonly openMs: number },
    onChange: (open: boolean) => void,
  ) {
    this.#limits = limits;
    this.#onChange = onChange;
  }

  async run(deadline: Deadline, call: () => Promise<Attempt>): Promise<Attempt> {
    while (this.#probe !== undefined && deadline.cause === undefined) {
      await Promise.race([this.#probe, deadline.ended()]);
    }
    if (deadline.cause !== undefined) return notSent(deadline.cause);
    if (this.#openUntil !== undefined) {
      return performance.now() < this.#openUntil ? notSent('breaker-open') : this.#probeWith(call);
    }
    const attempt = await call();
    // A call that began before the breaker opened says nothing new.
    if (this.#openUntil === undefined) this.#count(attempt);
    return attempt;
  }

  async #probeWith(call: () => Promise<Attempt>): Promise<Attempt> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#probe = promise;
    try {
      const attempt = await call();
      this.#count(attempt);
      return attempt;
    } finally {
      this.#probe = undefined;
      resolve();
    }
  }

  #count(attempt: Attempt): void {
    if (isGivenUp(attempt)) return;
    if (!isFailure(attempt)) {
      const wasOpen = this.#openUntil !== undefined;
      this.#failures = 0;
      this.#openUntil = undefined;
      if (wasOpen) this.#onChange(false);
      return;
    }
    this.#failures += 1;
    if (this.#failures < this.#limits.failures) return;
    this.#openUntil = performance.now() + this.#limits.openMs;
    this.#onChange(true);
  }
}

/** Bellhop gave up early, or a certificate or proxy is in the way. Pausing calls would only hide that from people. */
const isGivenUp = (attempt: Attempt): boolean =>
  attempt.kind === 'no-response' &&
  (attempt.obstacle !== undefined ||
    ['cancelled', 'lease-lost', 'closed', 'invalid'].includes(attempt.reason));

/** A plain 500 may concern only one resource. These failures mean that the area itself does not answer. */
function isFailure(attempt: Attempt): boolean {
  if (attempt.kind === 'answer') return [502, 503, 504].includes(attempt.status);
  return ['connection', 'first-byte-timeout', 'deadline', 'not-http'].includes(attempt.reason);
}
